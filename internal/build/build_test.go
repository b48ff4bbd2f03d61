package build

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/disk/disktest"
	"github.com/seed-1318a441/assay/internal/errortest"
	"github.com/seed-1318a441/assay/internal/source/sourcetest"
	"github.com/seed-1318a441/assay/internal/toolchain"
)

func mustBuild(t *testing.T, b *Builder, r Request) Artifact {
	t.Helper()
	a, err := b.Binary(t.Context(), r)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func sha256Of(t *testing.T, file string) string {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprintf("%x", sha256.Sum256(data))
}

// wantError checks that err is an *assay.Error of the code and status, and
// returns its text.
func TestTestBinary(t *testing.T) {
	t.Parallel()
	dir, cache := sourcetest.Module(t), t.TempDir()
	r := Request{Study: dir, Variant: assay.Variant{Name: "."}, Package: "."}
	a := mustBuild(t, New(cache), r)
	if a.Cached || a.Link <= 0 || a.Package != "example.com/tiny" || a.Dir != dir || a.Commit != "" {
		t.Errorf("first build: %+v", a)
	}
	if !strings.Contains(a.DefaultGODEBUG, "=") { // go 1.23 in go.mod
		t.Errorf("DefaultGODEBUG = %q", a.DefaultGODEBUG)
	}
	out, err := exec.Command(a.Path, "-test.list=.").Output()
	if got, want := strings.TrimSpace(string(out)), "BenchmarkSum"; got != want || err != nil {
		t.Errorf("the binary lists %q, %v; want %q", got, err, want)
	}

	if want := sha256Of(t, a.Path); a.SHA256 != want {
		t.Errorf("SHA256 = %q, want %q", a.SHA256, want)
	}

	again := mustBuild(t, New(cache), r)
	if !again.Cached || again.Link != 0 || again.ID != a.ID || again.SHA256 != a.SHA256 || again.Path != a.Path || again.GoVersion != a.GoVersion {
		t.Errorf("second build: %+v, want the first from the cache: %+v", again, a)
	}

	disktest.Write(t, dir, map[string]string{"tiny.go": strings.Replace(sourcetest.Tiny["tiny.go"], "s += i", "s += 2 * i", 1)})
	if edited := mustBuild(t, New(cache), r); edited.Cached || edited.ID == a.ID {
		t.Errorf("an edited file gives the old artifact: %+v", edited)
	}
	disktest.Write(t, dir, sourcetest.Tiny)
	if back := mustBuild(t, New(cache), r); !back.Cached || back.ID != a.ID {
		t.Errorf("the first text again gives %+v, want it from the cache", back)
	}

	if err := os.Truncate(a.Path, 0); err != nil { // as a full disk may leave it
		t.Fatal(err)
	}
	if healed := mustBuild(t, New(cache), r); healed.Cached {
		t.Error("an empty binary was taken from the cache")
	}
}

func TestTestBinaryRefuses(t *testing.T) {
	dir := sourcetest.Module(t)
	disktest.Write(t, dir, map[string]string{"bare/bare.go": "package bare\n"})
	b := New(t.TempDir())
	r := Request{Study: dir, Variant: assay.Variant{Name: "v"}, Package: "./bare"}
	_, err := b.Binary(t.Context(), r)
	errortest.Want(t, err, "no-tests", assay.ExitBuild)
	r.Layout = 7
	if _, err = b.Binary(t.Context(), r); err == nil {
		t.Error("TestBinary took a layout")
	}
	r = Request{Study: filepath.Join(dir, "nowhere"), Variant: r.Variant, Package: "."}
	_, err = b.Binary(t.Context(), r)
	errortest.Want(t, err, "no-source", assay.ExitUsage)
}

// Measuring never vets, whatever -vet says: go vet refuses code that go build takes.
func TestNeverVets(t *testing.T) {
	dir := sourcetest.Module(t)
	disktest.Write(t, dir, map[string]string{"vet_test.go": "package tiny\n\nimport (\n\t\"fmt\"\n\t\"testing\"\n)\n\n" +
		"func BenchmarkPrint(b *testing.B) {\n\tfmt.Sprintf(\"%d\", \"no number\")\n}\n"})
	b := New(t.TempDir())
	ids := map[string]bool{}
	for _, flags := range [][]string{nil, {"-vet=all"}, {"-vet", "off"}, {"--vet=printf", "-trimpath=false"}} {
		r := Request{Study: dir, Variant: assay.Variant{Name: "v"}, Package: ".", BuildFlags: flags}
		if ps, err := b.Packages(t.Context(), r, []string{"."}); len(ps) != 1 || err != nil {
			t.Errorf("%q: packages %v, %v", flags, ps, err)
		}
		ids[mustBuild(t, b, r).ID] = true
	}
	if len(ids) != 2 { // -trimpath=false is a flag more
		t.Errorf("%d artifacts, want 2: -vet makes no other binary", len(ids))
	}
}

// Everything that reaches the compiler is in the key, and nothing else.
func TestArtifactID(t *testing.T) {
	dir := sourcetest.Module(t)
	disktest.Write(t, dir, map[string]string{"cpu.pprof": "one", "o.json": `{"Replace":{"extra.go":"replacement.txt"}}`, "replacement.txt": "package tiny\n"})
	b := New(t.TempDir())
	id := func(change func(*Request)) string {
		t.Helper()
		r := Request{Study: dir, Variant: assay.Variant{Name: "v"}, Package: "."}
		change(&r)
		j, err := b.job(t.Context(), r)
		if err != nil {
			t.Fatal(err)
		}
		id, err := b.keys.compute(t.Context(), j)
		if err != nil {
			t.Fatal(err)
		}
		return id
	}
	base := id(func(*Request) {})
	for name, change := range map[string]func(*Request){
		"name":       func(r *Request) { r.Variant.Name = "w" },
		"run env":    func(r *Request) { r.Variant.Env = map[string]string{"GOGC": "50"} },
		"control":    func(r *Request) { r.Variant.Control = true },
		"source dir": func(r *Request) { r.Source.Dir = "." },
		"layout":     func(r *Request) { r.Layout = 3 },
		"spelling":   func(r *Request) { r.Package = "example.com/tiny" },
	} {
		if id(change) != base {
			t.Errorf("%s changes the ID", name)
		}
	}
	pgo := func(r *Request) { r.Variant.PGO = "cpu.pprof" }
	overlay := func(r *Request) { r.BuildFlags = []string{"-overlay=o.json"} }
	ids := map[string]string{"base": base}
	for name, change := range map[string]func(*Request){
		"gcflags":    func(r *Request) { r.Variant.GCFlags = []string{"-l"} },
		"ldflags":    func(r *Request) { r.Variant.LDFlags = []string{"-s"} },
		"tags":       func(r *Request) { r.Variant.Tags = []string{"x"} },
		"experiment": func(r *Request) { r.Variant.Experiment = []string{"noregabiargs"} },
		"GOAMD64":    func(r *Request) { r.Variant.Build = map[string]string{"GOAMD64": "v3"} },
		"cgo":        func(r *Request) { r.Variant.Build = map[string]string{"CGO_ENABLED": "0"} },
		"race":       func(r *Request) { r.BuildFlags = []string{"-race"} },
		"GOARCH":     func(r *Request) { r.Variant.Build = map[string]string{"GOARCH": "386"} },
		"pgo":        pgo,
		"overlay":    overlay,
	} {
		ids[name] = id(change)
	}
	disktest.Write(t, dir, map[string]string{"cpu.pprof": "two", "replacement.txt": "package tiny // 2\n"})
	ids["pgo content"], ids["overlay content"] = id(pgo), id(overlay)
	disktest.Write(t, dir, map[string]string{"go.sum": "\n"})
	ids["go.sum"] = id(func(*Request) {})
	seen := map[string]string{}
	for _, name := range slices.Sorted(maps.Keys(ids)) {
		if other, ok := seen[ids[name]]; ok {
			t.Errorf("%s and %s have the same ID", name, other)
		}
		seen[ids[name]] = name
	}
}

// Two processes (here two Builders) and several goroutines of each that want
// the same artifact get the same whole file.
func TestConcurrent(t *testing.T) {
	dir, cache := sourcetest.Module(t), t.TempDir()
	builders := []*Builder{New(cache), New(cache)}
	var wg sync.WaitGroup
	got := make([]Artifact, 6)
	errs := make([]error, len(got))
	for i := range got {
		wg.Go(func() {
			r := Request{Study: dir, Variant: assay.Variant{Name: fmt.Sprint(i)}, Package: "."}
			got[i], errs[i] = builders[i%2].Binary(t.Context(), r)
		})
	}
	wg.Wait()
	for i, a := range got {
		if errs[i] != nil {
			t.Fatal(errs[i])
		}
		if a.ID != got[0].ID || a.Path != got[0].Path {
			t.Errorf("goroutine %d got %s, goroutine 0 %s", i, a.ID, got[0].ID)
		}
	}
	if err := exec.Command(got[0].Path, "-test.list=.").Run(); err != nil {
		t.Errorf("the binary does not run: %v", err)
	}
	for _, sub := range []string{"tmp", "artifact"} {
		entries, err := os.ReadDir(filepath.Join(cache, sub))
		if want := map[string]int{"tmp": 0, "artifact": 1}[sub]; err != nil || len(entries) != want {
			t.Errorf("%s holds %v, %v; want %d entries", sub, entries, err, want)
		}
	}
}

// Builds that share a standard library wait for the first of them, and for the
// second where the first fails; others do not wait.
func TestConcurrentTurns(t *testing.T) {
	b := New("/none")
	plain, other := job{tc: toolchain.Toolchain{GOROOT: "/r"}}, job{tc: toolchain.Toolchain{GOROOT: "/s"}}
	var ran atomic.Int32
	for _, fail := range []error{errors.New("no"), nil} {
		ran.Store(0)
		began, end := make(chan bool), make(chan bool)
		var wg, come sync.WaitGroup
		come.Add(4)
		wg.Go(func() {
			got := b.inTurn(plain, func() error {
				close(began)
				<-end
				if n := ran.Load(); n != 0 {
					t.Errorf("%d builds ran beside the first", n)
				}
				return fail
			})
			if got != fail {
				t.Errorf("got %v, want %v", got, fail)
			}
		})
		<-began
		for range 4 {
			wg.Go(func() {
				come.Done()
				err := b.inTurn(plain, func() error {
					ran.Add(1)
					return nil
				})
				if err != nil {
					t.Error(err)
				}
			})
		}
		err := b.inTurn(other, func() error { // hangs if it waits for the first
			come.Wait()
			for range 1000 { // so that those that do not wait get to run
				runtime.Gosched()
			}
			close(end)
			return nil
		})
		if err != nil {
			t.Error(err)
		}
		wg.Wait()
		if ran.Load() != 4 {
			t.Errorf("%d of 4 ran", ran.Load())
		}
		b = New("/none")
	}
}

func TestBuildFailed(t *testing.T) {
	dir := sourcetest.Module(t)
	disktest.Write(t, dir, map[string]string{"tiny.go": "package tiny\n\nfunc Sum(n int) int { return m }\n"})
	b := New(t.TempDir())
	_, err := b.Binary(t.Context(), Request{Study: dir, Variant: assay.Variant{Name: "mine"}, Package: "."})
	text := errortest.Want(t, err, "build-failed", assay.ExitBuild)
	if !strings.Contains(text, `variant "mine"`) || !strings.Contains(text, "tiny.go:3:30: undefined: m") {
		t.Errorf("got %s", text)
	}
	var e *assay.Error
	errors.As(err, &e)
	log := strings.TrimPrefix(e.Facts[len(e.Facts)-1], "log: ")
	if rest, ok := strings.CutPrefix(log, "~"); ok {
		h, _ := os.UserHomeDir()
		log = h + rest
	}
	if data, err := os.ReadFile(log); err != nil || !strings.Contains(string(data), "undefined: m") {
		t.Errorf("log %s: %v, %q", log, err, data)
	}
}

func TestGoLineTooNew(t *testing.T) {
	dir := sourcetest.Module(t)
	disktest.Write(t, dir, map[string]string{"go.mod": "module example.com/tiny\n\ngo 1.99\n"})
	b := New(t.TempDir())
	_, err := b.Binary(t.Context(), Request{Study: dir, Variant: assay.Variant{Name: "old"}, Package: "."})
	text := errortest.Want(t, err, "needs-newer-go", assay.ExitBuild)
	if !strings.Contains(text, `variant "old" needs go1.99 or later; its toolchain is go1.`) ||
		!strings.Contains(text, "go.mod requires go >= 1.99") || !strings.Contains(text, `try: go = "go1.99.0" in [source]`) {
		t.Errorf("got %s", text)
	}
}

func TestFirstLines(t *testing.T) {
	log := filepath.Join(t.TempDir(), "log")
	disktest.Write(t, filepath.Dir(log), map[string]string{"log": "go: downloading x v1\n# example.com/a\na.go:1: one\n\nb\nc\nd\ne\nf\ng\nFAIL\tx [build failed]\n"})
	got := strings.Join(firstLines(log), "|")
	if want := "a.go:1: one|b|c|d|e|f"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestCancel(t *testing.T) {
	dir, cache := sourcetest.Module(t), t.TempDir()
	b := New(cache)
	r := Request{Study: dir, Variant: assay.Variant{Name: "v", GCFlags: []string{"all=-N"}}, Package: "."}
	if _, err := b.Env(t.Context(), r); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := b.Binary(ctx, r); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want context canceled", err)
	}
	if entries, _ := os.ReadDir(filepath.Join(cache, "artifact")); len(entries) > 0 {
		t.Errorf("a cancelled build left %v", entries)
	}
}

// A toolchain by path may be edited in place: its library is part of the key.
func TestPathToolchainKey(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("symbolic links need a privilege on Windows")
	}
	b := New(t.TempDir())
	use, err := b.Toolchains.Find(t.Context(), "", "")
	if err != nil {
		t.Fatal(err)
	}
	root := t.TempDir() // a GOROOT of links, but for one package
	for _, name := range []string{"bin", "pkg", "VERSION", "lib", "go.env"} {
		os.Symlink(filepath.Join(use.GOROOT, name), filepath.Join(root, name))
	}
	if err := os.Mkdir(filepath.Join(root, "src"), 0o777); err != nil {
		t.Fatal(err)
	}
	entries, err := os.ReadDir(filepath.Join(use.GOROOT, "src"))
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if e.Name() != "sort" {
			os.Symlink(filepath.Join(use.GOROOT, "src", e.Name()), filepath.Join(root, "src", e.Name()))
		}
	}
	if err := os.CopyFS(filepath.Join(root, "src", "sort"), os.DirFS(filepath.Join(use.GOROOT, "src", "sort"))); err != nil {
		t.Fatal(err)
	}
	dir := sourcetest.Module(t)
	id := func() string {
		t.Helper()
		b := New(b.Cache.Dir)
		j, err := b.job(t.Context(), Request{Study: dir, Variant: assay.Variant{Name: "p", Go: "path:" + root}, Package: "."})
		if err != nil {
			t.Fatal(err)
		}
		id, err := b.keys.id(t.Context(), j)
		if err != nil {
			t.Fatal(err)
		}
		return id
	}
	before := id()
	if id() != before {
		t.Error("the ID is not stable")
	}
	disktest.Write(t, root, map[string]string{"src/sort/patched.go": "package sort\n\nvar patched = 1\n"})
	if id() == before {
		t.Error("an edit of the standard library does not change the ID")
	}
}
