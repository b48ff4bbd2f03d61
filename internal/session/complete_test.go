package session

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/build"
	"github.com/seed-1318a441/assay/internal/disk/disktest"
	"github.com/seed-1318a441/assay/internal/errortest"
	"github.com/seed-1318a441/assay/internal/spec"
)

// noSettings keeps the Go settings of whoever runs the test away.
func noSettings(t *testing.T) {
	t.Helper()
	t.Setenv("GOENV", "off")
	for _, name := range []string{"GOFLAGS", "GOEXPERIMENT", "GOAMD64", "GODEBUG", "GOGC", "GOMEMLIMIT", "GORACE", "GOWORK"} {
		t.Setenv(name, "")
	}
	ownConfig(t)
}

// twoVariants is a study in a folder.
func twoVariants(dir string, w assay.Workload) *assay.Study {
	s := &assay.Study{Name: "m", Dir: dir, Variants: []assay.Variant{{Name: "old"}, {Name: "new"}}, Workloads: []assay.Workload{w}}
	s.SetDefaults()
	return s
}

// A study whose packages are in a module below moves there, if all of them do.
func TestCompleteFindsTheModule(t *testing.T) {
	noSettings(t)
	dir := t.TempDir()
	disktest.Write(t, dir, map[string]string{"sub/go.mod": "module example.com/sub\n", "sub/codec/x.go": "package codec\n", "two/go.mod": "module example.com/two\n"})
	for _, c := range []struct {
		name   string
		w      assay.Workload
		source assay.Source
		dir    string
		places []string
	}{
		{"packages", assay.Workload{Kind: assay.KindGoTest, Packages: []string{"./sub/codec", "./sub/..."}}, assay.Source{}, "sub", []string{"./codec", "./..."}},
		{"program", assay.Workload{Kind: assay.KindCommand, Names: []string{"x"}, Run: []string{"{bin}"}, Package: "./sub/codec"}, assay.Source{}, "sub", []string{"./codec"}},
		{"two modules", assay.Workload{Kind: assay.KindGoTest, Packages: []string{"./sub/codec", "./two"}}, assay.Source{}, "", []string{"./sub/codec", "./two"}},
		{"every package", assay.Workload{Kind: assay.KindGoTest}, assay.Source{}, "", nil},
		{"overlay", assay.Workload{Kind: assay.KindGoTest, Packages: []string{"./sub/codec"}}, assay.Source{Overlay: "files"}, "", []string{"./sub/codec"}},
		{"suite", assay.Workload{Kind: assay.KindGoTest, Packages: []string{"./sub/codec"}}, assay.Source{Suite: "suite"}, "", []string{"./sub/codec"}},
	} {
		s := twoVariants(dir, c.w)
		s.Source = c.source
		if _, err := Complete(s); err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		got := s.Workloads[0].Packages
		if s.Workloads[0].Package != "" {
			got = []string{s.Workloads[0].Package}
		}
		if s.Source.Dir != c.dir || !slices.Equal(got, c.places) {
			t.Errorf("%s: got %q in %q, want %q in %q", c.name, got, s.Source.Dir, c.places, c.dir)
		}
	}
}

// A complete study has the settings of its caller, is valid, and its text means the same.
func TestComplete(t *testing.T) {
	noSettings(t)
	t.Setenv("GOGC", "50")
	s := twoVariants(t.TempDir(), assay.Workload{Kind: assay.KindGoTest})
	s.Decide.Confidence = 1 - 0.05/3 // with more digits than a file has
	s.Hosts = []assay.Host{{Label: "here", Address: "local"}}
	text, err := Complete(s)
	if err != nil {
		t.Fatal(err)
	}
	back, err := spec.Parse("study.toml", text)
	if err != nil {
		t.Fatalf("%v in\n%s", err, text)
	}
	if s.Decide.Confidence != 0.983333333 || back.Decide.Confidence != 0.983333333 || back.Variants[1].Env["GOGC"] != "50" || len(s.Hosts) != 1 {
		t.Errorf("got %+v, and of the text\n%s", s, text)
	}
	if w := inherited(s); len(w) != 1 || !strings.HasSuffix(w[0].Text, ": GOGC=50") {
		t.Errorf("got %+v, want a remark on GOGC=50", w)
	}
	if w := inherited(twoVariants("", assay.Workload{})); w != nil {
		t.Errorf("got %+v where nothing is inherited", w)
	}
	s.Base = "neither"
	_, err = Complete(s)
	errortest.Want(t, err, assay.CodeStudy, assay.ExitUsage)
}

// The error of a build names what the study does not show; any other error stays as it is.
func TestWithCauses(t *testing.T) {
	s := &Session{Config: Config{Command: "assay compare a b", Study: &assay.Study{Inherited: []string{"GOFLAGS=-tags=x"}}},
		Builder: build.New(t.TempDir()), site: site{withheld: []string{"A_TOKEN"}}}
	failed := assay.NewError(assay.ExitBuild, assay.CodeBuildFailed, "it does not build", []string{"x.go:1: undefined: y"}, "")
	if got := s.withCauses(t.Context(), failed); got != error(failed) || len(failed.Facts) != 3 || !strings.HasSuffix(failed.Facts[1], "GOFLAGS=-tags=x") ||
		!strings.HasSuffix(failed.Facts[2], "A_TOKEN") {
		t.Errorf("got %v, want the settings and what was withheld", got)
	}
	usage := assay.UsageError(assay.CodeOutsideModule, "not in this module", "cd sub")
	if s.withCauses(t.Context(), usage); usage.Try != "cd sub && assay compare a b" || len(usage.Facts) > 0 {
		t.Errorf("got %v, want the line that works there", usage)
	}
	if plain := errors.New("gone"); s.withCauses(t.Context(), plain) != plain {
		t.Errorf("got %v, want the error itself", s.withCauses(t.Context(), plain))
	}
}
