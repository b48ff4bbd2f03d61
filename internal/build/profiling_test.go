package build

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/google/pprof/profile"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/binary"
	"github.com/seed-1318a441/assay/internal/disk"
	"github.com/seed-1318a441/assay/internal/disk/disktest"
	"github.com/seed-1318a441/assay/internal/errortest"
	"github.com/seed-1318a441/assay/internal/slow"
	"github.com/seed-1318a441/assay/internal/source/sourcetest"
)

// burner works for 0.4 s in hot, on a busy machine for as long as it takes to come to
// samples; hot is too large to be inlined without a profile, and works long enough that
// few of 30 samples are in its caller. It ends as its argument says.
const burner = `package main

import (
	"os"
	"time"
)

var sink int

func hot(x, y int) int {
	for i := 0; i < 20; i++ {
		x ^= x << 13
		x ^= x >> 7
		x ^= x << 17
		if x&7 == y&7 {
			y += x >> 3
		}
		if x&15 == y&15 {
			y -= x >> 4
		}
		if x&31 == y&31 {
			y ^= x >> 5
		}
		if x&63 == y&63 {
			y ^= x << 6
		}
	}
	return x + y
}

func burn() {
	end := time.Now().Add(400 * time.Millisecond)
	for n := 0; n < 40 || time.Now().Before(end); n++ {
		for i := 0; i < 100000; i++ {
			sink += hot(i, sink)
		}
	}
}

func main() {
	burn()
	switch {
	case len(os.Args) < 2:
	case os.Args[1] == "exit":
		os.Exit(7)
	case os.Args[1] == "goroutine":
		go os.Exit(0)
		select {}
	}
}
`

// profiled runs a program that profiles itself and returns its CPU profile.
func profiled(t *testing.T, program string, status int, args ...string) *profile.Profile {
	t.Helper()
	return profiledBy(t, ProfileVariable, program, status, args...)
}

// profiledBy returns the profile that a variable asks for.
func profiledBy(t *testing.T, variable, program string, status int, args ...string) *profile.Profile {
	t.Helper()
	file := filepath.Join(t.TempDir(), "profile")
	cmd := exec.Command(program, args...)
	cmd.Env = append(os.Environ(), variable+"="+file)
	out, err := cmd.CombinedOutput()
	if e := (*exec.ExitError)(nil); err != nil && !errors.As(err, &e) {
		t.Fatal(err)
	}
	if got := cmd.ProcessState.ExitCode(); got != status || len(out) > 0 {
		t.Errorf("%v: exit status %d, want %d; it printed %q", args, got, status, out)
	}
	files, err := Profiles(file)
	if err != nil || len(files) != 1 {
		t.Fatalf("%v: profiles %v, %v", args, files, err)
	}
	data, err := os.ReadFile(files[0])
	if err != nil {
		t.Fatal(err)
	}
	p, err := profile.ParseData(data)
	if err != nil {
		t.Fatalf("%v: %v", args, err)
	}
	return p
}

// share is the part of the samples whose innermost function has the name. On a
// busy machine the run time interrupts it often; that is not another function.
func share(p *profile.Profile, name string) float64 {
	var in, all float64
	for _, s := range p.Sample {
		at := slices.IndexFunc(s.Location, func(l *profile.Location) bool {
			return l.Line[0].Function.Name != "runtime.asyncPreempt"
		})
		if at < 0 {
			continue
		}
		all += float64(s.Value[0])
		if s.Location[at].Line[0].Function.Name == name {
			in += float64(s.Value[0])
		}
	}
	return in / all
}

// The profile covers the run to its end, however the program ends.
func TestProfiledProgram(t *testing.T) { testProfiledProgram(t, false, "") }

// So it does with other toolchains, and a build with it is another program, for which
// the standard library is compiled with the profile.
func TestSlowProfiledProgram(t *testing.T) {
	slow.Test(t)
	others := slices.DeleteFunc(slow.Toolchains(t), func(v string) bool { return v == runtime.Version() })
	testProfiledProgram(t, true, append(others, "")...)
}

