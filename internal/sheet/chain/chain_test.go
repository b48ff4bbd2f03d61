package chain

import (
	"testing"

	"github.com/seed-1318a441/assay"
)

func TestRanges(t *testing.T) {
	for want, numbers := range map[string][]int{"": nil, "3": {3}, "3, 4": {3, 4}, "3–6, 9": {3, 4, 5, 6, 9}, "1, 3–5": {1, 3, 4, 5}} {
		if got := ranges(numbers); got != want {
			t.Errorf("ranges(%v) = %q, want %q", numbers, got, want)
		}
	}
}

// A step that is the same code as another has that one's figures, a gap has none, and
// a record whose steps go in circles ends.
func TestMeasured(t *testing.T) {
	same := func(as string) *assay.SameCode { return &assay.SameCode{As: as} }
	x := Panel{Result: &assay.Result{Base: "base", Arc: &assay.Arc{Steps: []assay.StepResult{{Step: assay.Step{Variant: "a"}},
		{Step: assay.Step{Variant: "gap"}, Gap: &assay.Gap{Variant: "gap"}}, {Step: assay.Step{Variant: "b"}, SameAs: same("a")},
		{Step: assay.Step{Variant: "c"}, SameAs: same("gap")}}}}}
	for variant, want := range map[string]string{"a": "a", "gap": "", "b": "a", "c": "", "elsewhere": "elsewhere"} {
		if got := x.Measured(variant); got != want {
			t.Errorf("%s: got %q, want %q", variant, got, want)
		}
	}
	x.Result.Arc.Steps[0].SameAs = same("b")
	if x.Measured("a") == "" {
		t.Error("a circle has no variant")
	}
}
