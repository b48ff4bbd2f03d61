package code

import (
	"slices"
	"testing"

	"github.com/seed-1318a441/assay/internal/slow"
)

func TestReach(t *testing.T) {
	testReach(t, "linux/amd64")
	if got := Reach(program(t, "base", "linux/amd64", ""), []string{"main.nowhere"}, 10); got != nil {
		t.Errorf("no such root: got %q", got)
	}
}

func TestSlowReach(t *testing.T) {
	slow.Test(t)
	testReach(t, otherPlatforms...)
}

func testReach(t *testing.T, platforms ...string) {
	for _, platform := range platforms {
		f := program(t, "variant", platform, "")
		got := Reach(f, []string{"main.main", "main.largest[...]"}, 1000)
		if len(got) == 0 || got[0] != "main.main" {
			t.Fatalf("%s: got %q, want main.main first", platform, got)
		}
		for _, want := range []string{"main.largest[go.shape.int]", "main.loop", "main.small", "main.main.func1", "main.take", "runtime.newobject", "main.unchanged"} {
			if !slices.Contains(got, want) {
				t.Errorf("%s: %q is not among %q", platform, want, got)
			}
		}
		// newobject calls mallocgc, and main does not.
		for _, no := range []string{"runtime.mallocgc", "runtime.morestack_noctxt", "runtime.main", "main.onlyBase"} {
			if slices.Contains(got, no) {
				t.Errorf("%s: %q is among what main reaches", platform, no)
			}
		}
		if at := func(name string) int { return slices.Index(got, name) }; at("main.loop") > at("main.small") {
			t.Errorf("%s: main.small comes before main.loop, which calls it", platform)
		}
		if some := Reach(f, []string{"main.main"}, 5); len(some) != 5 {
			t.Errorf("%s: got %d functions, want the 5 asked for", platform, len(some))
		}
	}
}
