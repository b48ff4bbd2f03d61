package build

import (
	"bytes"
	"debug/buildinfo"
	"debug/elf"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/disk"
	"github.com/seed-1318a441/assay/internal/disk/disktest"
	"github.com/seed-1318a441/assay/internal/errortest"
	"github.com/seed-1318a441/assay/internal/slow"
	"github.com/seed-1318a441/assay/internal/source/sourcetest"
	"github.com/seed-1318a441/assay/internal/toolchain"
)

// withoutBuildID returns an ELF binary's bytes with its build IDs blanked.
func withoutBuildID(t *testing.T, tc toolchain.Toolchain, file string) []byte {
	t.Helper()
	out, err := exec.Command(tc.Go(), "tool", "buildid", file).Output()
	if err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	id := bytes.TrimSpace(out)
	if len(id) < 40 || !bytes.Contains(data, id) {
		t.Fatalf("build ID %q is not in the file", id)
	}
	data = bytes.ReplaceAll(data, id, make([]byte, len(id)))
	// The GNU build ID is a hash of Go's.
	f, err := elf.NewFile(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	if s := f.Section(".note.gnu.build-id"); s != nil {
		clear(data[s.Offset : s.Offset+s.FileSize])
	}
	return data
}

// What the linker makes from a recipe is what go test -c, or go build, makes,
// byte for byte, the build ID apart; also with flags.
func TestRelinkExact(t *testing.T) {
	t.Parallel()
	testRelinkExact(t, withPrograms(t), map[string]Request{
		"plain":      {Variant: assay.Variant{Name: "v"}, Package: "."},
		"program":    {Variant: assay.Variant{Name: "v"}, Package: "./cmd/hello/v2", Program: true},
		"dependency": {Variant: assay.Variant{Name: "v", LDFlags: []string{"-s"}}, Package: "example.com/dep/cmd/tool", Program: true},
		"ldflags":    {Variant: assay.Variant{Name: "v", LDFlags: []string{"-X 'example.com/tiny.x=a b'"}}, Package: ".", BuildFlags: []string{"-ldflags", "-w"}},
	})
}

// The same by other toolchains, for another architecture, and with cgo where there is
// a compiler.
func TestSlowRelinkExact(t *testing.T) {
	slow.Test(t)
	dir := withPrograms(t)
	disktest.Write(t, dir, map[string]string{"c/c.go": "package c\n\n// int one(void) { return 1; }\nimport \"C\"\n\nfunc One() int { return int(C.one()) }\n",
		"c/c_test.go": "package c\n\nimport \"testing\"\n\nfunc BenchmarkOne(b *testing.B) { One() }\n"})
	i386 := map[string]string{"GOARCH": "386"}
	requests := map[string]Request{
		"386":      {Variant: assay.Variant{Name: "v", Build: i386}, Package: "./cmd/other", Program: true},
		"386 test": {Variant: assay.Variant{Name: "v", Build: i386}, Package: "."},
	}
	if _, err := exec.LookPath("gcc"); err == nil {
		requests["cgo"] = Request{Variant: assay.Variant{Name: "v"}, Package: "./c"}
	}
	for _, v := range slow.Toolchains(t) {
		requests[v] = Request{Variant: assay.Variant{Name: "v", Go: v}, Package: "."}
		requests[v+" program"] = Request{Variant: assay.Variant{Name: "v", Go: v}, Package: "./cmd/other", Program: true}
	}
	testRelinkExact(t, dir, requests)
}

// The same of a program of others.
func TestSlowRelinkReal(t *testing.T) {
	slow.Test(t)
	dir, pattern := realProgram(t)
	testRelinkExact(t, dir, map[string]Request{"real": {Variant: assay.Variant{Name: "v"}, Package: pattern, Program: true}})
}

func testRelinkExact(t *testing.T, dir string, requests map[string]Request) {
	if runtime.GOOS != "linux" {
		t.Skip("the build IDs are blanked in ELF files only")
	}
	b := New(t.TempDir())
	for name, r := range requests {
		t.Run(name, func(t *testing.T) {
			r.Study = dir
			relinkExactly(t, b, r)
		})
	}
}

func relinkExactly(t *testing.T, b *Builder, r Request) {
	r.Layout = 12345678901234567
	out := filepath.Join(t.TempDir(), "x.test")
	a, err := b.Relink(t.Context(), r, out)
	if err != nil {
		t.Fatal(err)
	}
	if a.Path != out || a.Program != r.Program || !strings.HasSuffix(a.ID, "-2bdc545d6b4b87") || a.Link <= 0 {
		t.Errorf("got %+v", a)
	}
	if want := sha256Of(t, out); a.SHA256 != want {
		t.Errorf("SHA256 = %q, want %q: that of this link", a.SHA256, want)
	}
	j, err := b.job(t.Context(), r)
	if err != nil {
		t.Fatal(err)
	}
	base := strings.Split(a.ID, "-")[0]
	if !disk.IsDir(b.links.folder(base)) {
		t.Fatal("there is no recipe: the slow way was taken")
	}
	want := filepath.Join(t.TempDir(), "want.test")
	if err := b.links.slowly(t.Context(), j, base, want); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(withoutBuildID(t, j.tc, out), withoutBuildID(t, j.tc, want)) {
		t.Error("the binaries differ")
	}
	info, err := buildinfo.ReadFile(out)
	if err != nil || !slices.ContainsFunc(info.Settings, func(s debug.BuildSetting) bool {
		return s.Key == "-ldflags" && strings.Contains(s.Value, "-randlayout=12345678901234567")
	}) {
		t.Errorf("the seed is not in the build information: %v, %v", info, err)
	}
	arch := lookup(j.env, "GOARCH")
	if arch == "" || arch == "386" && runtime.GOARCH == "amd64" {
		if err := runShort(out, r.Program); err != nil {
			t.Errorf("the binary does not run: %v", err)
		}
	}
}

func runShort(file string, program bool) error {
	if program {
		return exec.Command(file, "-v").Run() // glua would read a program from its input
	}
	return exec.Command(file, "-test.list=.").Run()
}

func TestRelinkSeeds(t *testing.T) {
	t.Parallel()
	dir := sourcetest.Module(t)
	b := New(t.TempDir())
	r := Request{Study: dir, Variant: assay.Variant{Name: "v"}, Package: "."}
	out := filepath.Join(t.TempDir(), "x.test")
	read := func(seed uint64) []byte {
		t.Helper()
		r.Layout = seed
		if _, err := b.Relink(t.Context(), r, out); err != nil {
			t.Fatal(err)
		}
		data, err := os.ReadFile(out)
		if err != nil {
			t.Fatal(err)
		}
		return data
	}
	one, two, largest := read(1), read(2), read(math.MaxInt64)
	if bytes.Equal(one, two) || bytes.Equal(one, largest) {
		t.Error("two seeds give one file")
	}
	if !bytes.Equal(one, read(1)) {
		t.Error("one seed gives two files")
	}
	// A Builder of a later run needs no go command to know how to link.
	if b = New(b.Cache.Dir); !bytes.Equal(one, read(1)) {
		t.Error("a stored recipe gives another file")
	}
	if left, _ := filepath.Glob(out + ".*"); len(left) > 0 {
		t.Errorf("left over: %v", left)
	}
	for _, seed := range []uint64{0, math.MaxInt64 + 1} {
		r.Layout = seed
		if _, err := b.Relink(t.Context(), r, out); err == nil {
			t.Errorf("seed %d was taken", seed)
		}
	}
}

// A recipe that no longer works, as after go clean -cache, is made anew.
func TestRelinkHeals(t *testing.T) {
	t.Parallel()
	dir := sourcetest.Module(t)
	b := New(t.TempDir())
	r := Request{Study: dir, Variant: assay.Variant{Name: "v"}, Package: "."}
	base := mustBuild(t, b, r)
	none := strings.Repeat("0", 64)
	if err := b.links.store(base.ID, recipe{Kit: Kit{Tool: none, Args: []string{markOut, markSeed}}, Paths: map[string]string{none: filepath.Join(dir, "no-linker")}}, []byte("gone")); err != nil {
		t.Fatal(err)
	}
	out := filepath.Join(dir, "x.test")
	r.Layout = 5
	if _, err := b.Relink(t.Context(), r, out); err != nil {
		t.Fatal(err)
	}
	var rec recipe
	if !disk.ReadJSON(filepath.Join(b.links.folder(base.ID), recipeName), &rec) || rec.Kit.Tool == none || !disk.IsFile(out) {
		t.Errorf("recipe is %+v", rec)
	}
}

// A working tree edited in the middle of a run must not give half the blocks
// another program.
func TestRelinkAfterEdit(t *testing.T) {
	t.Parallel()
	dir := sourcetest.Module(t)
	b := New(t.TempDir())
	r := Request{Study: dir, Variant: assay.Variant{Name: "v"}, Package: ".", Layout: 5}
	out := filepath.Join(t.TempDir(), "x.test")
	a, err := b.Relink(t.Context(), r, out)
	if err != nil {
		t.Fatal(err)
	}
	before, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	disktest.Write(t, dir, map[string]string{"tiny.go": "package tiny\n\nfunc Sum(n int) int { return n * (n - 1) / 2 }\n"})
	if _, err := b.Relink(t.Context(), r, out); err != nil {
		t.Fatal(err)
	}
	if after, err := os.ReadFile(out); err != nil || !bytes.Equal(before, after) {
		t.Errorf("the edit reached the link: %v", err)
	}
	// Where the archives are gone, too, only an error is left.
	id := strings.TrimSuffix(a.ID, "-5")
	b.links.recipes.Forget(id)
	os.RemoveAll(b.links.folder(id))
	_, err = b.Relink(t.Context(), r, out)
	errortest.Want(t, err, "source-changed", assay.ExitBuild)
}

func TestShellWords(t *testing.T) {
	for _, c := range []struct {
		in   string
		want []string
	}{
		{"", nil},
		{"link -o  x", []string{"link", "-o", "x"}},
		{`GOROOT='/usr/local/my go' /t/link -X "a.b=c d" x`, []string{"GOROOT=/usr/local/my go", "/t/link", "-X", "a.b=c d", "x"}},
		{`"a\tb" "c:\\go"`, []string{"a\tb", `c:\go`}},
		{`a"b c"d`, []string{"ab cd"}},
		{`"open`, nil},
		{`'open`, nil},
	} {
		got, ok := shellWords(c.in)
		if !slices.Equal(got, c.want) || ok != (c.want != nil) {
			t.Errorf("%s: got %q, %v, want %q", c.in, got, ok, c.want)
		}
	}
}

// What the go command quotes is read back; nothing makes the parser panic.
func FuzzShellWords(f *testing.F) {
	f.Add("-X", "main.x=a b", `"`)
	f.Add(`c:\go`, "", "tab\there")
	f.Fuzz(func(t *testing.T, a, b, c string) {
		shellWords(a + " " + b + c)
		parseCommand("WORK=" + a + "\n" + b + "importcfg.link -randlayout=" + c)
		line := strings.Join([]string{strconv.Quote(a), strconv.Quote(b), strconv.Quote(c)}, " ")
		if got, ok := shellWords(line); !ok || !slices.Equal(got, []string{a, b, c}) {
			t.Errorf("%s: got %q", line, got)
		}
	})
}

func TestParseCommand(t *testing.T) {
	work := t.TempDir()
	disktest.Write(t, work, map[string]string{"b001/importcfg.link": "packagefile tiny.test=" + filepath.Join(work, "b001", "_pkg_.a") + "\npackagefile os=/cache/os-d\nmodinfo \"-randlayout=4611686018427387847\"\n",
		"b002/importcfg.link": "packagefile os=" + filepath.Join(work, "b009", "_pkg_.a") + "\n"})
	line := "GOROOT='/r' /r/link -o $WORK/b001/tiny.test -importcfg $WORK/b001/importcfg.link -buildid=a/b -randlayout=4611686018427387847 -extld=gcc $WORK/b001/_pkg_.a"
	cmd := parseCommand("WORK=" + work + "\nmkdir -p $WORK/b001/\n" + line + "\n")
	want := []string{"-o", markOut, "-importcfg", markConfig, "-buildid=a/b", "-randlayout=" + markSeed, "-extld=gcc", markMain}
	if cmd.tool != "/r/link" || !slices.Equal(cmd.args, want) || !slices.Equal(cmd.env, []string{"GOROOT=/r"}) {
		t.Errorf("got %+v", cmd)
	}
	if want := "packagefile tiny.test=$MAIN\npackagefile os=/cache/os-d\nmodinfo \"-randlayout=$SEED\"\n"; cmd.config != want {
		t.Errorf("config: got %q, want %q", cmd.config, want)
	}
	for name, log := range map[string]string{
		"no link":                 "WORK=" + work + "\n",
		"no folder":               line + "\n",
		"archives in the folder":  "WORK=" + work + "\n" + strings.ReplaceAll(line, "$WORK/b001/importcfg", "$WORK/b002/importcfg"),
		"by another program":      "WORK=" + work + "\n" + strings.Replace(line, "/r/link", "/bin/time /r/link", 1),
		"an argument in the work": "WORK=" + work + "\n" + strings.Replace(line, "-extld=gcc", "-extldflags=$WORK/b001/x.o", 1),
	} {
		if cmd := parseCommand(log); cmd.tool != "" {
			t.Errorf("%s: got %+v", name, cmd)
		}
	}
}

// A link that is asked for alignment has every function of Go at a multiple of it, by a
// recipe and by the go command.
func TestRelinkAligns(t *testing.T) {
	t.Parallel()
	if runtime.GOOS != "linux" {
		t.Skip("the symbols are read of ELF files only")
	}
	dir, b := withPrograms(t), New(t.TempDir())
	r := Request{Study: dir, Variant: assay.Variant{Name: "v"}, Package: ".", Layout: 5, Align: 64}
	odd := func(out string) (n int) {
		f, err := elf.Open(out)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		symbols, err := f.Symbols()
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range symbols {
			if elf.ST_TYPE(s.Info) == elf.STT_FUNC && strings.HasPrefix(s.Name, "testing.(*B).") && s.Value%64 != 0 {
				n++
			}
		}
		return n
	}
	aligned, plain := filepath.Join(t.TempDir(), "a"), filepath.Join(t.TempDir(), "b")
	if _, err := b.Relink(t.Context(), r, aligned); err != nil {
		t.Fatal(err)
	}
	if n := odd(aligned); n > 0 {
		t.Errorf("%d functions are not at multiples of 64", n)
	}
	j, err := b.job(t.Context(), r)
	if err != nil {
		t.Fatal(err)
	}
	_, id, err := b.binary(t.Context(), j)
	if err != nil {
		t.Fatal(err)
	}
	if err := b.links.slowly(t.Context(), j, id, aligned); err != nil || odd(aligned) > 0 {
		t.Errorf("by the go command: %v, %d functions are not at multiples of 64", err, odd(aligned))
	}
	r.Align = 0
	if _, err := b.Relink(t.Context(), r, plain); err != nil {
		t.Fatal(err)
	}
	if odd(plain) == 0 {
		t.Error("without alignment all are at multiples of 64, too: this test cannot fail")
	}
}
