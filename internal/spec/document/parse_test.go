package document

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/pelletier/go-toml/v2/unstable"

	"github.com/seed-1318a441/assay"
)

// mustParse reads a document that has no fault.
func mustParse(t *testing.T, text string) *Table {
	t.Helper()
	root, err := Parse([]byte(text))
	if err != nil {
		t.Fatalf("%v in\n%s", err, text)
	}
	return root
}

// entry finds an entry by the keys that lead to it. Of a list of tables it takes the last.
func entry(t *testing.T, root *Table, keys ...string) *Entry {
	t.Helper()
	var e *Entry
	for _, key := range keys {
		if e != nil {
			root = e.last()
		}
		if e = root.Find(key); e == nil {
			t.Fatalf("%q has no %q", keys, key)
		}
	}
	return e
}

// placed has a value of every kind; TestPlaces counts its lines and columns.
const placed = `name = "a"
# a remark
flag   = true
list = [ # one
  "x", 2, # two
  { y = 1.5 },
]
day = 2026-01-02
u = {a = "ü", b = 1}
[top.sub]
"quoted key" = [1]
[[many]]
n = 1
[[many]]
n = inf
[many.more]
deep.er = false
tabs	=	[]
`

// Every key and value has its place, in bytes: in lists over several lines, inline tables,
// behind remarks and letters of two bytes, and below the last of several tables.
func TestPlaces(t *testing.T) {
	root := mustParse(t, placed)
	for _, c := range []struct {
		keys    string
		key, at Position
		value   string
	}{
		{"name", Position{1, 1}, Position{1, 8}, `"a"`},
		{"flag", Position{3, 1}, Position{3, 10}, "true"},
		{"list", Position{4, 1}, Position{4, 8}, "[…]"},
		{"day", Position{8, 1}, Position{8, 7}, "2026-01-02"},
		{"u", Position{9, 1}, Position{9, 5}, "{…}"},
		{"u|a", Position{9, 6}, Position{9, 10}, `"ü"`},
		{"u|b", Position{9, 16}, Position{9, 20}, "1"},
		{"top", Position{10, 2}, Position{10, 2}, "{…}"},
		{"top|sub", Position{10, 6}, Position{10, 6}, "{…}"},
		{"top|sub|quoted key", Position{11, 1}, Position{11, 16}, "[…]"},
		{"many|n", Position{15, 1}, Position{15, 5}, "inf"},
		{"many|more|deep", Position{17, 1}, Position{17, 1}, "{…}"},
		{"many|more|deep|er", Position{17, 6}, Position{17, 11}, "false"},
		{"many|more|tabs", Position{18, 1}, Position{18, 8}, "[…]"},
	} {
		e := entry(t, root, strings.Split(c.keys, "|")...)
		if e.At != c.key || e.Value.At != c.at || e.Value.String() != c.value {
			t.Errorf("%s: got the key at %v, %s at %v, want %v, %s at %v", c.keys, e.At, e.Value, e.Value.At, c.key, c.value, c.at)
		}
	}
	var at []Position
	for _, v := range slices.Concat(root.Find("list").Value.Items, root.Find("many").Value.Items) {
		at = append(at, v.At)
	}
	if want := []Position{{5, 3}, {5, 8}, {6, 3}, {12, 3}, {14, 3}}; !slices.Equal(at, want) {
		t.Errorf("items are at %v, want %v", at, want)
	}
}

// Entries keep the order of the file, so that the first fault is told.
func TestOrder(t *testing.T) {
	var got []string
	for _, e := range mustParse(t, "z = 1\na = 2\n[m]\n[b]\n[m.x]\n").Entries {
		got = append(got, e.Key)
	}
	if want := []string{"z", "a", "m", "b"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// What is no TOML is a fault of the syntax where it stands, in words without a library's name.
func TestSyntaxFaults(t *testing.T) {
	for text, want := range map[string]Position{
		"a = 1\nb = = 2\n":          {2, 5},
		"[a]\nx = 1\n\n[b\n":        {4, 3}, // where its bracket should be
		"a = 1\n\n  b = tru\n":      {3, 7},
		"a = 1\r\nb = 2026-1\n":     {2, 5},
		"a = 9223372036854775808":   {1, 5},
		"[a]\nx = 1\n y = 2\nx = 3": {4, 1},
	} {
		_, err := Parse([]byte(text))
		f, ok := errors.AsType[*Fault](err)
		if !ok {
			t.Errorf("%q: got %v, want a fault", text, err)
			continue
		}
		if f.At != want || f.Code != assay.CodeStudySyntax || f.Error() == "" || strings.Contains(f.Error(), "toml") {
			t.Errorf("%q: got %q [%s] at %v, want [study-syntax] at %v", text, f, f.Code, f.At, want)
		}
	}
}

// A key or table that stands twice is refused.
func TestTwice(t *testing.T) {
	for _, text := range []string{"a = 1\na = 2", "a = 1\n[a]", "a.b = 1\na.b.c = 2", "[a]\n[a]", "x = { a = 1, a = 2 }", "a = []\n[[a]]"} {
		if _, err := Parse([]byte(text)); err == nil {
			t.Errorf("%q: got no fault", text)
		}
	}
	// The tree does not need the library to see that.
	_, err := parseDocument([]byte("a = 1\nb = { c = 1, c = 2 }\n"))
	if f, ok := errors.AsType[*Fault](err); !ok || f.At != (Position{2, 14}) || f.Text != `"c" is set twice` {
		t.Errorf("got %v, want that c is set twice at 2:14", err)
	}
}

// The first of several names that a table has is found.
func TestFind(t *testing.T) {
	root := mustParse(t, "old = 1\nnew = 2\n")
	if e := root.Find("none", "new", "old"); e == nil || e.Key != "new" {
		t.Errorf("got %+v, want the entry of new", e)
	}
	if e := root.Find("none"); e != nil {
		t.Errorf("got %+v of a key that is not there", e)
	}
}

// Whole numbers are read in every way in which TOML writes them, and nothing else is one.
func TestInteger(t *testing.T) {
	for text, want := range map[string]int64{"0": 0, "+7": 7, "-7": -7, "1_000": 1000, "0x1F": 31, "0o17": 15, "0b101": 5} {
		if got, ok := entry(t, mustParse(t, "a = "+text), "a").Value.Integer(); got != want || !ok {
			t.Errorf("%s: got %d, %t, want %d", text, got, ok, want)
		}
	}
	for _, text := range []string{`"1"`, "1.0", "true", "[1]", "2026-01-02"} {
		if got, ok := entry(t, mustParse(t, "a = "+text), "a").Value.Integer(); ok {
			t.Errorf("%s: got %d, want no whole number", text, got)
		}
	}
}

// Only a list that begins with a table is one of tables, whichever way it is written.
func TestIsTables(t *testing.T) {
	for text, want := range map[string]bool{"[[a]]": true, "a = [{}]": true, "[a]": false, "a = []": false, "a = [1]": false, "a = 1": false} {
		e := entry(t, mustParse(t, text), "a")
		if got := e.Value.IsTables(); got != want {
			t.Errorf("%s: got %t, want %t", text, got, want)
		}
		if header := e.Header(); header == "[[a]]" != (e.Value.Kind == unstable.Array) {
			t.Errorf("%s: got the header %s", text, header)
		}
	}
}
