package document

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/seed-1318a441/assay"
)

// settings has a value for every kind of field.
type settings struct {
	Name, About string
	List, Tags  []string
	On          bool
	N, X        int
	Seed        uint64
	Mode        mode
	Share       float64
	Env         map[string]string
	Limit       string
	Parts       []part
}

type mode string

type part struct {
	ID   string
	Tags []string
}

// schema is how a document stores settings.
func (s *settings) schema() Schema {
	word := func(text string) (mode, error) {
		if text != "fast" && text != "calm" {
			return "", errors.New(`is neither "fast" nor "calm"`)
		}
		return mode(text), nil
	}
	share := func(text string) (float64, error) {
		if text, ok := strings.CutSuffix(text, "%"); ok {
			v, err := strconv.ParseFloat(text, 64)
			return v / 100, err
		}
		return 0, errors.New("lacks a unit")
	}
	name := func(name string) error {
		if strings.ToUpper(name) != name {
			return fmt.Errorf("%s is no name", name)
		}
		return nil
	}
	return Schema{
		String("name", &s.Name), Prose("about", &s.About), Strings("list", &s.List), Words("tags", &s.Tags), Bool("on", &s.On, "   # yes"),
		Number("n", &s.N), Seed("seed", &s.Seed),
		Text("mode", &s.Mode, word), Scalar("share", &s.Share, share, func(v float64) string { return Quote(strconv.FormatFloat(100*v, 'g', -1, 64) + "%") }),
		Pairs("env", &s.Env, name), Inline("sub", "{ x = 1 }", Schema{Number("x", &s.X)}), One("limit", Schema{String("of", &s.Limit)}),
		Many("part", &s.Parts, partSchema, checkPart),
	}
}

func partSchema(p *part, t *Table) (string, Schema) {
	kind := ""
	if t.Find("kind") != nil {
		kind = " of a kind"
	}
	var ignored string
	return kind, Schema{String("id", &p.ID), Strings("tags", &p.Tags), String("kind", &ignored)}
}

func checkPart(list []part, t *Table) error {
	last := list[len(list)-1]
	if slices.ContainsFunc(list[:len(list)-1], func(p part) bool { return p.ID == last.ID }) {
		return t.Find("id").Wrong("is used twice")
	}
	return nil
}

// Every kind of value is stored, and what is written for it reads as the same again.
func TestFields(t *testing.T) {
	for _, c := range []struct {
		text string
		want settings
	}{
		{`name = "a\tb"`, settings{Name: "a\tb"}},
		{"about = \"\"\"\none\ntwo\n\"\"\"", settings{About: "one\ntwo\n"}},
		{`list = ["a", "b c", ""]`, settings{List: []string{"a", "b c", ""}}},
		{`tags = ["a", "b-c"]`, settings{Tags: []string{"a", "b-c"}}},
		{"on = true", settings{On: true}},
		{"on = false", settings{}},
		{"n = 1_000", settings{N: 1000}},
		{"n = 1", settings{N: 1}},
		{"n = 1_000_000_000", settings{N: 1e9}},
		{"seed = 0x10", settings{Seed: 16}},
		{"seed = 9223372036854775807", settings{Seed: math.MaxInt64}},
		{`seed = "0xffffffffffffffff"`, settings{Seed: math.MaxUint64}},
		{`seed = "0x8000000000000000"`, settings{Seed: 1 << 63}},
		{`seed = "18446744073709551615"`, settings{Seed: math.MaxUint64}},
		{`mode = "calm"`, settings{Mode: "calm"}},
		{`share = "12.5%"`, settings{Share: 0.125}},
		{`env = { A = "x", "B C" = 7, D = "" }`, settings{Env: map[string]string{"A": "x", "B C": "7", "D": ""}}},
		{"[env]\nA = \"x\"", settings{Env: map[string]string{"A": "x"}}},
		{"sub = { x = 3 }", settings{X: 3}},
		{"sub.x = 3", settings{X: 3}},
		{"[limit]\nof = \"all\"", settings{Limit: "all"}},
		{"[[part]]\nid = \"a\"\n[[part]]\nid = \"b\"\ntags = [\"x\"]", settings{Parts: []part{{ID: "a"}, {ID: "b", Tags: []string{"x"}}}}},
		{`part = [{ id = "a" }, {}]`, settings{Parts: []part{{ID: "a"}, {}}}},
	} {
		var got settings
		schema := got.schema()
		if err := mustParse(t, c.text).Fill("", schema); err != nil || !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: got %+v, %v, want %+v", c.text, got, err, c.want)
			continue
		}
		if len(got.Parts) > 0 || got.Limit != "" {
			continue // sections are written by who knows their headers
		}
		var again settings
		var text strings.Builder
		for _, r := range schema.Rows() {
			text.WriteString(r.Key + " = " + r.Value + "\n")
		}
		if err := mustParse(t, text.String()).Fill("", again.schema()); err != nil || !reflect.DeepEqual(again, c.want) {
			t.Errorf("%s is written as %s: got %+v, %v, want %+v", c.text, text.String(), again, err, c.want)
		}
	}
}

