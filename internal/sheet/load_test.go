package sheet

import (
	"testing"

	"github.com/seed-1318a441/assay"
)

func TestLoad(t *testing.T) {
	even, poisson := assay.OfferedLoad{Rate: 1800, BuiltIn: true}, assay.OfferedLoad{Rate: 0.5, BuiltIn: true, Arrivals: assay.ArrivalsPoisson}
	for want, loads := range map[string][]assay.OfferedLoad{
		"":                                     nil,
		"load 1,800 requests/s, even arrivals": {even, even},
		"load 1,800 requests/s, even arrivals and 0.5 requests/s, Poisson arrivals": {even, poisson},
		"load 40 requests/s":          {{Rate: 40}},
		"load fixed by its generator": {{}},
		"loads at 3 fixed rates":      {even, poisson, {Rate: 40}},
	} {
		if got := Load(&assay.Result{Loads: loads}); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
