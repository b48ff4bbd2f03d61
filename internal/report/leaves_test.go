package report

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/markdown"
	"github.com/seed-1318a441/assay/internal/page"
	"github.com/seed-1318a441/assay/internal/sheet"
	"github.com/seed-1318a441/assay/internal/slow"
	"github.com/seed-1318a441/assay/internal/terminal"
)

// payload is what a stranger may put in the place of a text: something that each output
// could obey.
const payload = "=HYPERLINK(\"http://evil.example/\")\r\n::error::pwned\r\n\x1b]52;c;cHduZWQ=\x07\u202e</script><img src=x onerror=pwned()>" +
	"[pwned](http://evil.example/)![pwned](http://evil.example/i.png) @octocat #1 | ` --> \n# pwned\n| a | b |"

// runnerOrder is for a runner of GitHub Actions that reads a log, whose lines are trimmed.
const runnerOrder = "::error::pwned ##[error]pwned"

// A leaf is a place for text in a type: "Tables[].Rows[].Cells[].Reason".
type leaf string

// leavesOf are the places for text in a type.
func leavesOf(t reflect.Type, at leaf, within []reflect.Type) (out []leaf) {
	if slices.Contains(within, t) {
		return nil
	}
	switch within = append(within[:len(within):len(within)], t); t.Kind() {
	case reflect.String:
		return []leaf{at}
	case reflect.Pointer:
		return leavesOf(t.Elem(), at, within)
	case reflect.Slice, reflect.Array:
		return leavesOf(t.Elem(), at+"[]", within)
	case reflect.Map:
		return append(leavesOf(t.Key(), at+"[key]", within), leavesOf(t.Elem(), at+"[value]", within)...)
	case reflect.Struct:
		for f := range t.Fields() {
			if f.IsExported() && f.Tag.Get("json") != "-" {
				out = append(out, leavesOf(f.Type, at+leaf("."+f.Name), within)...)
			}
		}
	}
	return out
}

// plant puts text at all places of a value that are the leaf, making room for it where
// there is none: one element in empty lists, one entry in empty maps. It reports whether
// there was a place.
func plant(v reflect.Value, at, aim leaf, text string) (planted bool) {
	if !strings.HasPrefix(string(aim), string(at)) {
		return false
	}
	switch v.Kind() {
	case reflect.String:
		if at == aim {
			v.SetString(text)
		}
		return at == aim
	case reflect.Pointer:
		if v.IsNil() {
			made := reflect.New(v.Type().Elem())
			if planted = plant(made.Elem(), at, aim, text); planted {
				v.Set(made)
			}
			return planted
		}
		return plant(v.Elem(), at, aim, text)
	case reflect.Slice:
		if v.Len() == 0 {
			made := reflect.MakeSlice(v.Type(), 1, 1)
			if planted = plant(made.Index(0), at+"[]", aim, text); planted {
				v.Set(made)
			}
			return planted
		}
		fallthrough
	case reflect.Array:
		for i := range v.Len() {
			planted = plant(v.Index(i), at+"[]", aim, text) || planted
		}
	case reflect.Map:
		keys := v.MapKeys()
		if len(keys) == 0 {
			keys = []reflect.Value{reflect.Zero(v.Type().Key())}
		}
		for _, k := range keys {
			key, value := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
			key.Set(k)
			if v.Len() > 0 {
				value.Set(v.MapIndex(k))
			}
			inKey, inValue := plant(key, at+"[key]", aim, text), plant(value, at+"[value]", aim, text)
			if !inKey && !inValue {
				continue
			}
			if planted = true; v.IsNil() {
				v.Set(reflect.MakeMap(v.Type()))
			}
			if inKey {
				v.SetMapIndex(k, reflect.Value{})
			}
			v.SetMapIndex(key, value)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if f := v.Type().Field(i); f.IsExported() && f.Tag.Get("json") != "-" {
				planted = plant(v.Field(i), at+leaf("."+f.Name), aim, text) || planted
			}
		}
	}
	return planted
}

// Every text of a result, whatever a stranger writes in its place, obeys nobody in any
// output: no terminal, no HTML, no Markdown, no spreadsheet, no workflow command. Words of
// closed lists are refused when they are read (TestClosedWords), and are left out here.
func TestSlowEveryLeaf(t *testing.T) {
	slow.Test(t)
	for _, name := range []string{"two", "six", "arc", "service", "command"} {
		everyLeaf(t, name, slices.Sorted(maps.Keys(outputs)))
	}
}

