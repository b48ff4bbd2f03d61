package funcname

import (
	"strings"
	"testing"
)

func TestReadable(t *testing.T) {
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
		if got := Readable(c.in); got != c.want {
			t.Errorf("Readable(%q): got %q, want %q", c.in, got, c.want)
		}
	}
	if got := Readable("a." + strings.Repeat("F", 1e6)); len(got) != MaxLen || !strings.HasSuffix(got, "…") {
		t.Errorf("long name: got %d bytes, ends %q; want %d, ending in dots", len(got), got[len(got)-3:], MaxLen)
	}
}

func TestPlain(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"pkg.F[...]", "pkg.F"},
		{"pkg.F[go.shape.[]int,go.shape.int].func1", "pkg.F.func1"},
		{"main.(*L[go.shape.*uint8]).Add", "main.(*L).Add"},
		{"main.(*L[...]).Add", "main.(*L).Add"},
		{"gopkg.in/yaml%2ev3.F", "gopkg.in/yaml.v3.F"},
		{"internal/bytealg.Count.abi0", "internal/bytealg.Count"},
		{"a.]F[", "a.]F["},
	} {
		if got := Plain(c.in); got != c.want {
			t.Errorf("Plain(%q): got %q, want %q", c.in, got, c.want)
		}
	}
}

func TestPackage(t *testing.T) {
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
		if got := Package(c.in); got != c.want {
			t.Errorf("Package(%q): got %q, want %q", c.in, got, c.want)
		}
	}
}

func TestBaseName(t *testing.T) {
	for in, want := range map[string]string{
		"encoding/json.(*Decoder).Decode": "(*Decoder).Decode",
		"a/b.F[go.shape.int].func1":       "F.func1",
		"cmpbody":                         "cmpbody",
	} {
		if got := WithinPackage(in); got != want {
			t.Errorf("WithinPackage(%q): got %q, want %q", in, got, want)
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
		r := Readable(s)
		if len(r) > MaxLen+len("…") {
			t.Errorf("Readable(%q) has %d bytes", s, len(r))
		}
		if strings.ContainsAny(r, "\x1b\n\r\x00") {
			t.Errorf("Readable(%q) = %q: control characters", s, r)
		}
		if p := Plain(s); len(p) > len(s) {
			t.Errorf("Plain(%q) = %q is longer", s, p)
		}
		if Package(s) == "" {
			t.Errorf("Package(%q) is empty", s)
		}
	})
}
