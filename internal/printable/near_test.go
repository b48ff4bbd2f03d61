package printable

import (
	"slices"
	"strings"
	"testing"
)

func TestNearestNames(t *testing.T) {
	experiments := []string{"greenteagc", "jsonv2", "sizespecializedmalloc", "regabiargs", "regabiwrappers", "runtimefreegc"}
	keys := []string{"name", "go", "rev", "module", "experiment", "gcflags", "ldflags", "tags", "pgo", "build", "env"}
	for _, test := range []struct {
		name  string
		known []string
		want  string
	}{
		{"greentea", experiments, "greenteagc"},
		{"greeenteagc", experiments, "greenteagc"},
		{"GreenTeaGC", experiments, "greenteagc"},
		{"sizespec", experiments, "sizespecializedmalloc"},
		{"jsonv3", experiments, "jsonv2"},
		{"regabi", experiments, "regabiargs regabiwrappers"},
		{"fusedmultiplyadd", experiments, ""},
		{"", experiments, ""},
		{"experiments", keys, "experiment"},
		{"nmae", keys, "name"}, // two letters swapped are one mistake
		{"gcflag", keys, "gcflags"},
		{"flags", keys, "gcflags ldflags tags"},
		{"toolchain", keys, ""},
		{"x", []string{"a", "b"}, ""},
	} {
		if got := strings.Join(NearestNames(test.name, test.known), " "); got != test.want {
			t.Errorf("NearestNames(%q) = %q, want %q", test.name, got, test.want)
		}
	}
}

func TestNearestNamesGivesAtMostThree(t *testing.T) {
	got := NearestNames("abcd", []string{"abcx", "abcd", "abxy", "abcdefgh", "xbcd"})
	if want := []string{"abcd", "abcx", "xbcd"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestDistance(t *testing.T) {
	for _, test := range []struct {
		a, b string
		want int
	}{
		{"", "", 0},
		{"", "abc", 3},
		{"abc", "abc", 0},
		{"abc", "abd", 1},
		{"abc", "acb", 1}, // swap
		{"abc", "ab", 1},  // delete
		{"ab", "abc", 1},  // insert
		{"ca", "abc", 3},  // no editing of what was swapped
		{"kitten", "sitting", 3},
	} {
		if got := distance(test.a, test.b); got != test.want {
			t.Errorf("distance(%q, %q) = %d, want %d", test.a, test.b, got, test.want)
		}
		if got := distance(test.b, test.a); got != test.want {
			t.Errorf("distance(%q, %q) = %d, want %d: it is not symmetric", test.b, test.a, got, test.want)
		}
	}
}

func TestNearestName(t *testing.T) {
	if got := NearestName("budgt", []string{"blocks", "budget"}); got != "budget" {
		t.Errorf("got %q, want budget", got)
	}
	if got := NearestName("zzz", []string{"blocks", "budget"}); got != "" {
		t.Errorf("got %q, want nothing", got)
	}
}