// One result without its page, whose packing is most of the time.
func TestEveryLeaf(t *testing.T) {
	everyLeaf(t, "six", slices.DeleteFunc(slices.Sorted(maps.Keys(outputs)), func(kind string) bool { return kind == "html" }))
}

// everyLeaf plants what must obey nobody in each place for text of a fixture, one at a
// time, and makes the outputs.
func everyLeaf(t *testing.T, name string, kinds []string) {
	all := leavesOf(reflect.TypeFor[assay.Result](), "", nil)
	if len(all) < 200 {
		t.Fatalf("only %d places for text", len(all))
	}
	closed := closedLeaves(reflect.TypeFor[assay.Result](), "", nil)
	for _, aim := range all {
		if closed[aim] {
			continue
		}
		for text, kinds := range map[string][]string{payload: kinds, runnerOrder: terminals} {
			r := ownFixture(t, name)
			if !plant(reflect.ValueOf(r).Elem(), "", aim, text) {
				t.Errorf("%s: there is no place %s", name, aim)
				continue
			}
			checkOutputs(t, fmt.Sprintf("%s, %s", name, aim), r, kinds...)
		}
	}
}

// ownFixture is a fixture that shares nothing with others.
func ownFixture(t *testing.T, name string) *assay.Result {
	t.Helper()
	data, err := json.Marshal(fixture(t, name))
	if err != nil {
		t.Fatal(err)
	}
	r := new(assay.Result)
	if err := json.Unmarshal(data, r); err != nil {
		t.Fatal(err)
	}
	return r
}

// closedLeaves are the places for words of closed lists.
func closedLeaves(t reflect.Type, at leaf, within []reflect.Type) map[leaf]bool {
	out := map[leaf]bool{}
	for _, word := range []reflect.Type{reflect.TypeFor[assay.Verdict](), reflect.TypeFor[assay.Status](), reflect.TypeFor[assay.GateStatus](), reflect.TypeFor[assay.Better](), reflect.TypeFor[assay.StopReason]()} {
		maps.Copy(out, leavesOfType(t, word, at, within))
	}
	return out
}

func leavesOfType(t, word reflect.Type, at leaf, within []reflect.Type) map[leaf]bool {
	out := map[leaf]bool{}
	if slices.Contains(within, t) {
		return out
	}
	within = append(within[:len(within):len(within)], t)
	switch {
	case t == word:
		out[at] = true
	case t.Kind() == reflect.Pointer:
		return leavesOfType(t.Elem(), word, at, within)
	case t.Kind() == reflect.Slice, t.Kind() == reflect.Array:
		return leavesOfType(t.Elem(), word, at+"[]", within)
	case t.Kind() == reflect.Map:
		maps.Copy(out, leavesOfType(t.Key(), word, at+"[key]", within))
		maps.Copy(out, leavesOfType(t.Elem(), word, at+"[value]", within))
	case t.Kind() == reflect.Struct:
		for f := range t.Fields() {
			if f.IsExported() && f.Tag.Get("json") != "-" {
				maps.Copy(out, leavesOfType(f.Type, word, at+leaf("."+f.Name), within))
			}
		}
	}
	return out
}

// outputs are all that are made of a result.
var outputs = map[string]func(*bytes.Buffer, *assay.Result) error{
	"text": func(b *bytes.Buffer, r *assay.Result) error { return Text(b, r, terminal.Style{Width: 100}) },
	"all": func(b *bytes.Buffer, r *assay.Result) error {
		return Text(b, r, terminal.Style{Width: 80, All: true, ASCII: true})
	},
	"pairs": func(b *bytes.Buffer, r *assay.Result) error {
		return Text(b, r, terminal.Style{Width: 100, Pairs: true})
	},
	"explanations": func(b *bytes.Buffer, r *assay.Result) (err error) {
		for i := range r.Explanations {
			err = errors.Join(err, Explanation(b, r, &r.Explanations[i], terminal.Style{Width: 100, All: true}))
		}
		return err
	},
	"merged": func(b *bytes.Buffer, r *assay.Result) error { return Merged(b, twoOf(r), terminal.Style{Width: 100}) },
	"json":   func(b *bytes.Buffer, r *assay.Result) error { return sheet.WriteJSON(b, r) },

	"markdown": func(b *bytes.Buffer, r *assay.Result) error { return markdown.Write(b, r, markdown.Options{}) },
	"merged markdown": func(b *bytes.Buffer, r *assay.Result) error {
		return markdown.WriteMerged(b, twoOf(r), markdown.Options{})
	},

	"csv":  func(b *bytes.Buffer, r *assay.Result) error { return sheet.WriteCSV(b, r) },
	"html": func(b *bytes.Buffer, r *assay.Result) error { return page.HTML(b, pageOf(r), page.EmbedFive) },
}