// A seed is written as a number as long as TOML has one for it, and then as text.
func TestSeedIsWritten(t *testing.T) {
	for seed, want := range map[uint64]string{0: "", 1: "1", math.MaxInt64: "9223372036854775807", math.MaxInt64 + 1: `"0x8000000000000000"`} {
		if got := Seed("seed", &seed).Write(); got != want {
			t.Errorf("%d: got %s, want %s", seed, got, want)
		}
	}
}

// A value of the wrong kind, or one that its key cannot have, is named where it stands.
func TestWrongValues(t *testing.T) {
	for text, want := range map[string]string{
		"name = 1":                             "1:8 study-value name = 1 is not text in quotes",
		"name = ['a']":                         "1:8 study-value name = […] is not text in quotes",
		`list = "a"`:                           `1:8 study-value list = "a" is not a list: write ["a"]`,
		"list = 1":                             "1:8 study-value list = 1 is not a list of texts",
		"list = { a = 'b' }":                   "1:8 study-value list = {…} is not a list of texts",
		"list = ['a',\n true]":                 "2:2 study-value list = true is not text in quotes",
		"tags = ['a', 'b c']":                  `1:14 study-value tags = "b c" is not one word; every word is an item of its own`,
		"tags = ['a,b']":                       `1:9 study-value tags = "a,b" is not one word; every word is an item of its own`,
		"tags = ['']":                          `1:9 study-value tags = "" is not one word; every word is an item of its own`,
		"on = 1":                               "1:6 study-value on = 1 is neither true nor false",
		`on = "true"`:                          `1:6 study-value on = "true" is neither true nor false`,
		"n = 0":                                "1:5 study-value n = 0 is not a whole number from 1",
		"n = -3":                               "1:5 study-value n = -3 is not a whole number from 1",
		"n = 1.5":                              "1:5 study-value n = 1.5 is not a whole number from 1",
		"n = '5'":                              `1:5 study-value n = "5" is not a whole number from 1`,
		"seed = -1":                            "1:8 study-value seed = -1 is not a whole number from 0 to 18446744073709551615",
		"seed = 1.0":                           "1:8 study-value seed = 1.0 is not a whole number from 0 to 18446744073709551615",
		"seed = '18446744073709551616'":        `1:8 study-value seed = "18446744073709551616" is not a whole number from 0 to 18446744073709551615`,
		"mode = true":                          "1:8 study-value mode = true is not text in quotes",
		"mode = 5":                             `1:8 study-value mode = 5 is neither "fast" nor "calm"`,
		"share = 1":                            "1:9 study-value share = 1 lacks a unit",
		"env = 'A=1'":                          `1:7 study-value env = "A=1" is not a table such as { GOGC = "200" }`,
		"env = { A = '', b = '1' }":            "1:17 study-key b is no name",
		"env = { A = true }":                   "1:13 study-value A = true is not text in quotes",
		"sub = 1":                              "1:7 study-value sub = 1 is not a table such as { x = 1 }",
		"sub = { x = 0 }":                      "1:13 study-value x = 0 is not a whole number from 1",
		"limit = 'a'":                          `1:1 study-value "limit" is a table: write [limit]`,
		"[part]\nid = 'a'":                     `1:2 study-value "part" may stand more than once: write [[part]]`,
		"part = []":                            `1:1 study-value "part" may stand more than once: write [[part]]`,
		"part = [{}, 1]":                       "1:13 study-value part = 1 is not a table",
		"[[part]]\nid = ''\n[[part]]\nid = ''": `4:6 study-value id = "" is used twice`,
		"n = 0\nname = 1":                      "1:5 study-value n = 0 is not a whole number from 1",
	} {
		var s settings
		err := mustParse(t, text).Fill("", s.schema())
		f, ok := errors.AsType[*Fault](err)
		if !ok {
			t.Errorf("%s: got %v, want %s", text, err, want)
			continue
		}
		if got := fmt.Sprintf("%d:%d %s %s", f.At.Line, f.At.Col, f.Code, f.Text); got != want {
			t.Errorf("%s\ngot  %s\nwant %s", text, got, want)
		}
	}
}

