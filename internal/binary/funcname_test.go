package binary

import (
	"strings"
	"testing"
)

func TestReadableName(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"main.main", "main.main"},
		{"slices.Sort[go.shape.int]", "slices.Sort[int]"},
		{"slices.Sort[go.shape.[]int,go.shape.int]", "slices.Sort[[]int,int]"},
		{"main.(*L[go.shape.*uint8]).Add.func1", "main.(*L[*T]).Add.func1"},
		{"main.(*L[*main.T]).Add-fm", "main.(*L[*main.T]).Add-fm"},
		{"main.(*L[go.shape.struct { main.x int; main.s struct { y int } }]).Add", "main.(*L[struct {...}]).Add"},
		{"a.F[go.shape.interface { String() string }]", "a.F[interface {...}]"},
		{"a.F[go.shape.interface {},go.shape.struct {}]", "a.F[interface {},struct {}]"},
		{"gopkg.in/gen.v3/pk%2ev2.F", "gopkg.in/gen.v3/pk.v2.F"},
		{"pkg.F[...]", "pkg.F[...]"},
		{"a.\x1b[31mF%1b%0a\x00", "a.F"},
		{"a.%zz", "a.%zz"},
	} {
		if got := ReadableName(c.in); got != c.want {
			t.Errorf("ReadableName(%q): got %q, want %q", c.in, got, c.want)
		}
	}
	if got := ReadableName("a." + strings.Repeat("F", 1e6)); len(got) != MaxNameLen || !strings.HasSuffix(got, "…") {
		t.Errorf("long name: got %d bytes, ends %q; want %d, ending in dots", len(got), got[len(got)-3:], MaxNameLen)
	}
}

func TestPlainName(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"pkg.F[...]", "pkg.F"},
		{"pkg.F[go.shape.[]int,go.shape.int].func1", "pkg.F.func1"},
		{"main.(*L[go.shape.*uint8]).Add", "main.(*L).Add"},
		{"main.(*L[...]).Add", "main.(*L).Add"},
		{"gopkg.in/yaml%2ev3.F", "gopkg.in/yaml.v3.F"},
		{"internal/bytealg.Count.abi0", "internal/bytealg.Count"},
		{"a.]F[", "a.]F["},
	} {
		if got := PlainName(c.in); got != c.want {
			t.Errorf("PlainName(%q): got %q, want %q", c.in, got, c.want)
		}
	}
}

func TestPackageOf(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"runtime.mallocgc", "runtime"},
		{"encoding/json.(*Decoder).Decode", "encoding/json"},
		{"slices.Sort[go.shape.[]example.org/x.T]", "slices"},
		{"gopkg.in/gen.v3/pk%2ev2.F", "gopkg.in/gen.v3/pk.v2"},
		{"type:.eq.[4]string", compilerPackage},
		{"type..hash.main.T", compilerPackage},
		{"cmpbody", assemblyPackage},
		{".hidden", assemblyPackage},
	} {
		if got := PackageOf(c.in); got != c.want {
			t.Errorf("PackageOf(%q): got %q, want %q", c.in, got, c.want)
		}
	}
}

func TestNameInPackage(t *testing.T) {
	for in, want := range map[string]string{
		"encoding/json.(*Decoder).Decode": "(*Decoder).Decode",
		"a/b.F[go.shape.int].func1":       "F.func1",
		"cmpbody":                         "cmpbody",
	} {
		if got := NameInPackage(in); got != want {
			t.Errorf("NameInPackage(%q): got %q, want %q", in, got, want)
		}
	}
}

// FuzzNames: names come from files of others. What is shown is bounded and
// printable.
func FuzzNames(f *testing.F) {
	for _, s := range []string{"a.F[go.shape.struct { x int }]", "a.%5b%5d", "}{[", "\x1b]0;x", "a/b.c[d/e.f].g"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		r := ReadableName(s)
		if len(r) > MaxNameLen+len("…") {
			t.Errorf("ReadableName(%q) has %d bytes", s, len(r))
		}
		if strings.ContainsAny(r, "\x1b\n\r\x00") {
			t.Errorf("ReadableName(%q) = %q: control characters", s, r)
		}
		if p := PlainName(s); len(p) > len(s) {
			t.Errorf("PlainName(%q) = %q is longer", s, p)
		}
		if PackageOf(s) == "" {
			t.Errorf("PackageOf(%q) is empty", s)
		}
	})
}
