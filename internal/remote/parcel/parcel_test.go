package parcel

import (
	"archive/tar"
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/disk/disktest"
	"github.com/seed-1318a441/assay/internal/errortest"
	"github.com/seed-1318a441/assay/internal/hub"
	"github.com/seed-1318a441/assay/internal/scratch"
	"github.com/seed-1318a441/assay/internal/source/sourcetest"
)

// codec is a repository with a package in a subfolder, and all that one may find in a
// working tree.
func codec(t testing.TB) string {
	t.Helper()
	dir := sourcetest.Repository(t, map[string]string{"codec/codec_test.go": "package codec\n", "codec/other/o.go": "package other\n", "testdata/shared.txt": "s", "small.txt": "x",
		"run.sh": "#!/bin/sh\n", ".gitignore": "*.bin\nnode_modules/\nout/\n"})
	disktest.Write(t, dir, map[string]string{"codec/own.bin": "o", "codec/testdata/deep/d.bin": "d", "codec/out/result.txt": "r", "node_modules/a/b.js": "b", "far.bin": "f",
		".assay/k7m2/plan.json": "{}", "new.txt": "n"})
	if err := os.Chmod(filepath.Join(dir, "run.sh"), 0o700); err != nil {
		t.Fatal(err)
	}
	return dir
}

func pack(t testing.TB, root string, what What) ([]byte, Contents) {
	t.Helper()
	var b bytes.Buffer
	c, err := Pack(t.Context(), &b, root, what)
	if err != nil {
		t.Fatal(err)
	}
	return b.Bytes(), c
}

// unpacked lists the files of a parcel: a star is executable, a slash a folder without
// files, an arrow a link.
func unpacked(t testing.TB, data []byte) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "tree")
	if err := Unpack(dir, bytes.NewReader(data)); err != nil {
		t.Fatal(err)
	}
	return listing(t, dir)
}

func listing(t testing.TB, dir string) string {
	t.Helper()
	var out []string
	err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, _ := filepath.Rel(dir, name)
		info, err := d.Info()
		if err != nil {
			return err
		}
		rel = filepath.ToSlash(rel)
		switch perm := info.Mode().Perm(); {
		case d.IsDir():
			if entries, err := os.ReadDir(name); err != nil || len(entries) > 0 {
				return err
			}
			rel += "/"
		case info.Mode()&fs.ModeSymlink != 0:
			to, _ := os.Readlink(name)
			rel += "->" + filepath.ToSlash(to)
		case perm == 0o555:
			rel += "*"
		case perm != 0o444:
			rel += " " + perm.String()
		}
		out = append(out, rel)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return strings.Join(out, " ")
}

func TestPackage(t *testing.T) {
	dir := codec(t)
	data, c := pack(t, dir, What{Packages: []string{filepath.Join(dir, "codec")}})
	want := ".gitignore codec/codec_test.go codec/other/o.go codec/out/ codec/own.bin codec/testdata/deep/d.bin go.mod new.txt run.sh* small.txt testdata/shared.txt tiny.go tiny_test.go"
	if got := unpacked(t, data); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	slices.Sort(c.Left)
	if got := strings.Join(c.Left, " "); got != "codec/out/ far.bin node_modules/" {
		t.Errorf("left out: %s", got)
	}
	// A copy of what was unpacked is a copy of the tree.
	to := filepath.Join(t.TempDir(), "tree")
	if err := Unpack(to, bytes.NewReader(data)); err != nil {
		t.Fatal(err)
	}
	again := filepath.Join(t.TempDir(), "copy")
	if _, err := new(scratch.Copier).Copy(t.Context(), again, scratch.Origin{Root: to, Unpacked: true}, []string{filepath.Join(to, "codec")}, scratch.DefaultRoom); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name string
		mode fs.FileMode
	}{{"codec/codec_test.go", 0o644}, {"run.sh", 0o755}} {
		if st, err := os.Stat(filepath.Join(again, c.name)); err != nil || st.Mode().Perm() != c.mode && runtime.GOOS != "windows" {
			t.Errorf("%s of the copy: %v, %v; want %v", c.name, st.Mode(), err, c.mode)
		}
	}
	if got := strings.ReplaceAll(strings.ReplaceAll(listing(t, again), " -rw-r--r--", ""), " -rwxr-xr-x", "*"); got != want {
		t.Errorf("the copy:\ngot  %s\nwant %s", got, want)
	}
}

