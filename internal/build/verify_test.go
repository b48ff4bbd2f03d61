package build

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"golang.org/x/mod/sumdb/dirhash"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/disk"
	"github.com/seed-1318a441/assay/internal/disk/disktest"
	"github.com/seed-1318a441/assay/internal/errortest"
	"github.com/seed-1318a441/assay/internal/source/sourcetest"
	"github.com/seed-1318a441/assay/internal/toolchain"
)

// damages are what a benchmark may do to the tree that it was built from. Each
// names the file that is told of.
var damages = map[string]func(t *testing.T, dir string) string{
	"another text of the same size and time": func(t *testing.T, dir string) string {
		file := "tiny.go"
		if !disk.IsFile(filepath.Join(dir, file)) {
			file = "lib.go"
		}
		name := filepath.Join(dir, file)
		st, err := os.Stat(name)
		if err != nil {
			t.Fatal(err)
		}
		data, _ := os.ReadFile(name)
		disktest.Write(t, dir, map[string]string{file: strings.Replace(string(data), "Sum", "Mus", 1)})
		if runtime.GOOS == "linux" { // elsewhere the time is all there is
			if err := os.Chtimes(name, time.Time{}, st.ModTime()); err != nil {
				t.Fatal(err)
			}
		}
		return file
	},
	"a new file": func(t *testing.T, dir string) string {
		disktest.Write(t, dir, map[string]string{"testdata/out.txt": "1"})
		return "testdata/out.txt"
	},
	"a new file that git ignores": func(t *testing.T, dir string) string {
		disktest.Write(t, dir, map[string]string{"x.ignored": "1"})
		return "x.ignored"
	},
	"a file less": func(t *testing.T, dir string) string {
		if err := os.Remove(filepath.Join(dir, "data.txt")); err != nil {
			t.Fatal(err)
		}
		return "data.txt"
	},
	"a file that can be run": func(t *testing.T, dir string) string {
		if runtime.GOOS == "windows" {
			t.Skip("files have no such mode")
		}
		if err := os.Chmod(filepath.Join(dir, "data.txt"), 0o755); err != nil {
			t.Fatal(err)
		}
		return "data.txt"
	},
}

// sourced puts the source of a request in place, with a new Builder over a cache,
// and returns its root and what the builder told.
func sourced(t *testing.T, cache string, r Request) (string, []assay.Warning) {
	t.Helper()
	var told []assay.Warning
	b := New(cache)
	b.Cache.Warn = func(w assay.Warning) { told = append(told, w) }
	tr, err := b.builtTree(t.Context(), toolchain.Toolchain{}, r)
	if err != nil {
		t.Fatal(err)
	}
	if again, err := b.builtTree(t.Context(), toolchain.Toolchain{}, r); err != nil || again.Root != tr.Root {
		t.Errorf("again: %+v, %v", again, err)
	}
	return tr.Root, told
}

// A cached tree that was written to is made again and told of; one that was not is
// used as it is.
func TestChangedSources(t *testing.T) {
	sourcetest.Proxy(t)
	dir := sourcetest.Repository(t, map[string]string{".gitignore": "*.ignored\n", "data.txt": "one\ntwo\n", "rot.txt": "plain\n",
		".gitattributes": "data.txt text eol=crlf\nrot.txt filter=rot\n"})
	sourcetest.Git(t, dir, "config", "filter.rot.smudge", "tr a-z n-za-m")
	sourcetest.Git(t, dir, "config", "filter.rot.clean", "tr a-z n-za-m")
	disktest.Write(t, dir, map[string]string{"over/testdata/frozen.txt": "x"})
	overlay := assay.Source{Overlay: "over"}
	for name, r := range map[string]Request{
		"revision":                 {Variant: assay.Variant{Name: "v", Rev: "HEAD"}},
		"module":                   {Variant: assay.Variant{Name: "v", Module: "example.com/lib@v1.1.0"}},
		"overlay of a revision":    {Variant: assay.Variant{Name: "v", Rev: "HEAD"}, Source: overlay},
		"overlay of the tree here": {Variant: assay.Variant{Name: "v"}, Source: overlay},
	} {
		r.Study = dir
		cache := t.TempDir()
		root, told := sourced(t, cache, r)
		if len(told) > 0 {
			t.Errorf("%s: a new tree: told %v", name, told)
		}
		was, err := disk.SealOf(root, disk.Seal{})
		if err != nil {
			t.Fatal(err)
		}
		for what, damage := range damages {
			t.Run(name+"/"+what, func(t *testing.T) {
				if _, told := sourced(t, cache, r); len(told) > 0 {
					t.Errorf("nothing has changed: told %v", told)
				}
				file := damage(t, root)
				again, told := sourced(t, cache, r)
				now, err := disk.SealOf(again, disk.Seal{})
				if err != nil {
					t.Fatal(err)
				}
				if changed := now.Changes(was); again != root || len(changed) > 0 {
					t.Errorf("%s: %q are not as they were", again, changed)
				}
				if len(told) != 1 || told[0].Code != "cache-changed" || !strings.Contains(strings.Join(told[0].Facts, "\n"), "changed: "+file) {
					t.Errorf("told %v, want [cache-changed] once, with %s", told, file)
				}
			})
		}
	}
}

