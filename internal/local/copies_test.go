package local

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/lab"
	"github.com/seed-1318a441/assay/internal/trial"
)

// writing is a package whose benchmark leaves a file in its folder each time, counts
// those that it finds, and needs a file of the folder above and one that git ignores.
var writing = map[string]string{
	"go.mod": "module example.com/writing\n\ngo 1.24\n", ".gitignore": "*.bin\n", "testdata/shared.txt": "shared",
	"w/w_test.go": `package w

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

func BenchmarkWrite(b *testing.B) {
	for _, name := range []string{"../testdata/shared.txt", "own.bin"} {
		if _, err := os.ReadFile(name); err != nil {
			b.Fatal(err)
		}
	}
	old, _ := filepath.Glob("left-*")
	if err := os.WriteFile(fmt.Sprintf("left-%d.txt", os.Getpid()), nil, 0o666); err != nil {
		b.Fatal(err)
	}
	dir, _ := os.Getwd()
	for range b.N {
	}
	b.ReportMetric(float64(len(old)), "found")
	b.ReportMetric(float64(len(dir)), "path-length")
}

func BenchmarkFar(b *testing.B) {
	if _, err := os.ReadFile("../far.bin"); err != nil {
		b.Fatal(err)
	}
}
`}

// runWriting runs a benchmark once for a variant, in a block or before the first.
func runWriting(t *testing.T, l *Machine, s *assay.Study, a lab.Artifact, variant, bench string, block int) (trial.Outcome, map[string]float64) {
	t.Helper()
	v := assay.Variant{Name: variant}
	out, err := l.Run(t.Context(), lab.RunRequest{Study: s, Artifact: a, Variant: v, Names: []string{bench}, N: 1, Block: block})
	if err != nil {
		t.Fatal(err)
	}
	return out, out.Observations(bench, 1)
}

// Each variant runs in a copy of its own, the control too; nothing is written to
// the user's folder or to the cache, and the survey leaves no trace.
func TestTrialsRunInCopies(t *testing.T) {
	dir := t.TempDir()
	for name, text := range writing {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	commitAll(t, dir, nil)
	for _, name := range []string{"w/own.bin", "far.bin"} {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	s := &assay.Study{Name: "writing", Dir: dir, Variants: []assay.Variant{{Name: "here"}, {Name: "again"}},
		Workloads: []assay.Workload{{Kind: assay.KindGoTest, Packages: []string{"./w"}}}}
	s.SetDefaults()
	shop, l := here(t)
	builds, err := lab.Build(t.Context(), shop, s, func(lab.Event) {})
	if err != nil {
		t.Fatal(err)
	}
	a := builds.Of("here")[0]
	if warned := l.Written(); warned != nil {
		t.Errorf("before the first trial: %v", warned)
	}
	lengths := map[float64]bool{}
	for _, x := range []struct {
		variant string
		block   int
		found   float64 // files of earlier trials
	}{{"here", 0, 0}, {"here", 0, 1}, {"again", 0, 0}, {"here", 1, 0}, {"control", 1, 0}, {"again", 1, 0}, {"here", 2, 1}, {"control", 2, 1}} {
		out, o := runWriting(t, l, s, a, x.variant, "Write", x.block)
		if out.Status != assay.StatusOK || o["found"] != x.found {
			t.Errorf("%s, block %d: %s %s, found %v files, want %v", x.variant, x.block, out.Status, out.Reason, o["found"], x.found)
		}
		lengths[o["path-length"]] = true
	}
	if len(lengths) != 1 {
		t.Errorf("the copies' paths have lengths %v, want one", lengths)
	}
	if out, _ := runWriting(t, l, s, a, "here", "Far", 2); out.Status == assay.StatusOK || !strings.Contains(out.Reason, "without far.bin)") {
		t.Errorf("a file that git ignores, elsewhere: %s %s", out.Status, out.Reason)
	}
	for _, place := range []string{dir, l.cache.Dir} {
		if left, _ := filepath.Glob(filepath.Join(place, "w", "left-*")); len(left) > 0 {
			t.Errorf("written: %v", left)
		}
	}
	w := l.Written()
	if len(w) != 1 || w[0].Code != "writes-files" || strings.Count(w[0].Text, "w/left-") != maxWritten || !strings.Contains(w[0].Text, "more") {
		t.Errorf("warned %v", w)
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(l.links); !os.IsNotExist(err) {
		t.Errorf("the copies are still there: %v", err)
	}
}

// The profile that a build is guided by is collected in a copy as well.
func TestProfileRunsInCopy(t *testing.T) {
	dir := t.TempDir()
	for name, text := range writing {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "w/own.bin"), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	before, err := filepath.Glob(filepath.Join(dir, "w", "*"))
	if err != nil {
		t.Fatal(err)
	}
	s := &assay.Study{Name: "writing", Dir: dir, Variants: []assay.Variant{{Name: "here"}, {Name: "pgo", PGO: "auto"}},
		Workloads: []assay.Workload{{Kind: assay.KindGoTest, Packages: []string{"./w"}, Bench: "Write"}}}
	s.SetDefaults()
	w, l := here(t)
	_, err = w.ownProfile(t.Context(), lab.BuildRequest{Study: s, Variant: s.Variants[1]})
	if len(l.copies.made) == 0 { // whether there are samples in it is not the question
		t.Errorf("no copy was made: %v", err)
	}
	if after, _ := filepath.Glob(filepath.Join(dir, "w", "*")); !slices.Equal(before, after) {
		t.Errorf("written: %v", after)
	}
}