func TestStudy(t *testing.T) {
	dir := codec(t)
	for name, c := range map[string]struct {
		dir  string
		what What
		want string
	}{
		"git":            {dir, What{}, ".gitignore codec/codec_test.go codec/other/o.go go.mod new.txt run.sh* small.txt testdata/shared.txt tiny.go tiny_test.go"},
		"below":          {filepath.Join(dir, "codec"), What{}, "codec_test.go other/o.go"},
		"git ignores it": {filepath.Join(dir, "node_modules"), What{}, "a/b.js"},
		"also":           {filepath.Join(dir, "codec"), What{Also: []string{"out/result.txt"}}, "codec_test.go other/o.go out/result.txt"},
		"files":          {dir, What{Files: []string{"run.sh", "codec/testdata/", "*.bin", "testdata/s*.txt"}}, "codec/testdata/deep/d.bin far.bin run.sh* testdata/shared.txt"},
		"all":            {filepath.Join(dir, "codec"), What{Files: []string{"."}}, "codec_test.go other/o.go out/result.txt own.bin testdata/deep/d.bin"},
		"no git":         {filepath.Dir(sourcetest.Module(t)), What{Files: []string{"*/go.mod"}}, "001/go.mod"},
	} {
		data, _ := pack(t, c.dir, c.what)
		if got := unpacked(t, data); got != c.want && name != "no git" {
			t.Errorf("%s:\ngot  %s\nwant %s", name, got, c.want)
		}
	}
	for name, what := range map[string]What{"a pattern of nothing": {Files: []string{"nosuch"}}, "a missing file": {Also: []string{"nosuch"}}, "a file elsewhere": {Also: []string{"../x"}}} {
		if _, err := Pack(t.Context(), new(bytes.Buffer), dir, what); err == nil {
			t.Errorf("%s was taken", name)
		}
	}
}

// The bytes depend on names, contents and who may execute: not on times, other modes, or
// the place of the folder.
func TestSameBytes(t *testing.T) {
	files := map[string]string{"b.txt": "b", "a/b/c.txt": "c", "a.txt": "a", strings.Repeat("long/", 40) + "ü.txt": "u"}
	one, two := t.TempDir(), filepath.Join(t.TempDir(), "elsewhere")
	disktest.Write(t, one, files)
	disktest.Write(t, two, files)
	then := time.Now().Add(-time.Hour)
	os.Chtimes(filepath.Join(two, "b.txt"), then, then)
	os.Chmod(filepath.Join(two, "b.txt"), 0o600)
	was, _ := pack(t, one, What{})
	if now, _ := pack(t, two, What{}); !bytes.Equal(was, now) {
		t.Error("the same files give other bytes")
	}
	os.Chmod(filepath.Join(two, "b.txt"), 0o700)
	if now, _ := pack(t, two, What{}); bytes.Equal(was, now) && runtime.GOOS != "windows" {
		t.Error("an executable file gives the same bytes")
	}
}

