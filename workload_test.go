package assay

import (
	"slices"
	"testing"
)

func TestNameBeside(t *testing.T) {
	a := Benchmark{Package: "x.org/glua", Name: "Sum"}
	for _, x := range []struct {
		others []Benchmark
		want   string
	}{
		{[]Benchmark{a, {Package: a.Package, Name: "Mix"}}, "Sum"},
		{[]Benchmark{{Package: "x.org/tengo", Name: "Mix"}}, "Sum"},
		{[]Benchmark{a, {Package: "x.org/tengo", Name: "Sum"}}, "glua.Sum"},
		{[]Benchmark{{Package: "y.org/glua", Name: "Sum"}, {Package: "x.org/tengo", Name: "Sum"}}, "x.org/glua.Sum"},
	} {
		if got := a.NameBeside(slices.Values(x.others)); got != x.want {
			t.Errorf("beside %v: got %q, want %q", x.others, got, x.want)
		}
	}
}
