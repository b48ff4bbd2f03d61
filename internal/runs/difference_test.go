package runs

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/seed-1318a441/assay"
)

// Two JSON values differ where a member or an element does, at the first place by name;
// numbers that only differ in their last digits are the same.
func TestFirstDifference(t *testing.T) {
	const none = "none"
	for _, x := range []struct{ what, a, b, path, old, now string }{
		{"equal", `{"a":[1,"x",null],"b":true}`, `{"b":true,"a":[1,"x",null]}`, none, "", ""},
		{"a text", `{"a":{"b":"x"}}`, `{"a":{"b":"y"}}`, ".a.b", `"x"`, `"y"`},
		{"an element", `{"a":[1,2,3]}`, `{"a":[1,5,3]}`, ".a[1]", "2", "5"},
		{"the first by name", `{"z":1,"b":1}`, `{"z":2,"b":2}`, ".b", "1", "2"},
		{"a member less", `{"a":1,"b":2}`, `{"a":1}`, ".b", "2", "nothing"},
		{"an element more", `[1]`, `[1,{"a":2}]`, "[1]", "nothing", `{"a":2}`},
		{"null and nothing", `{"a":null}`, `{}`, ".a", "null", "nothing"},
		{"another kind", `{"a":[1]}`, `{"a":{"0":1}}`, ".a", "[1]", `{"0":1}`},
		{"a number and its text", `{"a":1}`, `{"a":"1"}`, ".a", "1", `"1"`},
		{"the last digits", `0.30000000000000004`, `0.3`, none, "", ""},
		{"the last digits of a small number", `1.0000000001e-9`, `1e-9`, none, "", ""},
		{"more than the last digits", `0.300001`, `0.3`, "", "0.300001", "0.3"},
		{"the sign", `-0.5`, `0.5`, "", "-0.5", "0.5"},
		{"whole numbers, which are exact", `10000000000`, `10000000001`, "", "10000000000", "10000000001"},
		{"zero", `0`, `0.0`, none, "", ""},
		{"zero and nearly zero", `0`, `1e-30`, "", "0", "1e-30"},
	} {
		value := func(text string) (v any) {
			d := json.NewDecoder(strings.NewReader(text))
			d.UseNumber()
			if err := d.Decode(&v); err != nil {
				t.Fatal(err)
			}
			return v
		}
		d := firstDifference("", value(x.a), value(x.b))
		switch {
		case d == nil && x.path != none:
			t.Errorf("%s: got no difference, want one at %q", x.what, x.path)
		case d != nil && (d.path != x.path || shortJSON(d.a) != x.old || shortJSON(d.b) != x.now):
			t.Errorf("%s: got %q, %s and %s, want %q, %s and %s", x.what, d.path, shortJSON(d.a), shortJSON(d.b), x.path, x.old, x.now)
		}
	}
}

// The difference of two results names its place and both values; which version computed
// them is none.
func TestDifferenceOf(t *testing.T) {
	result := func(version, use string, change assay.Change) *assay.Result {
		return &assay.Result{Assay: version, Answer: assay.Answer{Use: use}, Tables: []assay.Table{{Geomean: []assay.Comparison{{Variant: "new", Change: change}}}}}
	}
	stored := result("v1", "new", 0.25)
	for _, x := range []struct {
		computed *assay.Result
		want     string
	}{
		{result("v2", "new", 0.25), ""},
		{result("v1", "new", 0.25*(1+1e-12)), ""},
		{result("v1", "old", 0.25), `answer.use is "new", and its trials mean "old"`},
		{result("v1", "", 0.25), `answer.use is "new", and its trials mean nothing`},
		{result("v1", "new", 0.5), "tables[0].geomean[0].change is 0.25, and its trials mean 0.5"},
	} {
		if got, err := differenceOf(stored, x.computed); err != nil || got != x.want {
			t.Errorf("got %q, %v, want %q", got, err, x.want)
		}
	}
	if stored.Assay != "v1" {
		t.Errorf("the stored result is now of assay %q", stored.Assay)
	}
	if SameJSON(stored, result("v2", "new", 0.25)) || !SameJSON(stored, result("v1", "new", 0.25)) {
		t.Error("the JSON of two results is compared wrongly")
	}
}

// A message has the beginning of a long value.
func TestShortJSON(t *testing.T) {
	long := strings.Repeat("é", 200)
	if got, want := shortJSON(long), `"`+strings.Repeat("é", longestShown-1)+"…"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