// An unknown key or table is named with the table it stands in, and brings what a hint needs.
func TestUnknownKeys(t *testing.T) {
	for text, want := range map[string]string{
		"x = 1":                               `1:1 unknown key "x"`,
		"x = []":                              `1:1 unknown key "x"`,
		"n = 1\n[x]":                          "2:2 unknown table [x]",
		"[[x]]":                               "1:3 unknown table [[x]]",
		"x = [{}]":                            "1:1 unknown table [[x]]",
		"sub = { y = 1 }":                     `1:9 unknown key "y" in sub`,
		"[limit]\ny = 1":                      `2:1 unknown key "y" in [limit]`,
		"[limit.y]":                           "1:8 unknown table [y] in [limit]",
		"[[part]]\n[[part]]\ny = 1":           `3:1 unknown key "y" in [[part]]`,
		"[[part]]\nkind = 'a'\ny = { a = 1 }": `3:1 unknown table [y] in [[part]] of a kind`,
	} {
		var s settings
		f, ok := errors.AsType[*Fault](mustParse(t, text).Fill("", s.schema()))
		if !ok || f.Unknown == nil {
			t.Errorf("%s: got %+v, want an unknown key", text, f)
			continue
		}
		if got := fmt.Sprintf("%d:%d %s", f.At.Line, f.At.Col, f.Text); got != want || f.Code != assay.CodeStudyKey {
			t.Errorf("%s: got %s [%s], want %s", text, got, f.Code, want)
		}
		if u := f.Unknown; u.Where != "" && !strings.HasSuffix(f.Text, " in "+u.Where) || u.Keys.Find(u.Entry.Key) != nil || len(u.Keys) == 0 {
			t.Errorf("%s: got %+v of %s", text, u, f.Text)
		}
	}
}

// A check sees only values that could be read, and its fault is that of the field.
func TestThen(t *testing.T) {
	n, checked := 0, 0
	f := Number("n", &n).Then(func(e *Entry) error {
		if checked++; n%2 == 1 {
			return e.Wrong("is odd")
		}
		return nil
	})
	for text, want := range map[string]string{"n = 2": "", "n = 3": "n = 3 is odd", "n = -1": "n = -1 is not a whole number from 1"} {
		checked = 0
		err := mustParse(t, text).Fill("", Schema{f})
		if got := fmt.Sprint(err); got != want && (want != "" || err != nil) {
			t.Errorf("%s: got %v, want %q", text, err, want)
		}
		if checked == 1 == (text == "n = -1") {
			t.Errorf("%s: checked %d times", text, checked)
		}
	}
}

// Keys are sorted, for a list that people read; a schema without some keys has the others
// in their order.
func TestSchema(t *testing.T) {
	var s settings
	all := Schema{String("z", &s.Name), Number("a", &s.N), Bool("m", &s.On, "")}
	if got, want := all.Keys(), []string{"a", "m", "z"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if all.Find("m") == nil || all.Find("none") != nil {
		t.Errorf("m is %v, none is %v", all.Find("m"), all.Find("none"))
	}
	var left []string
	for _, f := range all.Without("a", "none") {
		left = append(left, f.Key)
	}
	if want := []string{"z", "m"}; !slices.Equal(left, want) {
		t.Errorf("got %q, want %q", left, want)
	}
}
