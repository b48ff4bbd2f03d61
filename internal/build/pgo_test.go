package build

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/pprof/profile"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/disk/disktest"
	"github.com/seed-1318a441/assay/internal/errortest"
)

// encoded is a profile of one sample, or none, whose values are of a type.
func encoded(t *testing.T, typ, unit string, samples int) string {
	t.Helper()
	f := &profile.Function{ID: 1, Name: "main.main", StartLine: 1}
	l := &profile.Location{ID: 1, Line: []profile.Line{{Function: f, Line: 2}}}
	p := &profile.Profile{SampleType: []*profile.ValueType{{Type: typ, Unit: unit}}, Function: []*profile.Function{f}, Location: []*profile.Location{l}}
	for range samples {
		p.Sample = append(p.Sample, &profile.Sample{Location: []*profile.Location{l}, Value: []int64{1}})
	}
	var buf bytes.Buffer
	if err := p.Write(&buf); err != nil {
		t.Fatal(err)
	}
	return buf.String()
}

// A profile that the compiler could not use stops the build before it starts.
func TestNoProfile(t *testing.T) {
	dir := withPrograms(t)
	disktest.Write(t, dir, map[string]string{"text": "not a profile\n", "empty": "", "torn": encoded(t, "cpu", "nanoseconds", 1)[:40],
		"heap": encoded(t, "alloc_space", "bytes", 1), "nothing": encoded(t, "cpu", "nanoseconds", 0), "folder/x": "", "good": encoded(t, "samples", "count", 1)})
	b := New(t.TempDir())
	for file, want := range map[string]string{
		"missing": "missing does not exist", "auto": "auto does not exist", "text": "text is no pprof profile: ", "empty": "empty is no pprof profile: ",
		"torn": "torn is no pprof profile: ", "heap": "heap is no CPU profile: its samples are alloc_space/bytes", "nothing": "nothing is a profile without samples",
		"folder": "folder cannot be read: ",
	} {
		for name, r := range map[string]Request{
			"program":     {Variant: assay.Variant{Name: "v", PGO: file}, Package: "./cmd/other", Program: true},
			"test binary": {Variant: assay.Variant{Name: "v", PGO: file}, Package: "."},
			"build flags": {Variant: assay.Variant{Name: "v"}, Package: ".", BuildFlags: []string{"-pgo=./" + file}},
		} {
			if file == "auto" && r.Variant.PGO == "" {
				continue // as go build has it
			}
			r.Study = dir
			_, err := b.Binary(t.Context(), r)
			text := errortest.Want(t, err, "no-profile", assay.ExitUsage)
			if !strings.Contains(text, `variant "v": profile `) || !strings.Contains(text, want) {
				t.Errorf("%s, %s: got %s, want %s", file, name, text, want)
			}
		}
	}
	if entries, _ := filepath.Glob(filepath.Join(b.Cache.Dir, "artifact", "*")); len(entries) > 0 {
		t.Errorf("built all the same: %v", entries)
	}
	r := Request{Study: dir, Variant: assay.Variant{Name: "v", PGO: "good"}, Package: "./cmd/other", Program: true}
	mustBuild(t, b, r)
}
