package session

import (
	"reflect"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/lab"
)

// A build tells its time, or that it came from the cache, and what of its log is hidden.
func TestBuiltText(t *testing.T) {
	for _, c := range []struct {
		e    lab.Event
		want string
	}{
		{lab.Event{Variant: "new", Took: 2345 * time.Millisecond}, "assay: built new (2.3s)"},
		{lab.Event{Variant: "new", Took: time.Second, Cached: true, LogLines: 3}, "assay: built new (from the cache), 3 log lines hidden"},
	} {
		if got := builtText(c.e); got != c.want {
			t.Errorf("got %q, want %q", got, c.want)
		}
	}
}

// The pattern of one benchmark matches it and its own part of each level, and no other.
func TestBenchPattern(t *testing.T) {
	for _, c := range []struct{ name, want string }{
		{"Sum", "^BenchmarkSum$"},
		{"Decode/size=4.5/x", `^BenchmarkDecode$/^size=4\.5$/^x$`},
		{"A+B", `^BenchmarkA\+B$`},
	} {
		got := benchPattern(c.name)
		if got != c.want {
			t.Errorf("got %q, want %q", got, c.want)
		}
		first, _, _ := strings.Cut(got, "/")
		if top, _, _ := strings.Cut(c.name, "/"); !regexp.MustCompile(first).MatchString("Benchmark" + top) {
			t.Errorf("%q does not match its own benchmark", got)
		}
	}
}

// The settings that trials run with are told by name, of a secret never the value.
func TestSettingsApart(t *testing.T) {
	p := &assay.Plan{Study: assay.Study{Base: "old"}, Variants: []assay.Variant{
		{Name: "old", Env: map[string]string{"GOGC": "100", "SAME": "1", "LESS": "x"}, Secrets: map[string]string{"TOKEN": "a"}},
		{Name: "new", Env: map[string]string{"GOGC": "50", "SAME": "1"}, Secrets: map[string]string{"TOKEN": "b"}},
		{Name: "alike", Env: map[string]string{"GOGC": "100", "SAME": "1", "LESS": "x"}, Secrets: map[string]string{"TOKEN": "a"}},
	}}
	if got, want := settingsApart(p, "new"), `GOGC=100 became "50", LESS=x became "", TOKEN=[secret a] became "[secret b]"`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if got := settingsApart(p, "alike"); got != "" {
		t.Errorf("got %s, want nothing", got)
	}
}

// A new explanation takes the place of one of the same comparison; others stay, behind it.
func TestReplaced(t *testing.T) {
	of := func(name, variant, text string) assay.Explanation {
		return assay.Explanation{Benchmark: assay.Benchmark{Name: name}, Variant: variant, Text: []string{text}}
	}
	earlier := []assay.Explanation{of("Sum", "new", "was"), of("Sum", "other", "stays"), of("Decode", "new", "stays")}
	got := replaced(earlier, []assay.Explanation{of("Sum", "new", "is")})
	if want := []assay.Explanation{of("Sum", "new", "is"), of("Sum", "other", "stays"), of("Decode", "new", "stays")}; !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
	if earlier[0].Text[0] != "was" {
		t.Error("the earlier explanations were changed")
	}
}

// The command that measures the noise of a machine names it as it is reached.
func TestAALine(t *testing.T) {
	for _, c := range []struct {
		host assay.Host
		want string
	}{
		{assay.Host{Label: "here"}, "assay doctor --aa"},
		{assay.Host{Label: "here", Address: "local"}, "assay doctor --aa"},
		{assay.Host{Label: "a", Address: "agent:a"}, "assay doctor --aa --on=agent:a"},
	} {
		ownConfig(t)
		if got := aaLine(c.host); got != c.want {
			t.Errorf("got %q, want %q", got, c.want)
		}
	}
}

// A study in a folder below is measured by the same line there; one in a file gets the key
// that says so.
func TestInFolder(t *testing.T) {
	for _, c := range []struct{ command, dir, cd, want string }{
		{"assay compare a b", "", "cd sub", "cd sub && assay compare a b"},
		{"assay run study.toml", "x", "cd sub", `dir = "x/sub" under [source] in the study`},
		{"assay tune .", "", "cd sub/m", `dir = "sub/m" under [source] in the study`},
		{"assay compare a b", "", "go mod init", "go mod init"},
		{"assay compare a b", "", "cd 'my dir'", "cd 'my dir'"},
	} {
		s := &Session{Config: Config{Command: c.command, Study: &assay.Study{Source: assay.Source{Dir: c.dir}}}}
		if got := s.inFolder(c.cd); got != c.want {
			t.Errorf("got %q, want %q", got, c.want)
		}
	}
}

// Doubts about missing variables are told only where something failed.
func TestWithheld(t *testing.T) {
	s := &Session{site: site{withheld: []string{"A_TOKEN", "B_KEY"}}}
	failed := &assay.Result{Warnings: []assay.Warning{{Code: assay.CodeNoisy}, {Code: assay.CodeWrongOutput}}}
	if got := s.withheldWarning(failed); len(got) != 1 || !strings.HasSuffix(got[0].Text, ": A_TOKEN, B_KEY") {
		t.Errorf("got %+v, want both variables", got)
	}
	if got := s.withheldWarning(&assay.Result{Warnings: []assay.Warning{{Code: assay.CodeNoisy}}}); got != nil {
		t.Errorf("got %+v where nothing failed", got)
	}
	if got := (&Session{}).withheldWarning(failed); got != nil {
		t.Errorf("got %+v where nothing was withheld", got)
	}
}
