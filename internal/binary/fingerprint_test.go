package binary

import (
	"cmp"
	"encoding/json"
	"errors"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/seed-1318a441/assay/internal/slow"
)

// program has one of everything whose change must be seen. It imports nothing
// heavy, so that cross builds stay cheap.
const program = `package main

import "os"

const factor = 7

var table = [4]int{1, 2, 3, 4}
var names = []string{"alpha", "beta"}
var index = map[string]int{"x": 1, "y": 2}
var shared = &pair{5, 6}
var big [100]byte
var sparse = [8]int{1}

type pair struct{ a, b int }

type shape interface{ area() int }
type square struct{ side int }
type wide struct{ w [48]byte }

func (s *square) area() int { return s.side * s.side }
func (p *pair) area() int   { return p.a * p.b }

//go:noinline
func choose(n int) int {
	switch n {
	case 1:
		return 10
	case 2:
		return 23
	case 3:
		return 34
	case 4:
		return 41
	case 5:
		return len(os.Args)
	case 6:
		return 63
	case 7:
		return 71
	case 8:
		return 99
	case 9:
		return 12
	}
	return n*factor + table[n&3]
}

//go:noinline
func left(n int) int { return n - 3 }

//go:noinline
func right(n int) int { return n - 4 }

//go:noinline
func text() string { return "hello" }

//go:noinline
func half(x float64) float64 { return x * 0.4375 }

//go:noinline
func slot() int { return sparse[3] }

//go:noinline
func box() any { return new(wide) }

func main() {
	n := len(os.Args)
	var s shape = &square{n}
	if n > 7 {
		s = shared
	}
	println(choose(n), left(n), right(n), text(), half(float64(n)), names[n&1], index["x"], s.area(), big[n], box() == nil, slot())
}
`

// A build is one way of making a binary of program.
type build struct {
	source string   // instead of program
	edit   []string // pairs for strings.NewReplacer
	args   []string
	env    []string
}

