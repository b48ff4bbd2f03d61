package build

import (
	"encoding/json"
	"errors"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/disk"
	"github.com/seed-1318a441/assay/internal/disk/disktest"
	"github.com/seed-1318a441/assay/internal/slow"
	"github.com/seed-1318a441/assay/internal/source/sourcetest"
)

// sent lays the files of a kit in a folder by their sums, as on another machine, and
// returns the kit that arrives there.
func sent(t testing.TB, k Kit) (Kit, KitPlace) {
	t.Helper()
	dir := t.TempDir()
	for _, f := range k.Files {
		data, err := os.ReadFile(f.Path)
		if err == nil && int64(len(data)) != f.Size {
			t.Errorf("%s has %d bytes, not %d", f.Path, len(data), f.Size)
		}
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, f.Sum), data, 0o555)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	text, err := json.Marshal(k)
	if err != nil {
		t.Fatal(err)
	}
	var got Kit
	if err := json.Unmarshal(text, &got); err != nil {
		t.Fatal(err)
	}
	return got, KitPlace{Dir: t.TempDir(), Blob: func(sum string) string {
		if file := filepath.Join(dir, sum); disk.IsFile(file) {
			return file
		}
		return ""
	}}
}

// What a kit makes in another folder, in an empty environment, is what Relink makes here.
func testKit(t *testing.T, b *Builder, r Request) {
	t.Helper()
	made, err := b.Kit(t.Context(), r)
	if err != nil {
		t.Fatal(err)
	}
	k, place := sent(t, made)
	for _, layout := range []struct {
		seed  uint64
		align int
	}{{1, 0}, {12345678901234567, 0}, {math.MaxInt64, 64}} {
		r.Layout, r.Align = layout.seed, layout.align
		here, there := filepath.Join(t.TempDir(), "x.test"), filepath.Join(t.TempDir(), "another name")
		if _, err := b.Relink(t.Context(), r, here); err != nil {
			if strings.Contains(err.Error(), "-funcalign") {
				continue
			}
			t.Fatal(err)
		}
		if err := k.Link(t.Context(), place, layout.seed, layout.align, there); err != nil {
			t.Fatal(err)
		}
		if sha256Of(t, here) != sha256Of(t, there) {
			t.Errorf("with layout %d, alignment %d the kit gives another file", layout.seed, layout.align)
		}
		if left, _ := filepath.Glob(there + ".*"); len(left) > 0 {
			t.Errorf("left over: %v", left)
		}
	}
	if left, _ := os.ReadDir(place.Dir); len(left) > 0 {
		t.Errorf("left over: %v", left)
	}
}

func TestKit(t *testing.T) {
	dir := withPrograms(t)
	b := New(t.TempDir())
	i386 := map[string]string{"GOARCH": "386"}
	for name, r := range map[string]Request{
		"test":        {Variant: assay.Variant{Name: "v"}, Package: "."},
		"program":     {Variant: assay.Variant{Name: "v", LDFlags: []string{"-X 'main.x=a b'", "-w"}}, Package: "./cmd/other", Program: true},
		"386":         {Variant: assay.Variant{Name: "v", Build: i386}, Package: "."},
		"experiment":  {Variant: assay.Variant{Name: "v", Experiment: []string{"nogreenteagc"}}, Package: "."},
		"another CPU": {Variant: assay.Variant{Name: "v", Build: map[string]string{"GOAMD64": "v3"}}, Package: "."},
	} {
		t.Run(name, func(t *testing.T) {
			r.Study = dir
			testKit(t, b, r)
		})
	}
}

// The same with other toolchains, a real program, and the standard library's cgo.
func TestSlowKit(t *testing.T) {
	slow.Test(t)
	dir := withPrograms(t)
	b := New(t.TempDir())
	requests := map[string]Request{"net": {Variant: assay.Variant{Name: "v"}, Package: "net/http/httptest"}}
	for _, v := range slow.Toolchains(t) {
		requests[v] = Request{Variant: assay.Variant{Name: "v", Go: v}, Package: "."}
	}
	for name, r := range requests {
		t.Run(name, func(t *testing.T) {
			r.Study = dir
			testKit(t, b, r)
		})
	}
	t.Run("real", func(t *testing.T) {
		real, pattern := realProgram(t)
		testKit(t, b, Request{Study: real, Variant: assay.Variant{Name: "v"}, Package: pattern, Program: true})
	})
}

// A linker built for another machine makes the same file as the toolchain's own. That of
// 386 runs on amd64.
func TestKitForeignLinker(t *testing.T) {
	if runtime.GOOS != "linux" || runtime.GOARCH != "amd64" {
		t.Skip("no other linker runs here")
	}
	dir, b := withPrograms(t), New(t.TempDir())
	own := Request{Study: dir, Variant: assay.Variant{Name: "v"}, Package: "."}
	made, err := b.Kit(t.Context(), own)
	if err != nil {
		t.Fatal(err)
	}
	foreign := own
	foreign.Linker = "linux/386"
	if testing.Short() {
		t.Skip("building a linker takes 10 s")
	}
	testKit(t, b, foreign)
	other, err := b.Kit(t.Context(), foreign)
	if err != nil {
		t.Fatal(err)
	}
	if other.Tool == made.Tool || other.Tool != other.Files[0].Sum || !slices.Equal(other.Args, made.Args) || other.Config != made.Config || !slices.Equal(other.Files[1:], made.Files[1:]) {
		t.Error("the kits differ in more than the linker")
	}
	foreign.Linker = "plan10/386"
	if _, err := b.Kit(t.Context(), foreign); !errors.Is(err, ErrNoKit) {
		t.Errorf("for a system that does not exist: %v", err)
	}
}