func testProfiledProgram(t *testing.T, guide bool, toolchains ...string) {
	dir, b := sourcetest.Module(t), New(t.TempDir())
	disktest.Write(t, dir, map[string]string{"cmd/burn/main.go": burner})
	for _, v := range toolchains {
		r := Request{Study: dir, Variant: assay.Variant{Name: "v", Go: v, LDFlags: []string{"-w"}}, Package: "./cmd/burn", Program: true}
		plain := mustBuild(t, b, r)
		a, err := b.ProfiledProgram(t.Context(), r)
		if err != nil {
			t.Fatal(err)
		}
		if a.ID == plain.ID || a.Cached || filepath.Base(a.Path) != filepath.Base(plain.Path) {
			t.Errorf("got %+v beside %+v", a, plain)
		}
		if again, err := New(b.Cache.Dir).ProfiledProgram(t.Context(), r); err != nil || again.ID != a.ID || !again.Cached {
			t.Errorf("second build: %+v, %v", again, err)
		}
		p := profiled(t, a.Path, 7, "exit")
		if got := share(p, "main.hot"); got < 0.7 || p.DurationNanos < 350e6 {
			t.Errorf("%s: %.0f %% of the samples are in hot, of %d ms\n%s", v, 100*got, p.DurationNanos/1e6, p)
		}
		if guide {
			guided(t, b, r, plain, p)
		}
	}
	a, err := b.ProfiledProgram(t.Context(), Request{Study: dir, Variant: assay.Variant{Name: "v", LDFlags: []string{"-w"}}, Package: "./cmd/burn"})
	if err != nil || !a.Cached {
		t.Fatal(err)
	}
	for _, arg := range []string{"", "goroutine"} {
		if p := profiled(t, a.Path, 0, strings.Fields(arg)...); share(p, "main.hot") < 0.7 || p.DurationNanos < 350e6 {
			t.Errorf("%q: %s", arg, p)
		}
	}
	if out, err := exec.Command(a.Path).CombinedOutput(); err != nil || len(out) > 0 {
		t.Errorf("without the variable: %v, %q", err, out)
	}
}

// allocator allocates 1000 objects of 64 bytes and ends as its argument says.
const allocator = `package main

import "os"

var sink *[64]byte

func allocate() {
	sink = new([64]byte)
}

func main() {
	for i := 0; i < 1000; i++ {
		allocate()
	}
	if len(os.Args) > 1 {
		os.Exit(7)
	}
}
`

// A memory profile counts every object, also of a program that ends by os.Exit;
// there is none where both profiles are asked for.
func TestProfiledMemory(t *testing.T) { testProfiledMemory(t, "") }

func TestSlowProfiledMemory(t *testing.T) {
	slow.Test(t)
	testProfiledMemory(t, slow.Toolchains(t)...)
}

func testProfiledMemory(t *testing.T, toolchains ...string) {
	dir, b := sourcetest.Module(t), New(t.TempDir())
	disktest.Write(t, dir, map[string]string{"cmd/allocator/main.go": allocator})
	var program string
	for _, v := range toolchains {
		a, err := b.ProfiledProgram(t.Context(), Request{Study: dir, Variant: assay.Variant{Name: "v", Go: v, GCFlags: []string{"-l"}}, Package: "./cmd/allocator"})
		if err != nil {
			t.Fatal(err)
		}
		program = a.Path
		for status, args := range map[int][]string{0: nil, 7: {"exit"}} {
			p := profiledBy(t, MemProfileVariable, program, status, args...)
			if objects, bytes := allocated(p, "main.allocate"); objects != 1000 || bytes != 64000 {
				t.Errorf("%s: status %d: got %d objects of %d bytes, want 1000 of 64000: %s", v, status, objects, bytes, p)
			}
		}
	}
	file := filepath.Join(t.TempDir(), "both")
	cmd := exec.Command(program)
	cmd.Env = append(os.Environ(), ProfileVariable+"="+file, MemProfileVariable+"="+file)
	if out, err := cmd.CombinedOutput(); err != nil || len(out) > 0 {
		t.Errorf("with both variables: %v, %q", err, out)
	}
	if files, err := Profiles(file); err != nil || len(files) > 0 {
		t.Errorf("with both variables: %v, %v", files, err)
	}
}

