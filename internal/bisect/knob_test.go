package bisect_test

import (
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/bisect"
)

func TestKnobVariant(t *testing.T) {
	for _, x := range []struct {
		scope       string
		build, base []string
		want        []string // nil where it cannot be done
	}{
		{"", nil, nil, []string{"all=-d=fmahash=vn", "std="}},
		{"all", nil, nil, []string{"all=-d=fmahash=vn"}},
		{"./codec/...", nil, nil, []string{"./codec/...=-d=fmahash=vn"}},
		// The last -gcflags that fits a package is the only one in effect.
		{"", nil, []string{"all=-l"}, []string{"all=-l", "all=-l -d=fmahash=vn", "std=-l"}},
		{"", []string{"-gcflags=all=-B"}, nil, []string{"all=-B -d=fmahash=vn", "std=-B"}},
		{"", []string{"-gcflags=all=-B"}, []string{"all=-l"}, []string{"all=-l", "all=-l -d=fmahash=vn", "std=-l"}},
		{"./a", nil, []string{"./a=-l"}, []string{"./a=-l", "./a=-l -d=fmahash=vn"}},
		{"", nil, []string{"-l"}, nil},
		{"", nil, []string{"./a=-l"}, nil},
		{"", []string{"-gcflags", "-d=checkptr=0"}, nil, nil},
	} {
		base := assay.Variant{Name: "base", Go: "go1.26.8", GCFlags: x.base}
		got, err := bisect.Knob{Key: "fma", Scope: x.scope}.Variant(base, x.build, "off", bisect.PatternOff)
		switch {
		case x.want == nil && err == nil:
			t.Errorf("%q %q in scope %q: got %q, want an error", x.build, x.base, x.scope, got.GCFlags)
		case x.want != nil && (err != nil || !slices.Equal(got.GCFlags, x.want) || got.Name != "off" || got.Go != base.Go):
			t.Errorf("%q %q in scope %q: got %q of %q, %v, want %q", x.build, x.base, x.scope, got.GCFlags, got.Name, err, x.want)
		}
		if !slices.Equal(base.GCFlags, x.base) {
			t.Errorf("the base's own flags became %q", base.GCFlags)
		}
	}
}

func TestKnobPattern(t *testing.T) {
	k := bisect.Knob{Key: "fma"}
	for asked, want := range map[string]string{"n": bisect.PatternOff, "y": bisect.PatternOn, "+01-x2": "v+01-x2", "v+xf2": "v+xf2"} {
		if got := k.Pattern(asked); got != want {
			t.Errorf("pattern %s: got %s, want %s", asked, got, want)
		}
	}
	if got, want := bisect.PatternOf([]bisect.Match{{ID: 0xf2}, {ID: 1 << 63}}), "v+x00000000000000f2+x8000000000000000"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if got := bisect.PatternOf(nil); got != bisect.PatternOff {
		t.Errorf("no place: got %s, want %s", got, bisect.PatternOff)
	}
}

// What go1.26.8 writes; of a package that is compiled twice, twice.
const compiled = "# example.com/m [example.com/m.test]\n" +
	"./m.go:308:11 [bisect-match 0x5a91a4f1f2df5713]\n" +
	"variablemake triggered ./m.go:308:11 010111\n" +
	"/go/src/reflect/type.go:189:15; ./m.go:3:9 [bisect-match 0x0000000000000007]\r\n" +
	"./m.go:308:11 [bisect-match 0x5a91a4f1f2df5713]\n" +
	"./m.go:9:1 [DISABLED] [bisect-match 0x8]\n" +
	"[bisect-match 0xzz]\n[bisect-match 0x12345678901234567]\n[bisect-match 0x1"

func TestReadMatches(t *testing.T) {
	got, err := bisect.ReadMatches(strings.NewReader(compiled))
	want := []bisect.Match{{0x5a91a4f1f2df5713, "./m.go:308:11"}, {7, "/go/src/reflect/type.go:189:15; ./m.go:3:9"}, {8, "./m.go:9:1 [DISABLED]"}}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, %v, want %v", got, err, want)
	}
	// A line of any length is one line.
	long := strings.Repeat("x", 200<<10) + "\na.go:1:2 [bisect-match 0x9]\n"
	if got, err := bisect.ReadMatches(strings.NewReader(long)); err != nil || len(got) != 1 || got[0].ID != 9 {
		t.Errorf("after a long line: got %v, %v, want one place", got, err)
	}
}

