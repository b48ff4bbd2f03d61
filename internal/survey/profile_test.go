package survey

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/disk"
	"github.com/seed-1318a441/assay/internal/disk/disktest"
	"github.com/seed-1318a441/assay/internal/lab"
)

// Variants of which the same is to be said share a warning; a good profile has
// none.
func TestProfileWarnings(t *testing.T) {
	other := &assay.ProfileInfo{Path: "x.pprof", Samples: 900, Match: 0.01}
	short := &assay.ProfileInfo{Path: assay.PGOAuto, Samples: 33, Match: 1}
	got := profileWarnings([]assay.ArtifactInfo{{Variant: "plain"}, {Variant: "a", Profile: short}, {Variant: "b", Profile: other},
		{Variant: "c", Profile: short}, {Variant: "good", Profile: &assay.ProfileInfo{Path: assay.PGOAuto, Samples: 900, Match: 0.9}}})
	var texts []string
	for _, w := range got {
		texts = append(texts, w.Text)
	}
	want := "2 variants: the profile collected on the base has 33 samples only; variant \"b\": the profile x.pprof is of other code"
	if s := strings.Join(texts, "; "); s != want {
		t.Errorf("got %s\nwant %s", s, want)
	}
}

// A default.pgo that go build would use is named, with the line that measures it.
func TestUnusedProfiles(t *testing.T) {
	dir := t.TempDir()
	disktest.Write(t, dir, map[string]string{"cmd/app/default.pgo": "profile"})
	digest, err := disk.Digest(filepath.Join(dir, "cmd", "app", "default.pgo"))
	if err != nil {
		t.Fatal(err)
	}
	const line = "assay compare --budget=10s v1 . -- ./cmd/app"
	here, other := lab.Profile{Name: "cmd/app/default.pgo", SHA256: digest}, lab.Profile{Name: "cmd/app/default.pgo", SHA256: "x"}
	for _, c := range []struct {
		name    string
		change  lab.ProfileChange
		command string
		text    string
		try     string
	}{
		{"new", lab.ProfileChange{Variant: ".", Of: here}, line, "cmd/app/default.pgo is new in your tree: go build would use it, assay does not",
			"assay compare --budget=10s v1 '. -pgo=cmd/app/default.pgo' -- ./cmd/app"},
		{"new, and not in the tree", lab.ProfileChange{Variant: ".", Of: other}, line, "cmd/app/default.pgo is new in your tree: go build would use it, assay does not",
			"assay compare --budget=10s v1 . -- -pgo=auto ./cmd/app"},
		{"another", lab.ProfileChange{Variant: "v2", Base: other, Of: here}, line, `cmd/app/default.pgo differs in "v2": go build would use it, assay does not`,
			"assay compare --budget=10s v1 . -- -pgo=auto ./cmd/app"},
		{"removed", lab.ProfileChange{Variant: ".", Base: here}, line, "cmd/app/default.pgo is missing in your tree: go build would use it, assay does not",
			"assay compare --budget=10s v1 . -- -pgo=auto ./cmd/app"},
		{"of a study", lab.ProfileChange{Variant: "tip", Of: here}, "assay run study.toml", `cmd/app/default.pgo is new in "tip": go build would use it, assay does not`, ""},
	} {
		got := unusedProfiles(&assay.Study{Dir: dir}, []lab.ProfileChange{c.change}, c.command)
		if len(got) != 1 || got[0].Text != c.text || got[0].Try != c.try || (c.try == "") != (got[0].Advice != "") {
			t.Errorf("%s: got %q, try %q", c.name, got, got[0].Try)
		}
	}
}