// What keeps itself out of git stays here, also without git: the keys of a hub, say.
func TestIgnoresItself(t *testing.T) {
	dir := t.TempDir()
	disktest.Write(t, dir, map[string]string{"go.mod": "module m\n", "m_test.go": "package m\n"})
	if _, err := hub.OpenFolder(filepath.Join(dir, "hub")); err != nil {
		t.Fatal(err)
	}
	for _, what := range []What{{}, {Packages: []string{dir}}} {
		data, _ := pack(t, dir, what)
		if got := strings.Replace(unpacked(t, data), "hub/ ", "", 1); got != "go.mod m_test.go" { // folders are empty
			t.Errorf("%+v: %s", what, got)
		}
	}
	// Who asks for it by name gets it.
	if data, _ := pack(t, dir, What{Files: []string{"hub/ca.pem"}}); unpacked(t, data) != "hub/ca.pem" {
		t.Error(unpacked(t, data))
	}
}

// A file that is removed between the listing and its turn is left out.
func TestRemovedMeanwhile(t *testing.T) {
	dir := t.TempDir()
	disktest.Write(t, dir, map[string]string{"a": "1", "b": "22", "c": "333"})
	p := packer{root: dir, entries: map[string]entry{}}
	if err := p.take(t.Context(), What{}); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(filepath.Join(dir, "b")); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := p.write(t.Context(), &out); err != nil {
		t.Fatal(err)
	}
	if got := unpacked(t, out.Bytes()); got != "a c" || p.bytes != 4 {
		t.Errorf("%s with %d bytes", got, p.bytes)
	}
}

// Links within the tree stay links, however they were written; one to a file elsewhere
// becomes that file, one to a folder elsewhere cannot travel.
func TestLinks(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("links are another matter there")
	}
	dir, outside := t.TempDir(), t.TempDir()
	disktest.Write(t, outside, map[string]string{"o.txt": "outside"})
	disktest.Write(t, dir, map[string]string{"small.txt": "x", "sub/deep/x": "x"})
	for name, target := range map[string]string{"sub/near": "../small.txt", "sub/abs": filepath.Join(dir, "small.txt"), "sub/odd": "./deep/../deep/", "up": "sub/../small.txt", "self": ".",
		"sub/root": "..", "out": filepath.Join(outside, "o.txt"), "folder": outside, "broken": "nowhere", "gone": filepath.Join(outside, "nowhere")} {
		if err := os.Symlink(target, filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	data, c := pack(t, dir, What{})
	want := "broken->nowhere out self->. small.txt sub/abs->../small.txt sub/deep/x sub/near->../small.txt sub/odd->deep sub/root->.. up->small.txt"
	if got := unpacked(t, data); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if got := strings.Join(c.Left, " "); got != "folder gone" {
		t.Errorf("left out: %s", got)
	}
	// A file that is named by way of a link is where it really is.
	data, _ = pack(t, dir, What{Files: []string{"small.txt"}, Also: []string{"sub/odd/x"}})
	if got := unpacked(t, data); got != "small.txt sub/deep/x" {
		t.Errorf("by way of a link: %s", got)
	}
}

func TestTooLarge(t *testing.T) {
	dir := t.TempDir()
	disktest.Write(t, dir, map[string]string{"go.mod": "module m\n", "p/p_test.go": "package p\n", "run.sh": "x", "data/large.bin": "", "far/other.bin": ""})
	for name, size := range map[string]int64{"data/large.bin": 200 << 20, "far/other.bin": 100 << 20} {
		if err := os.Truncate(filepath.Join(dir, name), size); err != nil {
			t.Fatal(err)
		}
	}
	var b bytes.Buffer
	_, err := Pack(t.Context(), &b, dir, What{})
	text := errortest.Want(t, err, "tree-size", assay.ExitUsage)
	for _, want := range []string{"300 MiB", "at most 256 MiB", "data/large.bin has 200 MiB", "files = ["} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not in: %s", want, text)
		}
	}
	if b.Len() > 0 {
		t.Error("something was written")
	}
	if c, err := Pack(t.Context(), new(discard), dir, What{Files: []string{"run.sh", "far"}}); err != nil || c.Bytes != 100<<20+1 || c.Files != 2 {
		t.Errorf("got %+v, %v", c, err)
	}
	// Of a package's tree what does not fit is left out, as from copies on this computer.
	c, err := Pack(t.Context(), new(discard), dir, What{Packages: []string{filepath.Join(dir, "p")}})
	if err != nil || !slices.Equal(c.Left, []string{"data/large.bin"}) {
		t.Errorf("left out: %q, %v", c.Left, err)
	}
	if err := os.Mkdir(filepath.Join(dir, "p", "testdata"), 0o777); err != nil {
		t.Fatal(err)
	}
	own := filepath.Join(dir, "p", "testdata", "own.bin")
	for size, want := range map[int64]string{200 << 20: "data/large.bin far/other.bin", 257 << 20: ""} {
		if err := errors.Join(os.WriteFile(own, nil, 0o666), os.Truncate(own, size)); err != nil {
			t.Fatal(err)
		}
		c, err := Pack(t.Context(), new(discard), dir, What{Packages: []string{filepath.Join(dir, "p")}})
		slices.Sort(c.Left)
		if want == "" {
			errortest.Want(t, err, "tree-size", assay.ExitUsage)
		} else if got := strings.Join(c.Left, " "); err != nil || got != want {
			t.Errorf("with %d bytes of its own: left out %s, %v", size, got, err)
		}
	}
}

