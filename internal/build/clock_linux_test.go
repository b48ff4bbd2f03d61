package build

import (
	"encoding/binary"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/disk/disktest"
	"github.com/seed-1318a441/assay/internal/source/sourcetest"
	"github.com/seed-1318a441/assay/internal/toolchain"
)

// sleeping has a benchmark that tells when it has begun and then sleeps.
var sleeping = map[string]string{
	"go.mod": "module example.com/sleeping\n\ngo 1.23\n",
	"sleeping_test.go": `package sleeping

import (
	"os"
	"testing"
	"time"
)

func BenchmarkSleep(b *testing.B) {
	os.Stderr.WriteString("begun\n")
	time.Sleep(500 * time.Millisecond)
}
`,
}

// nsPerOp runs a test binary with a page of stops and returns what it reports; when the
// benchmark has begun, add is added to the page.
func nsPerOp(t *testing.T, a Artifact, add time.Duration) float64 {
	t.Helper()
	page, err := os.CreateTemp(t.TempDir(), "page")
	if err != nil {
		t.Fatal(err)
	}
	defer page.Close()
	stops := func(d time.Duration) {
		if _, err := page.WriteAt(binary.NativeEndian.AppendUint64(nil, uint64(d)), 0); err != nil {
			t.Fatal(err)
		}
	}
	if err := page.Truncate(int64(os.Getpagesize())); err != nil {
		t.Fatal(err)
	}
	stops(time.Hour) // before the start, which counts for nothing
	cmd := exec.Command(a.Path, "-test.run=^$", "-test.bench=.", "-test.benchtime=1x")
	cmd.Env, cmd.ExtraFiles = append(os.Environ(), "ASSAY_CLOCK_FD=3"), []*os.File{page}
	stderr, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	cmd.Stdout = &out
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	var begun [6]byte
	if _, err := stderr.Read(begun[:]); err != nil {
		t.Fatal(err)
	}
	stops(time.Hour + add)
	if err := cmd.Wait(); err != nil {
		t.Fatal(err)
	}
	m := regexp.MustCompile(`\s(-?[\d.]+) ns/op`).FindStringSubmatch(out.String())
	if m == nil {
		t.Fatalf("no result in %q", out.String())
	}
	ns, err := strconv.ParseFloat(m[1], 64)
	if err != nil {
		t.Fatal(err)
	}
	return ns
}

// What the page says was stopped is not in the time of a benchmark.
func TestClockLeavesStopsOut(t *testing.T) {
	dir := t.TempDir()
	disktest.Write(t, dir, sleeping)
	b := New(t.TempDir())
	plain := mustBuild(t, b, Request{Study: dir, Package: "."})
	a := mustBuild(t, b, Request{Study: dir, Package: ".", Clock: true})
	if a.ID == plain.ID {
		t.Error("a binary with the clock has the ID of one without")
	}
	if ns := nsPerOp(t, a, 0); ns < 5e8 {
		t.Errorf("half a second takes %g ns", ns)
	}
	if ns := nsPerOp(t, a, 1000*time.Hour); ns >= 0 {
		t.Errorf("a stop of 1,000 hours is in the time: %g ns", ns)
	}
	// So it is with a toolchain that was fetched, which lies in the module cache.
	fetched := mustBuild(t, b, Request{Study: dir, Package: ".", Clock: true, Variant: assay.Variant{Name: "fetched", Go: "go1.25.7"}})
	if ns := nsPerOp(t, fetched, 1000*time.Hour); !fetched.Clock || ns >= 0 {
		t.Errorf("%s: a stop of 1,000 hours is in the time: %g ns", fetched.GoVersion, ns)
	}
	// A fresh link has the clock too, and the linker's own command makes it.
	out := filepath.Join(t.TempDir(), "relinked.test")
	r, err := b.Relink(t.Context(), Request{Study: dir, Package: ".", Clock: true, Layout: 7}, out)
	if err != nil {
		t.Fatal(err)
	}
	if ns := nsPerOp(t, r, 1000*time.Hour); ns >= 0 {
		t.Errorf("relinked: a stop of 1,000 hours is in the time: %g ns", ns)
	}
}

// An overlay of the user's own stays in effect, also in a folder behind a link.
func TestClockBesideAnOverlay(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "linked")
	if err := os.Symlink(sourcetest.Module(t), dir); err != nil {
		t.Fatal(err)
	}
	disktest.Write(t, dir, map[string]string{
		"other.go":     "package tiny\n\nfunc Sum(n int) (s int) { panic(\"overlaid\") }\n",
		"overlay.json": `{"Replace": {"tiny.go": "` + filepath.Join(dir, "other.go") + `"}}`,
	})
	disktest.Write(t, dir, map[string]string{"overlay.json": `{"Replace": {"` + filepath.Join(dir, "tiny.go") + `": "` + filepath.Join(dir, "other.txt") + `"}}`})
	if err := os.Rename(filepath.Join(dir, "other.go"), filepath.Join(dir, "other.txt")); err != nil {
		t.Fatal(err)
	}
	cache := t.TempDir()
	a := mustBuild(t, New(cache), Request{Study: dir, Package: ".", Clock: true, BuildFlags: []string{"-overlay=overlay.json"}})
	out, err := exec.Command(a.Path, "-test.run=^$", "-test.bench=.", "-test.benchtime=1x").CombinedOutput()
	if err == nil || !strings.Contains(string(out), "overlaid") {
		files, _ := filepath.Glob(filepath.Join(cache, "clock", "*", "overlay.json"))
		var laid []byte
		if len(files) == 1 {
			laid, _ = os.ReadFile(files[0])
		}
		t.Errorf("the overlay is gone: %v\n%s\nbuilt in %s by %s with %q: %s", err, out, a.Dir, a.GoVersion, files, laid)
	}
}

// Every toolchain that is here has the clock that is replaced; a file without it is
// refused.
func TestWithoutClock(t *testing.T) {
	tc, err := New(t.TempDir()).ToolchainFor(t.Context(), t.TempDir(), assay.Source{}, assay.Variant{})
	if err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob(filepath.Join(toolchain.ModCache(), "golang.org", "toolchain@*", "src", filepath.FromSlash(clockFile)))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range append(files, filepath.Join(tc.GOROOT, "src", filepath.FromSlash(clockFile))) {
		source, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		changed, err := withoutClock(source)
		if err != nil {
			t.Errorf("%s: %v", file, err)
		}
		for _, declaration := range clockDeclarations {
			if n := strings.Count(string(changed)+clockSource, declaration); n != 1 {
				t.Errorf("%s: %d times %q", file, n, declaration)
			}
		}
	}
	if _, err := withoutClock([]byte("package testing\n\nimport \"time\"\n\nfunc highPrecisionTimeNow() time.Time { return time.Now() }\n")); err == nil {
		t.Error("a file with another clock is taken")
	}
}