// make builds a binary in a folder of its own and returns its path.
func (b build) make(t testing.TB) string {
	t.Helper()
	original := cmp.Or(b.source, program)
	source := strings.NewReplacer(b.edit...).Replace(original)
	if len(b.edit) > 0 && source == original {
		t.Fatalf("edit %q changes nothing", b.edit)
	}
	dir := t.TempDir()
	for name, text := range map[string]string{"go.mod": "module example.com/m\n\ngo 1.26\n", "main.go": source} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.Command("go", append([]string{"build", "-o", "out"}, b.args...)...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOFLAGS=", "GOTOOLCHAIN=local", "GOWORK=off", "GOEXPERIMENT=", "CGO_ENABLED=0")
	cmd.Env = append(cmd.Env, b.env...)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	return filepath.Join(dir, "out")
}

func (b build) print(t testing.TB) *Print {
	t.Helper()
	p, err := Fingerprint(b.make(t))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func wantSame(t *testing.T, a, b *Print) {
	t.Helper()
	if d := Compare(a, b); !d.Same() {
		t.Errorf("got %v, want the same code\nonly a %q\nonly b %q\nchanged %q\ndata %q", d, d.OnlyA, d.OnlyB, d.Changed, d.Data)
	}
}

// What the linker and the clock decide must not count.
func TestSameCode(t *testing.T) {
	base := build{}.print(t)
	if len(base.Funcs) < 1000 {
		t.Fatalf("got %d functions, want the whole runtime", len(base.Funcs))
	}
	for name, b := range map[string]build{
		"again, another folder": {},
		"trimpath":              {args: []string{"-trimpath"}},
		"layout 3":              {args: []string{"-ldflags=-randlayout=3"}},
		"layout 7":              {args: []string{"-ldflags=-randlayout=7"}},
		"build id":              {args: []string{"-ldflags=-buildid=another"}},
		"comments": {edit: []string{"const factor", "// A comment.\n\n\nconst factor", "n := len", "// And another.\n\tn := len",
			"func main", "// main does it.\nfunc main"}},
		// Off by default in go1.26: the live example of statistics.md 1.
		"experiment that is off": {env: []string{"GOEXPERIMENT=nosizespecializedmalloc"}},
	} {
		t.Run(name, func(t *testing.T) { wantSame(t, base, b.print(t)) })
	}
}

// Position-independent files hold pointers as relocations.
func TestSlowSameCodePIE(t *testing.T) {
	slow.Test(t)
	pie := build{args: []string{"-buildmode=pie"}}
	shuffled := build{args: []string{"-buildmode=pie", "-ldflags=-randlayout=5"}}
	edited := build{args: pie.args, edit: []string{`"alpha"`, `"alphb"`}}
	base := pie.print(t)
	wantSame(t, base, shuffled.print(t))
	if d := Compare(base, edited.print(t)); d.Same() {
		t.Error("a changed string was not seen")
	}
}

// Every change of meaning must count, and be found where it is. An empty want
// says only that something differs.
func TestDifferentCode(t *testing.T) {
	base := build{}.print(t)
	for _, test := range []struct {
		name    string
		edit    []string
		changed []string // functions, all of them
	}{
		{"constant", []string{"factor = 7", "factor = 9"}, []string{"main.choose"}},
		{"string of equal length", []string{`"hello"`, `"jello"`}, []string{"main.text"}},
		{"callee", []string{"left(n), right(n)", "right(n), left(n)"}, []string{"main.main"}},
		{"float constant", []string{"0.4375", "0.4376"}, []string{"main.half"}},
		{"jump table order", []string{"return 23", "return 34", "return 34", "return 23"}, []string{"main.choose"}},
		{"initial value", []string{"{1, 2, 3, 4}", "{1, 2, 3, 5}"}, nil},
		{"initial string", []string{`"alpha"`, `"alphb"`}, nil},
		{"initial pointer's target", []string{"&pair{5, 6}", "&pair{5, 8}"}, nil},
		{"size of zeroed global", []string{"[100]byte", "[200]byte"}, nil},
		{"size of a type", []string{"[48]byte", "[64]byte"}, nil},
		{"map literal's value", []string{`"x": 1`, `"x": 3`}, nil},
		{"place in zeroes", []string{"sparse[3]", "sparse[4]"}, []string{"main.slot"}},
		{"method", []string{"p.a * p.b", "p.a + p.b"}, []string{"main.(*pair).area"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			d := Compare(base, build{edit: test.edit}.print(t))
			if d.Same() {
				t.Fatal("the change was not seen")
			}
			if test.changed != nil && !slices.Equal(d.Changed, test.changed) {
				t.Errorf("changed functions: got %q, want %q", d.Changed, test.changed)
			}
		})
	}
}

// Where an experiment changes code, many functions say so.
func TestSlowDifferentExperiment(t *testing.T) {
	slow.Test(t)
	d := Compare(build{}.print(t), build{env: []string{"GOEXPERIMENT=sizespecializedmalloc"}}.print(t))
	if len(d.Changed) < 20 || !slices.Contains(d.OnlyB, "runtime.mallocgcSmallNoScanSC4") {
		t.Errorf("got %v, want many changed and mallocgcSmallNoScanSC4 only in b", d)
	}
}

// The other formats name and size things in their own ways.
func TestSlowPlatforms(t *testing.T) {
	slow.Test(t)
	for platform, env := range map[string][]string{
		"elf/arm64":   {"GOOS=linux", "GOARCH=arm64"},
		"macho/arm64": {"GOOS=darwin", "GOARCH=arm64"},
		"pe/amd64":    {"GOOS=windows", "GOARCH=amd64"},
	} {
		t.Run(platform, func(t *testing.T) {
			// Temporary folders have random names; in Mach-O they move data that a
			// reference without a name is told apart by (see the package comment).
			base := build{env: env, args: []string{"-trimpath"}}.print(t)
			if base.Platform != platform {
				t.Errorf("got platform %q, want %q", base.Platform, platform)
			}
			wantSame(t, base, build{env: env, args: []string{"-trimpath", "-ldflags=-randlayout=7"}}.print(t))
			for _, edit := range [][]string{{`"hello"`, `"jello"`}, {"{1, 2, 3, 4}", "{1, 2, 3, 5}"},
				{"left(n), right(n)", "right(n), left(n)"}, {"[48]byte", "[64]byte"}, {"sparse[3]", "sparse[4]"}} {
				if d := Compare(base, build{env: env, args: []string{"-trimpath"}, edit: edit}.print(t)); d.Same() || len(d.Changed) > 8 {
					t.Errorf("edit %q: got %v, want few functions or some data", edit, d)
				}
			}
		})
	}
}

// One flipped bit anywhere in code or data must be seen, but for places that
// are known to say nothing: padding, tables that follow from the rest.
func TestMutations(t *testing.T) { checkMutations(t, 80) }

func TestSlowMutations(t *testing.T) {
	slow.Test(t)
	checkMutations(t, 240)
}

func checkMutations(t *testing.T, flips int) {
	data, err := os.ReadFile(build{}.make(t))
	if err != nil {
		t.Fatal(err)
	}
	im, err := parse(data)
	if err != nil {
		t.Fatal(err)
	}
	base := im.print()
	random := rand.New(rand.NewPCG(1, 2))
	seen := 0
	for range flips {
		im, _ := parse(data)
		s := im.sections[random.IntN(len(im.sections))]
		if s.skip || len(s.data) == 0 {
			continue
		}
		off := random.IntN(len(s.data))
		s.data[off] ^= 1 << random.IntN(8)
		addr := s.addr + uint64(off)
		if i := find(im.named, addr); i >= 0 && im.aboutBuild(im.named[i]) > 0 ||
			s.exec && find(im.funcs, addr) < 0 || newTypeTable(im).holds(addr) {
			continue
		}
		seen++
		if Compare(base, im.print()).Same() {
			t.Errorf("bit flipped at %#x in %s was not seen", addr, s.name)
		}
	}
	if seen < flips/4 {
		t.Errorf("only %d bits were tried", seen)
	}
}

func TestStripped(t *testing.T) {
	path := build{args: []string{"-ldflags=-s -w"}}.make(t)
	f, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(f.Funcs, func(f Func) bool { return f.Name == "main.choose" })
	if i < 0 || f.Funcs[i].Size == 0 || f.Funcs[i].Addr == 0 {
		t.Errorf("main.choose not found among %d functions", len(f.Funcs))
	}
	if _, err := Fingerprint(path); !errors.Is(err, ErrStripped) {
		t.Errorf("got error %v, want %v", err, ErrStripped)
	}
}

func TestOpen(t *testing.T) {
	path := build{}.make(t)
	f, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	if f.Arch == "" || f.Format == "" {
		t.Errorf("got arch %q and format %q", f.Arch, f.Format)
	}
	if !slices.IsSortedFunc(f.Funcs, func(a, b Func) int { return int(int64(a.Addr - b.Addr)) }) {
		t.Error("functions are not in address order")
	}
	for _, bad := range []struct{ content, want string }{
		{"", "not an ELF, Mach-O or PE file"},
		{"#!/bin/sh\n", "not an ELF, Mach-O or PE file"},
		{"\x7fELF", "read binary"},
		{"MZ", "read binary"},
	} {
		path := filepath.Join(t.TempDir(), "bad")
		if err := os.WriteFile(path, []byte(bad.content), 0o666); err != nil {
			t.Fatal(err)
		}
		if _, err := Open(path); err == nil || !strings.Contains(err.Error(), bad.want) {
			t.Errorf("Open of %q: got %v, want an error with %q", bad.content, err, bad.want)
		}
	}
}

func TestPrintJSON(t *testing.T) {
	want := &Print{Format: printFormat, Platform: "elf/amd64",
		Funcs: map[string]Hash{"main.main": 1, "main.f[go.shape.int]": 0xfedcba9876543210}, Data: map[string]Hash{"main.x": 0}}
	text, err := json.Marshal(want)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(text), `"main.main":"0000000000000001"`) {
		t.Errorf("got %s, want hashes as 16 hex digits", text)
	}
	got := new(Print)
	if err := json.Unmarshal(text, got); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, %v, want %+v", got, err, want)
	}
	if err := json.Unmarshal([]byte(`{"funcs":{"f":"xyz"}}`), got); err == nil {
		t.Error("a hash that is no number was read")
	}
}

