package build

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
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
	"github.com/seed-1318a441/assay/internal/remote/blob"
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

// A kitLayout is what a link is asked for.
type kitLayout struct {
	seed  uint64
	align int
}

// kitLayouts are all kinds of them. Requests differ in what the linker gets besides: one
// kind is enough for most.
var kitLayouts = []kitLayout{{math.MaxInt64, 64}, {1, 0}, {12345678901234567, 0}}

// What a kit makes in another folder, in an empty environment, is what Relink makes here.
func testKit(t *testing.T, b *Builder, r Request, layouts ...kitLayout) {
	t.Helper()
	made, err := b.Kit(t.Context(), r)
	if err != nil {
		t.Fatal(err)
	}
	k, place := sent(t, made)
	linked := 0
	for _, layout := range layouts {
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
		linked++
		if left, _ := filepath.Glob(there + ".*"); len(left) > 0 {
			t.Errorf("left over: %v", left)
		}
	}
	if linked == 0 {
		t.Error("no link was compared")
	}
	if left, _ := os.ReadDir(place.Dir); len(left) > 0 {
		t.Errorf("left over: %v", left)
	}
}

func TestKit(t *testing.T) {
	t.Parallel()
	dir := withPrograms(t)
	b := New(t.TempDir())
	testKits(t, b, dir, kitLayouts, map[string]Request{"test": {Variant: assay.Variant{Name: "v"}, Package: "."}})
	testKits(t, b, dir, kitLayouts[:1], map[string]Request{
		"program": {Variant: assay.Variant{Name: "v", LDFlags: []string{"-X 'main.x=a b'", "-w"}}, Package: "./cmd/other", Program: true},
		"386":     {Variant: assay.Variant{Name: "v", Build: map[string]string{"GOARCH": "386"}}, Package: "."},
	})
}

func testKits(t *testing.T, b *Builder, dir string, layouts []kitLayout, requests map[string]Request) {
	for name, r := range requests {
		t.Run(name, func(t *testing.T) {
			r.Study = dir
			testKit(t, b, r, layouts...)
		})
	}
}

// The same with other standard libraries, other toolchains, a real program, and the
// standard library's cgo. Older linkers have no alignment.
func TestSlowKit(t *testing.T) {
	slow.Test(t)
	b := New(t.TempDir())
	requests := map[string]Request{
		"net":         {Variant: assay.Variant{Name: "v"}, Package: "net/http/httptest"},
		"experiment":  {Variant: assay.Variant{Name: "v", Experiment: []string{"nogreenteagc"}}, Package: "."},
		"another CPU": {Variant: assay.Variant{Name: "v", Build: map[string]string{"GOAMD64": "v3"}}, Package: "."},
		"stripped":    {Variant: assay.Variant{Name: "v", LDFlags: []string{"-s -w -B 0x1234567890"}}, Package: "."},
	}
	for _, v := range slow.Toolchains(t) {
		requests[v] = Request{Variant: assay.Variant{Name: "v", Go: v}, Package: "."}
	}
	testKits(t, b, withPrograms(t), kitLayouts[:2], requests)
	real, pattern := realProgram(t)
	testKits(t, b, real, kitLayouts[:1], map[string]Request{"real": {Variant: assay.Variant{Name: "v"}, Package: pattern, Program: true}})
}

// A linker built for another machine makes the same file as the toolchain's own. That of
// 386 runs on amd64.
func TestKitForeignLinker(t *testing.T) {
	t.Parallel()
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
	testKit(t, b, foreign, kitLayouts[0])
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

// A linker for arm64, emulated, makes the same file as this computer's: for arm64, and for
// this computer.
func TestSlowKitEmulated(t *testing.T) {
	slow.Test(t)
	qemu, err := exec.LookPath("qemu-aarch64-static")
	if err != nil || runtime.GOOS != "linux" || runtime.GOARCH == "arm64" {
		t.Skip("needs qemu-aarch64-static, and another processor")
	}
	dir, b := withPrograms(t), New(t.TempDir())
	for _, target := range []string{"arm64", runtime.GOARCH} {
		r := Request{Study: dir, Variant: assay.Variant{Name: "v", Build: map[string]string{"GOARCH": target}}, Package: ".", Linker: "linux/arm64"}
		made, err := b.Kit(t.Context(), r)
		if err != nil {
			t.Fatal(err)
		}
		k, place := sent(t, made)
		blob := runBy(t, &place, k, qemu)
		if out, err := exec.Command(blob(k.Tool), "-V").CombinedOutput(); err == nil {
			t.Errorf("the linker runs here: %s", out)
		}
		r.Layout = 5
		here, there := filepath.Join(t.TempDir(), "here"), filepath.Join(t.TempDir(), "there")
		if _, err := b.Relink(t.Context(), r, here); err != nil {
			t.Fatal(err)
		}
		if err := k.Link(t.Context(), place, 5, 0, there); err != nil {
			t.Fatal(err)
		}
		if sha256Of(t, here) != sha256Of(t, there) {
			t.Errorf("for %s it gives another file", target)
		}
	}
}

// runBy has a kit's linker run by another program, and returns where its files are.
func runBy(t *testing.T, place *KitPlace, k Kit, program ...string) func(sum string) string {
	t.Helper()
	blob, script := place.Blob, filepath.Join(t.TempDir(), "link")
	disktest.Write(t, filepath.Dir(script), map[string]string{"link": "#!/bin/sh\nexec " + strings.Join(program, " ") + " " + blob(k.Tool) + " \"$@\"\n"})
	if err := os.Chmod(script, 0o777); err != nil {
		t.Fatal(err)
	}
	place.Blob = func(sum string) string {
		if sum == k.Tool {
			return script
		}
		return blob(sum)
	}
	return blob
}

// A kit's linker starts no other program, and opens no file but the kit's and those of the
// kernel.
func TestKitOpensNothingElse(t *testing.T) {
	t.Parallel()
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
	log := filepath.Join(t.TempDir(), "strace")
	blob := runBy(t, &place, k, strace, "-f", "-qq", "-o", log, "-e", "trace=execve,open,openat,openat2,connect,unlinkat")
	tool := blob(k.Tool)
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
		own := file == out+".new" || file == out+".cfg" || disk.Within(file, filepath.Dir(tool)) || disk.Within(file, "/proc") || disk.Within(file, "/sys")
		if !own || strings.Contains(line, "execve(") && file != tool {
			t.Errorf("it did %s", line)
		}
	}
	if calls < 20 {
		t.Errorf("only %d calls were seen:\n%s", calls, data)
	}
}

