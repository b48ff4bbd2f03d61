package survey

import (
	"strings"
	"testing"

	"github.com/seed-1318a441/assay"
)

// More Ps than CPUs are reported, whoever asks for them; a variant's own number counts.
func TestOversubscribed(t *testing.T) {
	own := func(n string) assay.Variant {
		return assay.Variant{Name: "own" + n, Env: map[string]string{"GOMAXPROCS": n}}
	}
	for _, c := range []struct {
		measure, cpus int
		variants      []assay.Variant
		want          string
	}{
		{8, 8, []assay.Variant{{Name: "a"}}, ""},
		{8, 0, []assay.Variant{{Name: "a"}}, ""}, // unknown
		{8, 2, []assay.Variant{{Name: "a"}, own("2")}, "GOMAXPROCS=8 on a machine with 2 CPUs: threads take turns on them|a|"},
		{2, 2, []assay.Variant{{Name: "a"}, own("4"), own("3")}, "GOMAXPROCS=4 on a machine with 2 CPUs: threads take turns on them|own4, own3|"},
	} {
		var got strings.Builder
		for _, w := range oversubscribed(&assay.Study{Measure: assay.Measure{GOMAXPROCS: c.measure}}, c.variants, c.cpus) {
			got.WriteString(string(w.Text) + "|" + w.Facts[0] + "|")
		}
		if got.String() != c.want {
			t.Errorf("%d for %d CPUs: got %q, want %q", c.measure, c.cpus, got.String(), c.want)
		}
	}
	ws := oversubscribed(&assay.Study{Measure: assay.Measure{GOMAXPROCS: 8}}, []assay.Variant{{Name: "a"}}, 2)
	if !strings.Contains(ws[0].Advice, "a machine with 8 CPUs, or GOMAXPROCS=2") {
		t.Errorf("advice %q", ws[0].Advice)
	}
}