// terminals are the outputs that a terminal or a log may be.
var terminals = []string{"text", "all", "pairs", "explanations", "merged"}

// twoOf is a result twice, as of two machines.
func twoOf(r *assay.Result) *assay.Merged {
	return &assay.Merged{Study: r.Study, Machines: []assay.Machine{{Name: "here", Result: *r}, {Name: "there", Result: *r}}}
}

// A plan of anybody's obeys nobody either, as text.
func TestEveryLeafOfAPlan(t *testing.T) {
	all := leavesOf(reflect.TypeFor[assay.Plan](), "", nil)
	if len(all) < 100 {
		t.Fatalf("only %d places for text", len(all))
	}
	for _, aim := range all {
		for _, text := range []string{payload, runnerOrder} {
			data, err := json.Marshal(factorPlan())
			if err != nil {
				t.Fatal(err)
			}
			p := new(assay.Plan)
			if err := json.Unmarshal(data, p); err != nil {
				t.Fatal(err)
			}
			if !plant(reflect.ValueOf(p).Elem(), "", aim, text) {
				t.Errorf("there is no place %s", aim)
				continue
			}
			var b bytes.Buffer
			if err := WritePlan(&b, p, nil, terminal.Style{Width: 100, All: true}); err != nil {
				continue // refused
			}
			if leak := leakOf("text", b.String()); leak != "" {
				t.Errorf("%s: %.200q", aim, leak)
			}
		}
	}
}

// checkOutputs makes outputs of a result and looks for what the payload would have them
// obey.
func checkOutputs(t *testing.T, what string, r *assay.Result, kinds ...string) {
	t.Helper()
	defer func() {
		if p := recover(); p != nil {
			t.Errorf("%s: panic: %v", what, p)
		}
	}()
	for _, kind := range kinds {
		var b bytes.Buffer
		if err := outputs[kind](&b, r); err != nil {
			continue // refused
		}
		if leak := leakOf(kind, b.String()); leak != "" {
			t.Errorf("%s: %s: %.200q", what, kind, leak)
		}
	}
}

var (
	codeText   = regexp.MustCompile("(?s)<code>.*?</code>|`[^`\n]*`")
	mdLeak     = regexp.MustCompile(`(?i)\]\(http://evil|<img|</script|https?://evil|(^|[^\w&#;` + "\u200b" + `])@octocat|(?m:^# pwned)|(?m:^\| a \| b \|)|--> `)
	htmlLeak   = regexp.MustCompile(`(?i)<img|onerror=pwned\(\)>`)
	logLeak    = regexp.MustCompile(`(?m)^\s*::|##\[`)
	everywhere = regexp.MustCompile("\x1b|\x07|\u202e|(?m:^::error::)")
)

// leakOf is what of an output obeys the payload, "" for nothing.
func leakOf(kind, out string) string {
	around := func(at []int) string { return out[max(at[0]-60, 0):min(at[1]+60, len(out))] }
	if at := everywhere.FindStringIndex(out); at != nil {
		return around(at)
	}
	switch kind {
	case "text", "all", "pairs", "explanations", "merged":
		if at := logLeak.FindStringIndex(out); at != nil {
			return around(at)
		}
	case "html":
		if at := htmlLeak.FindStringIndex(out); at != nil {
			return around(at)
		}
		if strings.Count(out, "<script") != 3 {
			return "another number of scripts"
		}
	case "markdown", "merged markdown":
		if at := mdLeak.FindStringIndex(codeText.ReplaceAllString(out, "code")); at != nil {
			return mdLeak.FindString(codeText.ReplaceAllString(out, "code"))
		}
	case "csv":
		lines, err := csv.NewReader(strings.NewReader(out)).ReadAll()
		if err != nil {
			return err.Error()
		}
		for _, line := range lines {
			for _, cell := range line {
				if strings.ContainsAny(cell[:min(1, len(cell))], "=@\t\r\n") || strings.HasPrefix(cell, "+") && strings.Contains(cell, "evil") {
					return cell
				}
			}
		}
	}
	return ""
}
