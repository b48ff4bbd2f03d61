package lab_test

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/binary"
	"github.com/seed-1318a441/assay/internal/lab"
)

// beside is a builder of one package whose functions are the same in all variants. It has
// the content of the file x and the profile of each variant.
type beside map[string][2]string

func (beside) Locate(lab.Artifact) (lab.Location, error) { return lab.Location{}, nil }

func (beside) Decisions(context.Context, *assay.Study, assay.Variant, lab.Artifact, []string) ([]assay.Decision, error) {
	return nil, nil
}

func (b beside) Build(_ context.Context, r lab.BuildRequest) ([]lab.Artifact, error) {
	a := lab.Artifact{ID: r.Variant.Name, Package: "p", Folder: "codec", Print: &binary.Print{Funcs: map[string]binary.Hash{"main.run": 1}}}
	if x := b[r.Variant.Name]; x[0] != "unknown" {
		a.Reads, a.Unused = map[string]string{"testdata/x": x[0], "y": "same"}, lab.Profile{Name: x[1], SHA256: x[1]}
	}
	return []lab.Artifact{a}, nil
}

// The same functions are the same program only if they read the same.
func TestBeside(t *testing.T) {
	for _, c := range []struct {
		name   string
		files  beside
		force  bool
		same   string
		unlike string
	}{
		{"all the same", beside{}, false, "[{new old 1 false} {newer old 1 false}]", "[]"},
		{"a file differs", beside{"new": {"2"}}, false, "[{newer old 1 false}]", "[{new old [codec/testdata/x]}]"},
		{"as in an earlier variant", beside{"new": {"2"}, "newer": {"2"}}, false, "[{newer new 1 false}]", "[{new old [codec/testdata/x]}]"},
		{"measured anyway", beside{"new": {"2"}}, true, "[]", "[{new old [codec/testdata/x]}]"},
		{"unknown", beside{"old": {"unknown"}}, false, "[{new old 1 false} {newer old 1 false}]", "[]"},
	} {
		s := &assay.Study{Base: "old", Variants: []assay.Variant{{Name: "old"}, {Name: "new"}, {Name: "newer"}},
			Workloads: []assay.Workload{{Kind: assay.KindGoTest}}, Measure: assay.Measure{Force: c.force}}
		builds, err := lab.Build(t.Context(), c.files, s, silent)
		if err != nil {
			t.Fatal(err)
		}
		same, unlike := builds.Same(nil)
		if got := fmt.Sprint(same); got != c.same {
			t.Errorf("%s: got %s the same, want %s", c.name, got, c.same)
		}
		if got := fmt.Sprint(unlike); got != c.unlike {
			t.Errorf("%s: got %s unlike, want %s", c.name, got, c.unlike)
		}
		of := func(name string) assay.ArtifactInfo {
			infos := builds.Infos()
			return infos[slices.IndexFunc(infos, func(a assay.ArtifactInfo) bool { return a.Variant == name })]
		}
		if equal := c.files["new"] == c.files["old"]; (of("new").Reads == of("old").Reads) != equal {
			t.Errorf("%s: reads %q and %q", c.name, of("old").Reads, of("new").Reads)
		}
	}
}

func TestUnusedProfiles(t *testing.T) {
	s := &assay.Study{Base: "old", Variants: []assay.Variant{{Name: "old"}, {Name: "new"}, {Name: "same"}}, Workloads: []assay.Workload{{Kind: assay.KindGoTest}}}
	builds, err := lab.Build(t.Context(), beside{"new": {"", "default.pgo"}}, s, silent)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := fmt.Sprint(builds.UnusedProfiles()), "[{new { } {default.pgo default.pgo}}]"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
