package binary

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"os/exec"
	"reflect"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/seed-1318a441/assay/internal/slow"
)

// reading has one of each thing that is read from code.
const reading = `package main

import "os"

type node struct{ next *node }

var list *node
var numbers = make([]int, 10)

//go:noinline
func index(s []int, i int) int { return s[i] }

//go:noinline
func link(n *node) { list = n }

func twice(n int) int { return n * n * 5 }

func both(n int) int {
	return twice(n) + twice(n+len(os.Args))
}

//go:noinline
func inliner(n int) int {
	return both(n)
}

//go:noinline
func again(n int) int {
	if n <= 0 {
		return 0
	}
	return again(n-1) +
		index(numbers, n)
}

//go:noinline
func large(n int) int {
	var a [300]int
	for i := range a {
		a[i] = index(numbers, n)
	}
	return a[index(numbers, n)%300]
}

//go:noinline
func indirect(f func(int) int) int { return f(3) }

//go:noinline
func text() string { return "hello" }

func main() {
	link(new(node))
	println(inliner(1), again(2), large(3), indirect(again), text())
}
`

// lineOf returns the line of the program's first line that holds part.
func lineOf(t *testing.T, part string) int {
	t.Helper()
	before, _, ok := strings.Cut(reading, part)
	if !ok {
		t.Fatalf("no line has %q", part)
	}
	return strings.Count(before, "\n") + 1
}

