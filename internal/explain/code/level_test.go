package code

import (
	"testing"

	"github.com/seed-1318a441/assay/internal/explain/cputime"
)

// The heaviest functions of both variants in one binary are compared with each other, under
// both names; the others stand alone.
func TestLevels(t *testing.T) {
	f := program(t, "base", "linux/amd64", "")
	c := Levels(Input{Base: f, Variant: f}, []cputime.Hot{{Name: "main.slow", Weight: 0.7}, {Name: "main.sum", Weight: 0.1}}, []cputime.Hot{{Name: "main.fast", Weight: 0.4}})
	if len(c.Functions) != 2 || c.Hot != 2 || c.SameHot != 0 || c.Same+c.Differ+c.OnlyBase+c.OnlyVariant > 0 {
		t.Fatalf("got %+v", c)
	}
	both, alone := c.Functions[0], c.Functions[1]
	slow, _ := f.Find("main.slow")
	fast, _ := f.Find("main.fast")
	if both.Name != "main.slow" || both.VariantName != "main.fast" || both.Base == nil || both.Variant == nil ||
		both.Base.Size != int(slow.Size) || both.Variant.Size != int(fast.Size) || len(both.Listing) == 0 {
		t.Errorf("got %+v", both)
	}
	if alone.Name != "main.sum" || alone.VariantName != "" || alone.Base == nil || alone.Variant != nil {
		t.Errorf("got %+v", alone)
	}
}
