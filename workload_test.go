package assay_test

import (
	"slices"
	"testing"

	"github.com/seed-1318a441/assay"
)

func TestNameBeside(t *testing.T) {
	a := assay.Benchmark{Package: "x.org/glua", Name: "Sum"}
	for _, x := range []struct {
		others []assay.Benchmark
		want   string
	}{
		{[]assay.Benchmark{a, {Package: a.Package, Name: "Mix"}}, "Sum"},
		{[]assay.Benchmark{{Package: "x.org/tengo", Name: "Mix"}}, "Sum"},
		{[]assay.Benchmark{a, {Package: "x.org/tengo", Name: "Sum"}}, "glua.Sum"},
		{[]assay.Benchmark{{Package: "y.org/glua", Name: "Sum"}, {Package: "x.org/tengo", Name: "Sum"}}, "x.org/glua.Sum"},
	} {
		if got := a.NameBeside(slices.Values(x.others)); got != x.want {
			t.Errorf("beside %v: got %q, want %q", x.others, got, x.want)
		}
	}
}