// A kit's linker starts no other program, and opens no file but the kit's and those of the
// kernel.
func TestKitOpensNothingElse(t *testing.T) {
	strace, err := exec.LookPath("strace")
	if err != nil {
		t.Skip("needs strace")
	}
	b := New(t.TempDir())
	made, err := b.Kit(t.Context(), Request{Study: sourcetest.Module(t), Variant: assay.Variant{Name: "v"}, Package: "."})
	if err != nil {
		t.Fatal(err)
	}
	k, place := sent(t, made)
	// The linker is run by strace.
	tool, blob, log := k.Tool, place.Blob, filepath.Join(t.TempDir(), "strace")
	script := filepath.Join(t.TempDir(), "link")
	disktest.Write(t, filepath.Dir(script), map[string]string{"link": "#!/bin/sh\nexec " + strace + " -f -qq -o " + log + " -e trace=execve,open,openat,openat2,connect,unlinkat " + blob(tool) + " \"$@\"\n"})
	if err := os.Chmod(script, 0o777); err != nil {
		t.Fatal(err)
	}
	place.Blob = func(sum string) string {
		if sum == tool {
			return script
		}
		return blob(sum)
	}
	out := filepath.Join(t.TempDir(), "x.test")
	if err := k.Link(t.Context(), place, 5, 0, out); err != nil {
		if strings.Contains(err.Error(), "ptrace") {
			t.Skip(err)
		}
		t.Fatal(err)
	}
	data, err := os.ReadFile(log)
	if err != nil {
		t.Fatal(err)
	}
	calls := 0
	for line := range strings.Lines(string(data)) {
		_, rest, ok := strings.Cut(line, `"`)
		file, _, ok2 := strings.Cut(rest, `"`)
		if !ok || !ok2 {
			continue
		}
		calls++
		own := file == out+".new" || file == out+".cfg" || disk.Within(file, filepath.Dir(blob(tool))) || disk.Within(file, "/proc") || disk.Within(file, "/sys")
		if !own || strings.Contains(line, "execve(") && file != blob(tool) {
			t.Errorf("it did %s", line)
		}
	}
	if calls < 20 {
		t.Errorf("only %d calls were seen:\n%s", calls, data)
	}
}

// A link that a C compiler takes part in has no kit, and Relink makes it nevertheless.
func TestNoKit(t *testing.T) {
	if _, err := exec.LookPath("gcc"); err != nil {
		t.Skip("needs a C compiler")
	}
	dir := sourcetest.Module(t)
	disktest.Write(t, dir, map[string]string{"c/c.go": "package c\n\n// int one(void) { return 1; }\nimport \"C\"\n\nfunc One() int { return int(C.one()) }\n",
		"c/c_test.go": "package c\n\nimport \"testing\"\n\nfunc BenchmarkOne(b *testing.B) { One() }\n"})
	b := New(t.TempDir())
	for name, r := range map[string]Request{
		"external": {Variant: assay.Variant{Name: "v", LDFlags: []string{"-linkmode=external"}}, Package: "."},
		"cgo":      {Variant: assay.Variant{Name: "v"}, Package: "./c"},
	} {
		r.Study = dir
		for range 2 { // the second time from the cache
			if _, err := b.Kit(t.Context(), r); !errors.Is(err, ErrNoKit) {
				t.Errorf("%s: %v", name, err)
			}
		}
		r.Layout = 5
		if _, err := b.Relink(t.Context(), r, filepath.Join(t.TempDir(), "x.test")); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A file that is not where a kit is linked is named; nothing is left of the link.
func TestKitIncomplete(t *testing.T) {
	b := New(t.TempDir())
	r := Request{Study: sourcetest.Module(t), Variant: assay.Variant{Name: "v"}, Package: "."}
	made, err := b.Kit(t.Context(), r)
	if err != nil {
		t.Fatal(err)
	}
	k, place := sent(t, made)
	lost := k.Files[len(k.Files)-1].Sum
	whole := place.Blob
	place.Blob = func(sum string) string {
		if sum == lost {
			return ""
		}
		return whole(sum)
	}
	out := filepath.Join(t.TempDir(), "x.test")
	if err := k.Link(t.Context(), place, 1, 0, out); err == nil || !strings.Contains(err.Error(), lost[:12]) {
		t.Errorf("got %v", err)
	}
	place.Blob = whole
	os.Chmod(whole(lost), 0o777)
	if err := os.WriteFile(whole(lost), []byte("damaged"), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := k.Link(t.Context(), place, 1, 0, out); err == nil {
		t.Error("a damaged archive was linked")
	}
	if left, _ := filepath.Glob(filepath.Join(filepath.Dir(out), "*")); len(left) > 0 {
		t.Errorf("left over: %v", left)
	}
	// What vanished where the kit was made is made again.
	if err := os.Remove(made.Files[1].Path); err != nil {
		t.Fatal(err)
	}
	again, err := b.Kit(t.Context(), r)
	if err != nil || !slices.Equal(again.Files, made.Files) {
		t.Errorf("after an archive vanished: %v, %d files, want %d", err, len(again.Files), len(made.Files))
	}
}
