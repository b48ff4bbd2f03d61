package assay

import (
	"slices"
	"strings"
	"testing"
)

// The words of a variant are those of a compare line, with marks for secrets.
func TestVariantWords(t *testing.T) {
	v := Variant{Name: "all", Go: "go1.26.8", Rev: "HEAD~1", Experiment: []string{"greenteagc", "nojsonv2"},
		Build: map[string]string{"GOAMD64": "v3", "CGO_ENABLED": "0"}, GCFlags: []string{"all=-N", "-l"}, LDFlags: []string{"-s"},
		Tags: []string{"a", "b"}, PGO: PGOAuto, Env: map[string]string{"GOGC": "200"}, Secrets: map[string]string{"PASSWORD": "db"}}
	want := "go1.26.8 HEAD~1 GOEXPERIMENT=greenteagc,nojsonv2 CGO_ENABLED=0 GOAMD64=v3 -gcflags=all=-N -gcflags=-l -ldflags=-s -tags=a,b -pgo=auto GOGC=200 PASSWORD=[secret db]"
	if got := strings.Join(v.Words(), " "); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if got := (Variant{Module: "m@v1.2.3", Run: []string{"./old", "-x"}}).Words(); !slices.Equal(got, []string{"m@v1.2.3", "./old", "-x"}) {
		t.Errorf("got %q", got)
	}
}

// Two variants are one build where all that a build depends on is equal, and one run where
// all that a run depends on is: neither asks about the other's settings.
func TestSameBuildSameRun(t *testing.T) {
	base := Variant{Go: "go1.26.8"}
	for _, c := range []struct {
		name       string
		v          Variant
		build, run bool
	}{
		{"the same", Variant{Name: "other", Go: "go1.26.8"}, true, true},
		{"toolchain", Variant{Go: "go1.27.2"}, false, true},
		{"revision", Variant{Go: "go1.26.8", Rev: "main"}, false, true},
		{"experiment", Variant{Go: "go1.26.8", Experiment: []string{"x"}}, false, true},
		{"flag", Variant{Go: "go1.26.8", GCFlags: []string{"-l"}}, false, true},
		{"profile", Variant{Go: "go1.26.8", PGO: PGOAuto}, false, true},
		{"run variable", Variant{Go: "go1.26.8", Env: map[string]string{"GOGC": "50"}}, true, false},
		{"secret", Variant{Go: "go1.26.8", Secrets: map[string]string{"P": "db"}}, true, false},
		{"command", Variant{Go: "go1.26.8", Run: []string{"./new"}}, true, false},
	} {
		if got := base.SameBuild(c.v); got != c.build {
			t.Errorf("%s: same build: got %t", c.name, got)
		}
		if got := base.SameRun(c.v); got != c.run {
			t.Errorf("%s: same run: got %t", c.name, got)
		}
	}
	if a, b := (Variant{Run: []string{"./old", "x"}}), (Variant{Run: []string{"./new", "x"}}); !a.SameRun(b) {
		t.Error("the program of a command line is what is compared, not a setting")
	}
}

func TestInWords(t *testing.T) {
	for name, want := range map[string]string{".": "your tree", "v1.2.3": `"v1.2.3"`, `a"b`: `"a\"b"`} {
		if got := Quoted(name); got != want {
			t.Errorf("%s: got %s, want %s", name, got, want)
		}
	}
}
