package lab_test

import (
	"context"
	"strings"
	"testing"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/errortest"
	"github.com/seed-1318a441/assay/internal/lab"
)

// packages is a builder of three packages. Its key is a variant and a package that does not
// build in it.
type packages map[string]bool

func (p packages) Locate(lab.Artifact) (lab.Location, error) { return lab.Location{}, nil }

func (p packages) Decisions(context.Context, *assay.Study, assay.Variant, lab.Artifact, []string) ([]assay.Decision, error) {
	return nil, nil
}

func (p packages) Build(_ context.Context, r lab.BuildRequest) (out []lab.Artifact, err error) {
	for _, pkg := range []string{"a", "b", "c"} {
		a := lab.Artifact{ID: r.Variant.Name + pkg, Package: pkg}
		if p[r.Variant.Name+" "+pkg] {
			a.Fault = assay.NewError(assay.ExitBuild, assay.CodeBuildFailed, "build of "+pkg+" failed", []string{pkg + ".go:1: no " + pkg, "log: somewhere"}, "")
		}
		out = append(out, a)
	}
	return out, nil
}

// A package that does not build is excluded for all variants, and named with what the
// compiler says; the others are measured. With steps it makes a gap.
func TestUnbuilt(t *testing.T) {
	study := func() *assay.Study {
		return &assay.Study{Base: "old", Variants: []assay.Variant{{Name: "old"}, {Name: "new"}}, Workloads: []assay.Workload{{Kind: assay.KindGoTest}}}
	}
	for _, c := range []struct {
		broken   packages
		kept     string
		warnings []string // of each the beginning
	}{
		{packages{}, "a b c", nil},
		{packages{"old b": true, "new b": true}, "a c", []string{"1 package does not build, and is excluded: b   [not-built]\n  b.go:1: no b"}},
		{packages{"new a": true, "new c": true}, "b", []string{"2 packages do not build in some variants, and are excluded for all: a, c   [build-failed]\n  new: a.go:1: no a\n  new: c.go:1: no c"}},
		{packages{"old a": true, "new a": true, "new b": true}, "c", []string{"1 package does not build in some variants, and is excluded for all: b   [build-failed]",
			"1 package does not build, and is excluded: a   [not-built]"}},
	} {
		builds, err := lab.Build(t.Context(), c.broken, study(), silent)
		if err != nil {
			t.Fatal(err)
		}
		for _, v := range []string{"old", "new"} {
			var kept []string
			for _, a := range builds.Of(v) {
				kept = append(kept, a.Package)
			}
			if got := strings.Join(kept, " "); got != c.kept {
				t.Errorf("%v: %s keeps %q, want %q", c.broken, v, got, c.kept)
			}
		}
		got := builds.Unbuilt()
		if len(got) != len(c.warnings) {
			t.Errorf("%v: got warnings %q, want %q", c.broken, got, c.warnings)
			continue
		}
		for i, w := range got {
			if !strings.HasPrefix(w.String(), c.warnings[i]) {
				t.Errorf("%v: got warning %q, want %q", c.broken, w, c.warnings[i])
			}
		}
	}

	all := packages{"new a": true, "new b": true, "new c": true}
	_, err := lab.Build(t.Context(), all, study(), silent)
	errortest.Want(t, err, assay.CodeBuildFailed, assay.ExitBuild)
	_, err = lab.Build(t.Context(), packages{"old a": true, "new b": true, "new c": true}, study(), silent)
	errortest.Want(t, err, assay.CodeBuildFailed, assay.ExitBuild) // nothing is left that both have

	steps := study()
	steps.Steps = &assay.Steps{}
	steps.Variants = append(steps.Variants, assay.Variant{Name: "newer"})
	builds, err := lab.Build(t.Context(), packages{"new b": true}, steps, silent)
	if err != nil || len(builds.Gaps()) != 1 || len(builds.Of("newer")) != 3 {
		t.Errorf("with steps: %v, gaps %v", err, builds.Gaps())
	}
	steps.Source.Suite = "rev:HEAD"
	builds, err = lab.Build(t.Context(), packages{"new b": true}, steps, silent)
	if err != nil || len(builds.Gaps()) != 0 || len(builds.Of("newer")) != 3 || len(builds.Of("new")) != 2 {
		t.Errorf("with a suite: %v, gaps %v", err, builds.Gaps())
	}
}