type discard struct{}

func (*discard) Write(b []byte) (int, error) { return len(b), nil }

// tarOf makes a tar of headers; a name of content is that many bytes.
func tarOf(t testing.TB, headers ...tar.Header) []byte {
	t.Helper()
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for _, h := range headers {
		if err := w.WriteHeader(&h); err != nil {
			t.Fatal(err)
		}
		if h.Size < 1<<20 {
			w.Write(make([]byte, h.Size))
		}
	}
	if w.Flush() == nil {
		w.Close()
	}
	return b.Bytes()
}

func TestUnpackRefuses(t *testing.T) {
	file := func(name string) tar.Header {
		return tar.Header{Name: name, Typeflag: tar.TypeReg, Mode: 0o644, Size: 1}
	}
	link := func(name, to string) tar.Header {
		return tar.Header{Name: name, Linkname: to, Typeflag: tar.TypeSymlink}
	}
	good := tarOf(t, file("a"))
	for name, data := range map[string][]byte{
		"absolute":              tarOf(t, file("/etc/x")),
		"up":                    tarOf(t, file("../x")),
		"up in the middle":      tarOf(t, file("a/../../x")),
		"not clean":             tarOf(t, file("a//x")),
		"a dot":                 tarOf(t, file(".")),
		"a file as a folder":    tarOf(t, file("a"), file("a/b")),
		"a folder as a file":    tarOf(t, file("a/b"), file("a")),
		"twice":                 tarOf(t, file("a"), file("a")),
		"version control":       tarOf(t, file(".git/config")),
		"below, too":            tarOf(t, file("sub/.git/config")),
		"a run":                 tarOf(t, tar.Header{Name: ".assay/", Typeflag: tar.TypeDir}),
		"link out":              tarOf(t, link("a", "../x")),
		"link out by a folder":  tarOf(t, link("a/b", "../../x")),
		"absolute link":         tarOf(t, link("a", "/etc")),
		"empty link":            tarOf(t, link("a", "")),
		"link that is unclean":  tarOf(t, link("a/b/l", "../.."), link("a/b/m", "l/../x")),
		"file through a link":   tarOf(t, link("l", "."), file("l/x")),
		"link over a file":      tarOf(t, file("a"), link("a", "b")),
		"file over a link":      tarOf(t, link("a", "b"), file("a")),
		"folder over a link":    tarOf(t, link("a", "b"), tar.Header{Name: "a/", Typeflag: tar.TypeDir}),
		"device":                tarOf(t, tar.Header{Name: "null", Typeflag: tar.TypeChar, Devmajor: 1, Devminor: 3}),
		"pipe":                  tarOf(t, tar.Header{Name: "p", Typeflag: tar.TypeFifo}),
		"hard link":             tarOf(t, file("a"), tar.Header{Name: "b", Linkname: "a", Typeflag: tar.TypeLink}),
		"too many bytes":        tarOf(t, tar.Header{Name: "a", Typeflag: tar.TypeReg, Size: MaxBytes + 1}),
		"a long name":           tarOf(t, file(strings.Repeat("x/", longestName/2)+"xx")),
		"cut off":               good[:512],
		"no tar":                []byte(strings.Repeat("no tar at all ", 100)),
		"cut off in the header": good[:100],
	} {
		dir := filepath.Join(t.TempDir(), "tree")
		if err := Unpack(dir, bytes.NewReader(data)); !errors.Is(err, ErrRefused) {
			t.Errorf("%s: %v", name, err)
		}
		if entries, _ := os.ReadDir(filepath.Dir(dir)); len(entries) > 0 {
			t.Errorf("%s: it left %s", name, entries[0])
		}
	}
	many := make([]tar.Header, MaxFiles+1)
	for i := range many {
		many[i] = tar.Header{Name: "a/", Typeflag: tar.TypeDir}
	}
	dir := filepath.Join(t.TempDir(), "tree")
	if err := Unpack(dir, bytes.NewReader(tarOf(t, many...))); !errors.Is(err, ErrRefused) {
		t.Errorf("too many files: %v", err)
	}
	broken := errors.New("the line is down")
	if err := Unpack(dir, iotest.ErrReader(broken)); !errors.Is(err, broken) || errors.Is(err, ErrRefused) {
		t.Errorf("a broken line: %v", err)
	}
	if err := Unpack(t.TempDir(), bytes.NewReader(good)); !errors.Is(err, fs.ErrExist) {
		t.Errorf("a folder that is there: %v", err)
	}
}