// A link that a C compiler takes part in has no kit, and Relink makes it nevertheless.
func TestNoKit(t *testing.T) {
	t.Parallel()
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
	t.Parallel()
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

// A second variant of a toolchain sends little that is new: its own packages. What arrives
// in a store links as it does here, the binary itself too.
func TestKitTravels(t *testing.T) {
	t.Parallel()
	one, other := sourcetest.Module(t), sourcetest.Module(t)
	disktest.Write(t, other, map[string]string{"tiny.go": strings.Replace(sourcetest.Tiny["tiny.go"], "s += i", "s += 2 * i", 1)})
	b := New(t.TempDir())
	store, err := blob.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for i, c := range []struct {
		what string
		most int64
		r    Request
	}{
		{"the first", 30 << 20, Request{Study: one, Package: "."}},
		{"an edit", 1 << 20, Request{Study: other, Package: "."}},
		{"a flag of the compiler", 1 << 20, Request{Study: one, Variant: assay.Variant{GCFlags: []string{"-l"}}, Package: "."}},
		{"a flag of the linker", 1 << 20, Request{Study: one, Variant: assay.Variant{LDFlags: []string{"-w"}}, Package: "."}},
		{"another module", 1 << 20, Request{Study: withPrograms(t), Package: "."}},
	} {
		c.r.Variant.Name = "v"
		k, err := b.Kit(t.Context(), c.r)
		if err != nil {
			t.Fatal(err)
		}
		text, err := json.Marshal(k)
		if err != nil {
			t.Fatal(err)
		}
		sent, files, plain := int64(compressed(t, bytes.NewReader(text)).Len()), 0, int64(0)
		for _, f := range k.Files {
			if store.Has(f.Sum, f.Size) {
				continue
			}
			in, err := os.Open(f.Path)
			if err != nil {
				t.Fatal(err)
			}
			data := compressed(t, in)
			in.Close()
			sent, files, plain = sent+int64(data.Len()), files+1, plain+f.Size
			if err := store.Put(f.Sum, f.Size, data); err != nil {
				t.Fatal(err)
			}
		}
		t.Logf("%s: %d of %d files are new, %.2f MB; %.3f MB travel", c.what, files, len(k.Files), float64(plain)/1e6, float64(sent)/1e6)
		if sent > c.most {
			t.Errorf("%s: %d bytes travel, more than %d", c.what, sent, c.most)
		}
		if i > 0 && files > 3 { // the package, its test, the test's main package
			t.Errorf("%s: %d files are new", c.what, files)
		}
		c.r.Layout = 3
		here, there := filepath.Join(t.TempDir(), "here"), filepath.Join(t.TempDir(), "there")
		if _, err := b.Relink(t.Context(), c.r, here); err != nil {
			t.Fatal(err)
		}
		place := KitPlace{Blob: store.Path, Dir: t.TempDir()}
		if err := k.Link(t.Context(), place, c.r.Layout, 0, there); err != nil {
			t.Fatal(err)
		}
		if sha256Of(t, here) != sha256Of(t, there) {
			t.Errorf("%s: a link from the store is another file", c.what)
		}
	}
}

func compressed(t *testing.T, r io.Reader) *bytes.Buffer {
	t.Helper()
	var b bytes.Buffer
	if _, err := blob.Compress(&b, r); err != nil {
		t.Fatal(err)
	}
	return &b
}