func TestCompare(t *testing.T) {
	a := &Print{Format: 1, Platform: "elf/amd64", Funcs: map[string]Hash{"f": 1, "g": 2, "h": 3, "k": 9}, Data: map[string]Hash{"x": 1, "y": 2}}
	b := &Print{Format: 1, Platform: "elf/amd64", Funcs: map[string]Hash{"f": 1, "h": 4, "i": 5, "k": 9}, Data: map[string]Hash{"x": 1, "z": 2}}
	got := Compare(a, b)
	want := Difference{Functions: 5, OnlyA: []string{"g"}, OnlyB: []string{"i"}, Changed: []string{"h"}, Data: []string{"y", "z"}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
	if got.Same() || !Compare(a, a).Same() {
		t.Error("want a to equal itself only")
	}
	other := *a
	other.Platform = "pe/amd64"
	older := *a
	older.Format = 0
	for name, d := range map[string]Difference{"zero": {}, "nil": Compare(nil, nil), "empty": Compare(&Print{}, &Print{}),
		"platform": Compare(a, &other), "format": Compare(&older, a)} {
		if d.Same() {
			t.Errorf("%s: got the same code", name)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, env := range [][]string{nil, {"GOOS=windows", "GOARCH=amd64"}} {
		data, err := os.ReadFile(build{env: env}.make(f))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data[:4096])
	}
	f.Add([]byte{0xcf, 0xfa, 0xed, 0xfe, 0, 0})
	f.Add([]byte("MZ"))
	f.Fuzz(func(t *testing.T, data []byte) {
		im, err := parse(data)
		if err == nil {
			strippedFuncs(readLineTable(im)) // its error is as good as its result
			im.print()
		}
	})
}

func BenchmarkFingerprint(b *testing.B) {
	path := build{}.make(b)
	info, err := os.Stat(path)
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(info.Size())
	for b.Loop() {
		if _, err := Fingerprint(path); err != nil {
			b.Fatal(err)
		}
	}
}