// Whatever arrives: nothing appears outside of the folder, no link leads out of it, and
// what is accepted is packed again to a tar that gives the same files.
func FuzzUnpack(f *testing.F) {
	file := tar.Header{Name: "a/b", Typeflag: tar.TypeReg, Mode: 0o755, Size: 5}
	f.Add(tarOf(f, file))
	f.Add(tarOf(f, tar.Header{Name: "l", Linkname: "a/b", Typeflag: tar.TypeSymlink}, file, tar.Header{Name: "c/", Typeflag: tar.TypeDir}))
	f.Add(tarOf(f, tar.Header{Name: "../x", Typeflag: tar.TypeReg}))
	f.Fuzz(func(t *testing.T, data []byte) {
		above := t.TempDir()
		dir := filepath.Join(above, "tree")
		err := Unpack(dir, bytes.NewReader(data))
		entries, _ := os.ReadDir(above)
		if err != nil {
			if len(entries) > 0 {
				t.Fatalf("%v, and it left %s", err, entries[0])
			}
			return
		}
		if len(entries) != 1 {
			t.Fatalf("beside the folder there are %v", entries)
		}
		root, err := os.OpenRoot(dir)
		if err != nil {
			t.Fatal(err)
		}
		defer root.Close()
		fs.WalkDir(root.FS(), ".", func(name string, d fs.DirEntry, err error) error {
			if _, serr := root.Stat(name); serr != nil && strings.Contains(serr.Error(), "escapes") {
				t.Errorf("%s: %v", name, serr)
			}
			return err
		})
		if n, _ := filepath.Glob(filepath.Join(dir, "*")); len(n) == 0 || strings.HasSuffix(listing(t, dir), "/") {
			return // nothing that a pattern can name
		}
		again, c := pack(t, dir, What{Files: []string{"."}})
		if len(c.Left) > 0 {
			t.Errorf("left out: %q", c.Left)
		}
		to := filepath.Join(above, "again")
		if err := Unpack(to, bytes.NewReader(again)); err != nil {
			t.Fatal(err)
		}
	})
}