// allocated sums up what a function allocates itself.
func allocated(p *profile.Profile, function string) (objects, bytes int64) {
	for _, s := range p.Sample {
		if s.Location[0].Line[0].Function.Name == function {
			objects, bytes = objects+s.Value[0], bytes+s.Value[1]
		}
	}
	return objects, bytes
}

// guided builds with a profile and checks that a hot function is inlined.
func guided(t *testing.T, b *Builder, r Request, plain Artifact, p *profile.Profile) {
	t.Helper()
	r.Variant.PGO = filepath.Join(t.TempDir(), "cpu.pprof")
	f, err := os.Create(r.Variant.PGO)
	if err == nil {
		err = errors.Join(p.Write(f), f.Close())
	}
	if err != nil {
		t.Fatal(err)
	}
	with := mustBuild(t, b, r)
	before, err := binary.Fingerprint(plain.Path)
	if err != nil {
		t.Fatal(err)
	}
	after, err := binary.Fingerprint(with.Path)
	if err != nil {
		t.Fatal(err)
	}
	// Which of them is inlined into which differs between releases.
	if d := binary.Compare(before, after); !slices.Contains(d.OnlyA, "main.hot") && !slices.Contains(d.OnlyA, "main.burn") {
		t.Errorf("%s: nothing is inlined with the profile: %+v", r.Variant.Go, d)
	}
}

// A load runs only if a process takes its profile, and ProfileLoad waits for what it writes.
func TestProfileLoad(t *testing.T) {
	file := filepath.Join(t.TempDir(), "profile")
	ended, end := context.WithCancel(t.Context())
	end()
	if err := ProfileLoad(ended, file, func() { t.Error("the load ran") }); err == nil || !strings.Contains(err.Error(), "no process of the server began a profile") {
		t.Errorf("without a process: %v", err)
	}
	begun, written := file+"-7", file+".7"
	if err := os.WriteFile(begun, []byte("samples"), 0o666); err != nil {
		t.Fatal(err)
	}
	ran := false
	err := ProfileLoad(t.Context(), file, func() {
		ran = disk.IsFile(file + loadMark)
		go func() {
			for disk.IsFile(file + loadMark) {
				runtime.Gosched()
			}
			os.Rename(begun, written)
		}()
	})
	if names, _ := Profiles(file); err != nil || !ran || !slices.Equal(names, []string{written}) {
		t.Errorf("got %v, the load ran: %v, profiles %v", err, ran, names)
	}
}

// inModules are modules of all sorts whose program is in the module cache.
var inModules = map[string]string{
	"plain/go.mod": "module example.com/plain\n\ngo 1.23\n" + needMod, "plain/tools.go": useMod,
	"plain/main/main.go": "package main\n\nimport \"example.com/mod\"\n\nfunc main() { mod.One() }\n",
	"other/go.mod":       "module example.com/other\n\ngo 1.23\n", "other/other.mod": "module example.com/other\n\ngo 1.23\n" + needMod, "other/tools.go": useMod,
	"work/go.work": "go 1.23\n\nuse ./a\n", "work/a/go.mod": "module example.com/a\n\ngo 1.23\n" + needMod, "work/a/tools.go": useMod,
	"fork/go.mod":    "module example.com/f\n\ngo 1.23\n\nrequire example.com/orig v1.0.0\n\nreplace example.com/orig v1.0.0 => example.com/mod v1.0.0\n",
	"fork/tools.go":  strings.ReplaceAll(useMod, "example.com/mod", "example.com/orig"),
	"overlay/go.mod": "module example.com/o\n\ngo 1.23\n", "overlay/tools.go": useMod,
	"overlay/o.json": `{"Replace":{"go.mod":"instead.mod","extra/main.go":"main.txt","gone.go":""}}`, "overlay/gone.go": "broken",
	"overlay/main.txt": burner, "overlay/instead.mod": "module example.com/o\n\ngo 1.23\n" + needMod,
	"vendored/go.mod": "module example.com/v\n\ngo 1.23\n" + needMod, "vendored/tools.go": useMod,
}

const (
	needMod = "\nrequire example.com/mod v1.0.0\n"
	useMod  = "//go:build tools\n\npackage m\n\nimport _ \"example.com/mod/cmd/burn\"\n"
)

