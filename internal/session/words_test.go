package session

import (
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