// What only verification knows may be gone: git reads the files then, and a copy
// that nothing vouches for is made again. The go command's own file is none that a
// benchmark wrote.
func TestSourcesWithoutSeal(t *testing.T) {
	sourcetest.Proxy(t)
	dir := sourcetest.Repository(t, nil)
	revision := Request{Study: dir, Variant: assay.Variant{Name: "v", Rev: "HEAD"}}
	cache := t.TempDir()
	root, _ := sourced(t, cache, revision)
	disktest.Write(t, root, map[string]string{"go.work.sum": "x"})
	before := sourcetest.Listing(t, root)
	index := root + ".index"
	if err := os.Remove(index); err != nil {
		t.Fatal(err)
	}
	if _, told := sourced(t, cache, revision); len(told) > 0 || strings.Join(sourcetest.Listing(t, root), "\n") != strings.Join(before, "\n") {
		t.Errorf("without an index: told %v", told)
	}
	if err := os.Remove(index); err != nil {
		t.Fatal(err)
	}
	disktest.Write(t, root, map[string]string{"tiny.go": "package tiny\n"})
	if _, told := sourced(t, cache, revision); len(told) != 1 {
		t.Errorf("changed, without an index: told %v", told)
	}

	module := Request{Study: dir, Variant: assay.Variant{Name: "v", Module: "example.com/lib@v1.1.0"}}
	root, _ = sourced(t, cache, module)
	if err := os.Remove(root + ".seal"); err != nil {
		t.Fatal(err)
	}
	disktest.Write(t, root, map[string]string{"more/new.txt": "1"})
	if _, told := sourced(t, cache, module); len(told) > 0 || disk.IsFile(filepath.Join(root, "more", "new.txt")) {
		t.Errorf("without a seal: told %v", told)
	}
}

// A module is held to the hash that go.sum has, also as it comes out of the module cache.
func TestModuleHash(t *testing.T) {
	sourcetest.Proxy(t)
	r := Request{Study: t.TempDir(), Variant: assay.Variant{Name: "v", Module: "example.com/lib@v1.1.0"}}
	root, _ := sourced(t, t.TempDir(), r)
	s, err := disk.SealOf(root, disk.Seal{})
	if err != nil {
		t.Fatal(err)
	}
	want, err := dirhash.HashDir(root, "example.com/lib@v1.1.0", dirhash.Hash1)
	if got := s.H1("example.com/lib@v1.1.0"); got != want || err != nil {
		t.Errorf("got %s, %v, want %s", got, err, want)
	}
	cached := filepath.Join(os.Getenv("GOMODCACHE"), "example.com", "lib@v1.1.0")
	sourcetest.Writable(cached)
	disktest.Write(t, cached, map[string]string{"new.txt": "1"})
	_, err = New(t.TempDir()).builtTree(t.Context(), toolchain.Toolchain{}, r)
	if text := errortest.Want(t, err, "no-module", assay.ExitUsage); !strings.Contains(text, want) {
		t.Errorf("got %s, want the hash of the module in it", text)
	}
	// One from before modules has a go.mod that is no part of it.
	moduleProxy(t)
	r.Variant.Module = "example.com/mod@v1.0.0"
	cache := t.TempDir()
	sourced(t, cache, r)
	if _, told := sourced(t, cache, r); len(told) > 0 {
		t.Errorf("a module without go.mod: told %v", told)
	}
}

// A binary that is not what was built, or a part of a link, is made again and told
// of; one that is gone is made again.
func TestChangedBinaries(t *testing.T) {
	t.Parallel()
	dir := sourcetest.Module(t)
	cache := t.TempDir()
	var told []assay.Warning
	r := Request{Study: dir, Variant: assay.Variant{Name: "v"}, Package: ".", Layout: 7}
	link := func() Artifact {
		t.Helper()
		b := New(cache)
		told = nil
		b.Cache.Warn = func(w assay.Warning) { told = append(told, w) }
		a, err := b.Relink(t.Context(), r, filepath.Join(dir, "x.test"))
		if err != nil {
			t.Fatal(err)
		}
		return a
	}
	want := link()
	if len(told) > 0 {
		t.Fatalf("a new cache: told %v", told)
	}
	id, _, _ := strings.Cut(want.ID, "-")
	b := New(cache)
	for file, warnings := range map[string]int{
		filepath.Join(artifactFolder(b.Cache, id), fileName(false, "")): 1,
		b.links.mainFile(id):                                                      1,
		filepath.Join(b.links.folder(id), recipeName):                             1,
		filepath.Join(b.links.folder(id), sumsName) + " gone":                     0,
		b.links.mainFile(id) + " gone":                                            1,
		filepath.Join(artifactFolder(b.Cache, id), fileName(false, "")) + " gone": 0,
	} {
		if name, gone := strings.CutSuffix(file, " gone"); gone {
			if err := os.Remove(name); err != nil {
				t.Fatal(err)
			}
		} else {
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			data[len(data)/2] ^= 1
			if err := os.WriteFile(file, data, 0o777); err != nil {
				t.Fatal(err)
			}
		}
		if got := link(); got.ID != want.ID || got.SHA256 != want.SHA256 || len(told) != warnings {
			t.Errorf("%s: linked %s, want %s; told %v, want %d warnings", file, got.SHA256, want.SHA256, told, warnings)
		}
		if link(); len(told) > 0 {
			t.Errorf("%s: told a second time: %v", file, told)
		}
	}
}