func TestPositions(t *testing.T) {
	for text, want := range map[string]string{
		"./m.go:308:11":                      "./m.go:308:11",
		"/a/b.go:1:2; ./m.go:3:4":            "/a/b.go:1:2 ./m.go:3:4",
		"./m.go:9:1 [DISABLED]":              "",
		"./m.go:9:1 (mergelocals)":           "./m.go:9:1",
		`C:\src\m.go:9:1`:                    `C:\src\m.go:9:1`,
		"m.go:9":                             "",
		":1:2":                               "",
		"m.go:-1:2":                          "",
		"m.go:99999999999999999999:1; ; a:b": "",
	} {
		var got []string
		for _, p := range (bisect.Match{Text: text}).Positions() {
			got = append(got, p.String())
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}

func TestMatchLine(t *testing.T) {
	display := func(file string) string { return "<" + file + ">" }
	source := func(p bisect.Position) string { return "source of " + p.String() }
	got := bisect.Match{ID: 7, Text: "./m.go:3:4; ./lib.go:1:2"}.Line(display, source)
	want := bisect.KnobLine{ID: 7, Position: bisect.Position{File: "<./lib.go>", Line: 1, Column: 2}, Source: "source of ./lib.go:1:2",
		Into: []bisect.Position{{File: "<./m.go>", Line: 3, Column: 4}}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
	if got := (bisect.Match{ID: 1, Text: "sub.func"}).Line(display, source); got.File != "sub.func" || got.Line != 0 || got.Source != "" {
		t.Errorf("a function: got %+v, want its text as it is", got)
	}
}

// What cmd/bisect of x/tools v0.52.0 writes.
const searched = `bisect: checking target with all changes disabled
bisect: run: GOCOMPILEDEBUG=variablemakehash=n /b/assay bisect --target .assay/x.json... ok (43 matches)
bisect: run: GOCOMPILEDEBUG=variablemakehash=+0-x43e2 /b/assay bisect... FAIL (22 matches)
bisect: confirming failing change set
bisect: run: GOCOMPILEDEBUG=variablemakehash=v+xf2df5713 /b/assay bisect... FAIL (1 matches)
bisect: FOUND failing change set
bisect: run: GOCOMPILEDEBUG=variablemakehash=+1 /b/assay bisect... FAIL (0 matches)
bisect: fatal error: target failed without printing any matches
assay: out of room
`

func TestReadSteps(t *testing.T) {
	var got []bisect.KnobStep
	if err := bisect.ReadSteps(strings.NewReader(searched), func(s bisect.KnobStep) { got = append(got, s) }); err != nil {
		t.Fatal(err)
	}
	want := []bisect.KnobStep{{Pattern: "n", Matches: 43}, {Pattern: "+0-x43e2", On: true, Matches: 22}, {Pattern: "v+xf2df5713", On: true, Matches: 1},
		{Found: true}, {Pattern: "+1", On: true}, {Fatal: "target failed without printing any matches; assay: out of room"}}
	if !slices.Equal(got, want) {
		t.Errorf("got %+v\nwant %+v", got, want)
	}
}

// However many builds there are, together they spend no more than alpha.
func TestKnobAlphaSum(t *testing.T) {
	for _, places := range []int{1, 2, 43, 2150, 1 << 20} {
		sum, last := 0.0, 1.0
		for k := range 5000 {
			a := bisect.KnobAlpha(0.05, places, k)
			if sum += a; a <= 0 || a > last {
				t.Fatalf("%d places: decision %d has %g after %g", places, k, a, last)
			}
			last = a
		}
		if sum > 0.05*(1+1e-9) || sum < 0.0499 {
			t.Errorf("%d places: 5000 decisions spend %g, want all of 0.05 and no more", places, sum)
		}
	}
}

func TestKnobLog(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a", "log.jsonl")
	q := bisect.Question{Hash: "0123456789abcdef", Knob: bisect.Knob{Key: "fma"}}
	open := func() bisect.KnobLog {
		l, err := bisect.OpenLog[bisect.KnobFinding](path, q, false)
		if err != nil {
			t.Fatal(err)
		}
		return bisect.KnobLog{Log: l}
	}
	l := open()
	findings := []bisect.KnobFinding{
		{Kind: bisect.KnobEnds, Place: bisect.PlaceChanged, By: assay.MetricTime, Blocks: 12, Matches: 43},
		{Kind: bisect.KnobProbe, Pattern: "v+0", Code: "c0", Place: bisect.PlaceOn, Blocks: 3},
		{Kind: bisect.KnobProbe, Pattern: "v+00", Code: "c0", Place: bisect.PlaceOn, Why: "same code"},
		{Kind: bisect.KnobProbe, Pattern: "v+10", Code: "c2", Place: bisect.PlaceUndecided, Blocks: 90},
	}
	for _, f := range findings {
		if err := l.Append(f); err != nil {
			t.Fatal(err)
		}
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	torn, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	torn.WriteString(`{"kind":"pro`)
	torn.Close()
	l = open()
	defer l.Close()
	if !reflect.DeepEqual(l.Findings, findings) {
		t.Errorf("got %+v, want %+v", l.Findings, findings)
	}
	if got := l.Answer(bisect.KnobProbe, "v+10"); got == nil || got.Code != "c2" {
		t.Errorf("answer of v+10: got %+v, want that of c2", got)
	}
	if got := l.Alike("c0"); got == nil || got.Pattern != "v+0" {
		t.Errorf("alike c0: got %+v, want v+0", got)
	}
	if l.Alike("") != nil || l.Answer(bisect.KnobFinal, "v+10") != nil {
		t.Error("code that is not known, or another kind, has an answer")
	}
	if l.Ends().Matches != 43 || l.Attempts() != 2 {
		t.Errorf("got ends of %d places and %d attempts, want 43 and 2", l.Ends().Matches, l.Attempts())
	}
	if _, err := bisect.OpenLog[bisect.KnobFinding](path, bisect.Question{Hash: "other"}, false); err == nil || !strings.Contains(err.Error(), "--again") {
		t.Errorf("another question: got %v, want an error that names --again", err)
	}
}

// A confirmed set is listed once, an undecided probe is listed, and a decision by counts
// does not raise the confidence.
func TestKnobConclude(t *testing.T) {
	one := 1.0
	r := &bisect.KnobResult{Confidence: 0.95, Status: bisect.StatusFound}
	r.Conclude([]bisect.KnobFinding{
		{Kind: bisect.KnobEnds, Place: bisect.PlaceChanged, By: assay.MetricAllocs, Matches: 43, Measured: 5, Took: 7},
		{Kind: bisect.KnobProbe, Pattern: "v+0", Place: bisect.PlaceUndecided, Run: "abcd", Measured: 5, Took: 7},
		{Kind: bisect.KnobProbe, Pattern: "v+1", Place: bisect.PlaceOn},
		{Kind: bisect.KnobFinal, Exact: []bisect.ExactChange{{Off: 3, On: 1, Some: &one}}},
	})
	if r.Places != 43 || r.Probes != 2 || r.Runs != 1 || r.Undecided != 1 || r.Confidence != 0.95 || r.Measured != 10 || r.Took != 14 || len(r.Exact) != 1 {
		t.Errorf("got %+v", r)
	}
	same := &bisect.KnobResult{}
	if same.Conclude([]bisect.KnobFinding{{Kind: bisect.KnobEnds, Place: bisect.PlaceSame}}); same.Status != bisect.StatusNoChange {
		t.Errorf("got status %q, want %q", same.Status, bisect.StatusNoChange)
	}
}

// What was read is written so that it is read as the same.
func FuzzReadMatches(f *testing.F) {
	f.Add(compiled)
	f.Add("a [bisect-match 0x1] [bisect-match 0x2]")
	f.Fuzz(func(t *testing.T, text string) {
		ms, err := bisect.ReadMatches(strings.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range ms {
			m.Positions()
			again, err := bisect.ReadMatches(strings.NewReader(m.String() + "\n"))
			if err != nil || len(again) != 1 || again[0] != m {
				t.Fatalf("%q: got %q, want %q", m.String(), again, m)
			}
		}
	})
}

// No output of cmd/bisect, and no log, ends in a panic.
func FuzzReadSteps(f *testing.F) {
	f.Add(searched)
	f.Fuzz(func(t *testing.T, text string) {
		fatal := 0
		err := bisect.ReadSteps(strings.NewReader(text), func(s bisect.KnobStep) {
			if s.Matches < 0 || strings.ContainsAny(s.Pattern, " \t\n\x1b") {
				t.Errorf("step %+v", s)
			}
			if s.Fatal != "" {
				fatal++
			}
		})
		if err != nil || fatal > 1 {
			t.Errorf("got %v and %d ends, want one at most", err, fatal)
		}
	})
}