func open(t testing.TB, path string) *File {
	t.Helper()
	f, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func function(t testing.TB, f *File, name string) Func {
	t.Helper()
	fn, ok := f.Find(name)
	if !ok {
		t.Fatalf("%s: got %+v, %v, want a Go function", name, fn, ok)
	}
	return fn
}

func TestRead(t *testing.T) {
	testRead(t, build{env: []string{"GOOS=linux", "GOARCH=amd64"}})
}

// The others differ in format or instructions, or in the way to build.
func TestSlowRead(t *testing.T) {
	slow.Test(t)
	for name, b := range map[string]build{
		"pie":           {env: []string{"GOOS=linux", "GOARCH=amd64"}, args: []string{"-buildmode=pie"}},
		"linux arm64":   {env: []string{"GOOS=linux", "GOARCH=arm64"}},
		"darwin arm64":  {env: []string{"GOOS=darwin", "GOARCH=arm64"}},
		"windows amd64": {env: []string{"GOOS=windows", "GOARCH=amd64"}},
	} {
		t.Run(name, func(t *testing.T) { testRead(t, b) })
	}
}

func testRead(t *testing.T, b build) {
	check := func(t *testing.T, f *File) {
		t.Run("facts", func(t *testing.T) { checkFacts(t, f) })
		t.Run("instructions", func(t *testing.T) { checkInsts(t, f) })
		t.Run("lines", func(t *testing.T) { checkLines(t, f) })
		t.Run("inlined", func(t *testing.T) { checkInlined(t, f) })
		t.Run("edges", func(t *testing.T) { checkEdges(t, f) })
	}
	b.source = reading
	t.Run("whole", func(t *testing.T) { check(t, open(t, b.make(t))) })
	b.args = append(b.args, "-ldflags=-s -w")
	t.Run("stripped", func(t *testing.T) {
		f := open(t, b.make(t))
		if !f.Stripped() {
			t.Error("got a symbol table, want a stripped file")
		}
		check(t, f)
	})
}

func checkFacts(t *testing.T, f *File) {
	for _, test := range []struct {
		name                    string
		calls, bounds, barriers int
		least, most             int // of the frame
	}{
		{"main.index", 0, 1, 0, 0, 64},
		{"main.link", 0, 0, 1, 0, 64},
		{"main.again", 2, 0, 0, 16, 64},
		{"main.large", 2, 1, 0, 2400, 2500},
		{"main.indirect", 1, 0, 0, 8, 64},
		{"main.text", 0, 0, 0, 0, 0},
	} {
		got := f.Facts(function(t, f, test.name))
		if got.Calls != test.calls || got.BoundsChecks != test.bounds || got.WriteBarriers != test.barriers ||
			got.Frame < test.least || got.Frame > test.most || got.Size < got.Instructions || got.Instructions < 2 {
			t.Errorf("%s: got %+v, want %+v", test.name, got, test)
		}
	}
}

func checkInsts(t *testing.T, f *File) {
	has := func(name string, want Inst) {
		t.Helper()
		list := f.Insts(function(t, f, name))
		ok := slices.ContainsFunc(list, func(in Inst) bool {
			return in.Text == want.Text && in.Callee == want.Callee && in.Call == want.Call && in.Mark == want.Mark
		})
		if !ok {
			t.Errorf("%s: got %+v, want one like %+v", name, list, want)
		}
	}
	has("main.again", Inst{Text: "CALL main.again(SB)", Call: true, Mark: MarkCall})
	has("main.again", Inst{Text: "CALL main.index(SB)", Callee: "main.index", Call: true, Mark: MarkCall})
	has("main.again", Inst{Text: "JMP +0x0"}) // behind runtime.morestack
	if !f.Stripped() {
		has("main.text", Inst{Text: map[string]string{"amd64": `LEAQ "hello"(SB), AX`, "arm64": `ADRP "hello"(SB), R0`}[f.Arch]})
	}
	count := 0
	for _, in := range f.Insts(function(t, f, "main.indirect")) {
		if in.Indirect && in.Call && in.Callee == "" {
			count++
		}
	}
	if count != 1 {
		t.Errorf("main.indirect: got %d indirect calls, want 1", count)
	}
}

func checkLines(t *testing.T, f *File) {
	fn := function(t, f, "main.again")
	if file, line, ok := f.Start(fn); !ok || !strings.HasSuffix(file, "main.go") || line != lineOf(t, "func again") {
		t.Errorf("main.again starts at %s:%d, %v, want line %d", file, line, ok, lineOf(t, "func again"))
	}
	at := fn.Addr
	for _, l := range f.LinesOf(fn) {
		if l.Addr != at || l.End <= l.Addr {
			t.Errorf("got lines from %#x to %#x, want them from %#x", l.Addr, l.End, at)
		}
		at = l.End
	}
	if at < fn.Addr+fn.Size {
		t.Errorf("lines end at %#x, the function at %#x", at, fn.Addr+fn.Size)
	}
	for _, in := range f.Insts(fn) {
		file, line, ok := f.Line(in.Addr)
		if !ok || file != in.File || line != in.Line || !strings.HasSuffix(file, "main.go") {
			t.Errorf("%s: got %s:%d and %s:%d, want two times the same", in.Text, file, line, in.File, in.Line)
		}
		if want := lineOf(t, "index(numbers, n)\n}"); in.Callee == "main.index" && line != want {
			t.Errorf("%s: got line %d, want %d", in.Text, line, want)
		}
	}
	if _, _, ok := f.Line(1); ok {
		t.Error("address 1 has a line")
	}
}

func checkInlined(t *testing.T, f *File) {
	got := f.Inlined(function(t, f, "main.inliner"))
	for i := range got {
		if !strings.HasSuffix(got[i].File, "main.go") {
			t.Errorf("got file %q, want main.go", got[i].File)
		}
		got[i].File = ""
	}
	inner := InlinedCall{Callee: "main.twice", Line: lineOf(t, "return twice")}
	outer := InlinedCall{Callee: "main.both", Line: lineOf(t, "return both")}
	slices.SortFunc(got, func(a, b InlinedCall) int { return strings.Compare(a.Callee, b.Callee) })
	got = slices.Compact(got) // of the two equal ones the compiler may merge some code
	if want := []InlinedCall{outer, inner}; !slices.Equal(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
	if got := f.Inlined(function(t, f, "main.text")); got != nil {
		t.Errorf("main.text: got %+v, want nothing", got)
	}
}

func checkEdges(t *testing.T, f *File) {
	callees := f.Edges()["main.again"]
	if len(callees) != 2 || callees["main.index"] != 1 {
		t.Errorf("main.again: got %v, want main.index and runtime.morestack...", callees)
	}
	if n := f.Edges()["main.large"]["main.index"]; n != 2 {
		t.Errorf("main.large: got %d calls of main.index, want 2", n)
	}
	// What the fast decoder finds is what the other one does.
	for _, fn := range f.Funcs {
		if !strings.HasPrefix(fn.Name, "runtime.") || fn.Name == "runtime.text" {
			continue
		}
		want := map[string]int{}
		for _, other := range f.Funcs {
			if other.Name != fn.Name {
				continue
			}
			for _, in := range f.decode(other, false) {
				if in.Callee != "" {
					want[in.Callee]++
				}
			}
		}
		if got := f.Edges()[fn.Name]; len(want)+len(got) > 0 && !reflect.DeepEqual(got, want) {
			t.Errorf("%s: got %v, want %v", fn.Name, got, want)
		}
	}
}

// Texts of equal code are equal wherever the linker puts it.
func TestInstsLayout(t *testing.T) { testInstsLayout(t, "amd64") }

func TestSlowInstsLayout(t *testing.T) {
	slow.Test(t)
	testInstsLayout(t, "arm64")
}

func testInstsLayout(t *testing.T, arch string) {
	env := []string{"GOOS=linux", "GOARCH=" + arch}
	a := open(t, build{env: env}.make(t))
	b := open(t, build{env: env, args: []string{"-ldflags=-randlayout=7"}}.make(t))
	differ := 0
	for _, fn := range a.Funcs {
		other, ok := b.Find(fn.Name)
		if !ok || fn.Name == "go:buildid" {
			continue
		}
		x, y := a.Insts(fn), b.Insts(other)
		for i := range x {
			if i < len(y) && x[i].Text != y[i].Text {
				if differ++; differ < 10 {
					t.Errorf("%s %s+%#x: got %q and %q", arch, fn.Name, x[i].Addr-fn.Addr, x[i].Text, y[i].Text)
				}
			}
		}
	}
	if differ > 0 {
		t.Errorf("%s: %d instructions differ", arch, differ)
	}
}

func TestHashes(t *testing.T) {
	path := build{}.make(t)
	want, err := Fingerprint(path)
	if err != nil {
		t.Fatal(err)
	}
	if got, exact := open(t, path).Hashes(); !exact || !reflect.DeepEqual(got, want.Funcs) {
		t.Errorf("got %d hashes, exact %v, want the %d of the fingerprint", len(got), exact, len(want.Funcs))
	}
}

// In stripped files code is the same whatever its place, and other code differs.
func TestHashesStripped(t *testing.T) {
	hashes := func(b build) map[string]Hash {
		b.args = append(b.args, "-trimpath")
		got, exact := open(t, b.make(t)).Hashes()
		if exact || len(got) < 1000 {
			t.Errorf("got %d hashes, exact %v, want those of the runtime, not exact", len(got), exact)
		}
		return got
	}
	base := hashes(build{args: []string{"-ldflags=-s -w"}})
	moved := hashes(build{args: []string{"-ldflags=-s -w -randlayout=7"}})
	edited := hashes(build{args: []string{"-ldflags=-s -w"}, edit: []string{"factor = 7", "factor = 9"}})
	callee := hashes(build{args: []string{"-ldflags=-s -w"}, edit: []string{"left(n), right(n)", "right(n), left(n)"}})
	for _, test := range []struct {
		name string
		got  map[string]Hash
		want []string
	}{{"moved", moved, nil}, {"edited", edited, []string{"main.choose"}}, {"callee", callee, []string{"main.main"}}} {
		onlyA, onlyB, changed := diffMaps(base, test.got)
		if len(onlyA)+len(onlyB) > 0 || !slices.Equal(changed, test.want) {
			t.Errorf("%s: got %q changed, %q and %q on one side, want %q", test.name, changed, onlyA, onlyB, test.want)
		}
	}
}

// The Go distribution's own disassembler is the reference.
func TestObjdump(t *testing.T) { testObjdump(t, "amd64") }

func TestSlowObjdump(t *testing.T) {
	slow.Test(t)
	testObjdump(t, "arm64")
}

func testObjdump(t *testing.T, arch string) {
	path := build{source: reading, env: []string{"GOOS=linux", "GOARCH=" + arch}}.make(t)
	f := open(t, path)
	for _, name := range []string{"main.main", "main.again", "main.large", "runtime.growslice", "runtime.mallocgc", "runtime.mapassign_fast64"} {
		fn, ok := f.Find(name)
		if !ok {
			continue
		}
		out, err := exec.Command("go", "tool", "objdump", "-s", "^"+strings.ReplaceAll(name, ".", `\.`)+"$", path).Output()
		if err != nil {
			t.Fatal(err)
		}
		want, got := objdump(string(out)), []string{}
		for _, in := range f.Insts(fn) {
			file := in.File[strings.LastIndexByte(in.File, '/')+1:]
			call := ""
			if in.Call {
				call = in.Text
			}
			got = append(got, fmt.Sprintf("%s:%d %#x %s", file, in.Line, in.Addr, call))
		}
		if len(got) == 0 || !slices.Equal(got, want) {
			t.Errorf("%s %s: got %d instructions\n%s\nwant %d\n%s", arch, name, len(got), strings.Join(got, "\n"), len(want), strings.Join(want, "\n"))
		}
	}
}

// objdump reads lines of "file:line address bytes text" and keeps the texts of
// calls. Unknown words at the end are padding.
func objdump(out string) []string {
	var list []string
	for l := range strings.Lines(out) {
		var fields []string
		for c := range strings.SplitSeq(l, "\t") {
			if c = strings.TrimSpace(c); c != "" {
				fields = append(fields, c)
			}
		}
		if len(fields) < 4 || fields[3] == "?" {
			continue
		}
		call := ""
		if strings.HasPrefix(fields[3], "CALL") {
			call = fields[3]
		}
		list = append(list, fields[0]+" "+fields[1]+" "+call)
	}
	return list
}

// A binary of this package's own making: one section of code, one function.
func codeFile(arch string, code []byte) *File {
	im := &image{format: "elf", arch: arch, sized: true}
	im.sections = []*section{{name: ".text", addr: 0x1000, size: uint64(len(code)), data: code, exec: true},
		{name: ".rodata", addr: 0x100000, size: 64, data: bytes.Repeat([]byte("\x1b[31mred"), 8)}}
	im.symbols = []symbol{{name: "f\x1b[2J", addr: 0x1000, size: uint64(len(code))}}
	if err := im.settle(); err != nil {
		return nil
	}
	f := newFile(im, nil)
	for _, s := range im.funcs {
		f.Funcs = append(f.Funcs, Func{Name: s.name, Addr: s.addr, Size: s.size})
	}
	return f
}

func TestUnknownInsts(t *testing.T) {
	for _, test := range []struct {
		arch string
		code []byte
		want []string
	}{
		{"amd64", []byte{0x06, 0xc5, 0xf8, 0x77, 0xc3}, []string{"BYTE $0x06", "VZEROUPPER", "RET"}},
		{"amd64", []byte{0xe8, 0xfb, 0xff, 0xff, 0xff, 0xeb, 0xf9, 0xff}, []string{"CALL f?[2J(SB)", "JMP +0x0", "BYTE $0xff"}},
		{"arm64", words(0x88fbfc41, 0xf8e400a6, 0x38e13002, 0xb8e18002, 0xd65f03c0, 0x0000ffff),
			[]string{"CASALW R27, (R2), R1", "LDADDALD R4, (R5), R6", "LDORALB R1, (R0), R2", "SWPALW R1, (R0), R2", "RET", "WORD $0x0000ffff"}},
	} {
		f := codeFile(test.arch, test.code)
		var got []string
		for _, in := range f.Insts(f.Funcs[0]) {
			got = append(got, in.Text)
		}
		if !slices.Equal(got, test.want) {
			t.Errorf("%s: got %q, want %q", test.arch, got, test.want)
		}
	}
}

func TestMark(t *testing.T) {
	for callee, want := range map[string]string{
		"runtime.panicIndex": MarkBounds, "runtime.panicIndexU": MarkBounds, "runtime.panicSlice3Acap": MarkBounds, // go1.24, go1.25
		"runtime.goPanicSliceB": MarkBounds, "runtime.goPanicIndex": MarkBounds,
		"runtime.panicBounds": MarkBounds, // go1.26, go1.27
		"runtime.panicdivide": MarkCall, "runtime.typedmemmove": MarkCall, "main.panicIndex": MarkCall,
		"runtime.gcWriteBarrier2": MarkBarrier, "runtime.wbZero": MarkBarrier,
		"runtime.morestack_noctxt": "", "runtime.morestack_noctxt.abi0": "", "runtime.newobject": MarkCall,
	} {
		if got := markOf(Inst{Callee: callee, Call: true}); got != want {
			t.Errorf("%s: got %q, want %q", callee, got, want)
		}
	}
	if got := markOf(Inst{Call: true, Indirect: true}); got != MarkCall {
		t.Errorf("indirect call: got %q, want %q", got, MarkCall)
	}
	if got := markOf(Inst{Indirect: true}); got != "" {
		t.Errorf("jump table: got %q, want nothing", got)
	}
}

func FuzzInsts(f *testing.F) {
	f.Add([]byte{0xe8, 0, 1, 0, 0, 0xc5, 0xf8, 0x77, 0x62, 0xf1}, false)
	f.Add([]byte{0x48, 0x8d, 0x05, 0xf9, 0xef, 0x0f, 0, 0xc3}, false) // lea into .rodata
	f.Add(words(0x94000400, 0xb0000000, 0x91004020, 0x1800003b, 0x10000028), true)
	f.Fuzz(func(t *testing.T, code []byte, arm bool) {
		file := codeFile("amd64", code)
		if arm {
			file = codeFile("arm64", code)
		}
		if file == nil || len(file.Funcs) == 0 {
			return
		}
		fn, size := file.Funcs[0], 0
		for _, in := range file.Insts(fn) {
			if in.Addr != fn.Addr+uint64(size) || in.Size < 1 || in.Text == "" {
				t.Errorf("at %d: got %+v, want the next instruction", size, in)
			}
			if strings.ContainsFunc(in.Text, unicode.IsControl) {
				t.Errorf("got %q, want no control characters", in.Text)
			}
			size += in.Size
		}
		if facts := file.Facts(fn); facts.Size != size || size > len(code) {
			t.Errorf("got size %d and %d of %d", facts.Size, size, len(code))
		}
		file.Edges()
	})
}

// A damaged line table gives wrong answers, but no panic and no endless loop.
func FuzzLineTable(f *testing.F) {
	data := lineTableOf(f, build{args: []string{"-ldflags=-s -w"}}.make(f))
	f.Add(uint32(8), []byte{255, 255, 255, 255})
	f.Add(uint32(len(data)/2), bytes.Repeat([]byte{0x80}, 500))
	f.Add(uint32(len(data)-2000), bytes.Repeat([]byte{0xff, 0xff, 0xff, 0x7f}, 300))
	f.Fuzz(func(t *testing.T, at uint32, patch []byte) {
		damaged := bytes.Clone(data)
		copy(damaged[int(at)%len(damaged):], patch)
		im := &image{format: "elf", arch: "amd64", sized: true, stripped: true, sections: []*section{
			{name: ".text", addr: 0x400000, size: 1 << 20, data: make([]byte, 1<<20), exec: true},
			{name: ".gopclntab", addr: 0x800000, size: uint64(len(damaged)), data: damaged, skip: true}}}
		file := newFile(im, readLineTable(im))
		if file.lines == nil {
			return
		}
		file.lines.gofunc = 0x800000
		strippedFuncs(file.lines) // its error is as good as its result
		for i := 0; i < file.lines.count && i < 2000; i += 7 {
			fn := Func{Addr: file.lines.entry(i), Size: 100}
			file.Line(fn.Addr + 4)
			file.Start(fn)
			file.LinesOf(fn)
			file.Inlined(fn)
			file.frame(fn)
		}
	})
}

func lineTableOf(t testing.TB, path string) []byte {
	t.Helper()
	_, data := open(t, path).image.findLineTable()
	if len(data) == 0 || binary.LittleEndian.Uint32(data) != lineMagic {
		t.Fatalf("got a line table of %d bytes", len(data))
	}
	return data
}

func BenchmarkEdges(b *testing.B) {
	path := build{}.make(b)
	for b.Loop() {
		if f := open(b, path); len(f.Edges()) < 1000 {
			b.Fatalf("got %d callers", len(f.Edges()))
		}
	}
}

// Tables of methods are named as up to go1.26, where they have symbols.
func TestNamesOfData(t *testing.T) {
	f := open(t, build{env: []string{"GOOS=linux", "GOARCH=amd64"}}.make(t))
	var got strings.Builder
	for _, in := range f.Insts(function(t, f, "main.main")) {
		got.WriteString(in.Text + "\n")
	}
	for _, want := range []string{"go:itab.*main.pair,main.shape(SB)", "main.shared(SB)", "main.names+0x8(SB)",
		"type:main.square(SB)", `"x"(SB)`} {
		if !strings.Contains(got.String(), want) {
			t.Errorf("main.main: got\n%swant %s in it", got.String(), want)
		}
	}
}