// Wherever the main package lies, the file gets into it.
func TestProfiledPlaces(t *testing.T) {
	moduleProxy(t)
	root, cache := t.TempDir(), t.TempDir()
	disktest.Write(t, root, inModules)
	goDo := func(dir string, args ...string) {
		t.Helper()
		cmd := exec.Command("go", args...)
		cmd.Dir = filepath.Join(root, filepath.FromSlash(dir))
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("go %v in %s: %s", args, dir, out)
		}
	}
	goDo("plain", "mod", "tidy")
	goDo("other", "mod", "tidy", "-modfile=other.mod")
	goDo("work/a", "mod", "tidy")
	goDo("fork", "mod", "tidy")
	goDo("vendored", "mod", "tidy")
	goDo("vendored", "mod", "vendor")
	sum, err := os.ReadFile(filepath.Join(root, "plain", "go.sum"))
	if err != nil {
		t.Fatal(err)
	}
	disktest.Write(t, root, map[string]string{"overlay/go.sum": string(sum)})
	const burn = "example.com/mod/cmd/burn"
	for _, c := range []struct {
		dir, pattern string
		flags        []string
		copied       bool
	}{
		{"plain", burn, nil, true},
		{"other", burn, []string{"-modfile=other.mod"}, true},
		{"work/a", burn, nil, true},
		{"fork", "example.com/orig/cmd/burn", nil, true},
		{"overlay", burn, []string{"-overlay=o.json"}, true},
		{"overlay", "./extra", []string{"-overlay=o.json"}, false},
		{"vendored", burn, nil, false},
	} {
		b := New(filepath.Join(cache, strings.ReplaceAll(c.dir+c.pattern, "/", "-")))
		r := Request{Study: filepath.Join(root, filepath.FromSlash(c.dir)), Variant: assay.Variant{Name: "v"}, Package: c.pattern, BuildFlags: c.flags}
		a, err := b.ProfiledProgram(t.Context(), r)
		if err != nil {
			t.Errorf("%s: %s: %v", c.dir, c.pattern, err)
			continue
		}
		if p := profiled(t, a.Path, 7, "exit"); share(p, "main.hot") < 0.7 {
			t.Errorf("%s: %s: %s", c.dir, c.pattern, p)
		}
		if got := disk.IsDir(filepath.Join(b.Cache.Dir, "src", "dep", "example.com", "mod@v1.0.0")); got != c.copied {
			t.Errorf("%s: %s: the module was copied: %v, want %v", c.dir, c.pattern, got, c.copied)
		}
	}
}

// oldToolchain is a folder with a go command that says that it is go1.22.12.
func oldToolchain(t *testing.T) string {
	if runtime.GOOS == "windows" {
		t.Skip("it is a shell script")
	}
	root := t.TempDir()
	disktest.Write(t, root, map[string]string{"bin/go": fmt.Sprintf("#!/bin/sh\necho '{\"GOROOT\": %q, \"GOVERSION\": \"go1.22.12\"}'\n", root)})
	if err := os.Chmod(filepath.Join(root, "bin", "go"), 0o755); err != nil {
		t.Fatal(err)
	}
	return "path:" + root
}

// Programs of toolchains before go1.23, and those inside the module cache that
// are no module's, are refused with the way out.
func TestProfiledRefuses(t *testing.T) {
	dir := withPrograms(t)
	b := New(t.TempDir())
	_, err := b.ProfiledProgram(t.Context(), Request{Study: dir, Variant: assay.Variant{Name: "v", Go: oldToolchain(t)}, Package: "./cmd/other"})
	if text := errortest.Want(t, err, "no-profile", assay.ExitBuild); !strings.Contains(text, "programs of go1.22.12") {
		t.Error(text)
	}
	_, err = b.ProfiledProgram(t.Context(), Request{Study: dir, Variant: assay.Variant{Name: "v"}, Package: "./lib"})
	errortest.Want(t, err, "not-a-program", assay.ExitBuild)
	_, err = b.besideCache(job{Request: Request{Variant: assay.Variant{Name: "v"}}}, listed{ImportPath: "cmd/gofmt", Dir: "/cache/toolchain/src/cmd/gofmt"}, nil, "")
	if text := errortest.Want(t, err, "no-profile", assay.ExitBuild); !strings.Contains(text, "cmd/gofmt of a fetched toolchain") {
		t.Error(text)
	}
}
