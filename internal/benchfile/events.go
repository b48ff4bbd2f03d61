package benchfile

import (
	"bytes"
	"encoding/json"
	"regexp"
	"slices"
	"strings"
)

// An event is a line of go test -json.
type event struct{ Action, Package, ImportPath, Test, Output, FailedBuild string }

// actions are those of events: a program may log JSON of its own.
var actions = regexp.MustCompile(`^(start|run|pause|cont|pass|bench|fail|output|skip|attr|artifacts|build-output|build-fail)$`)

// parseEvent returns the event that a line is, and whether it is one.
func parseEvent(line []byte) (e event, ok bool) {
	if line[0] != '{' || json.Unmarshal(line, &e) != nil {
		return event{}, false
	}
	return e, actions.MatchString(e.Action)
}

// A partial is the beginning of a line that comes in several events.
type partial struct {
	test string
	text []byte
}

// maxPartials is the number of lines of a package that may be open at once.
const maxPartials = 16

// event reads an event: what each package printed is a stream of its own, because events of
// several packages stand between each other.
func (t *text) event(e event) error {
	switch {
	case e.Action == "build-output":
		for line := range strings.Lines(e.Output) {
			t.diagnose(testedPackage(e.ImportPath), line)
		}
	case e.Action == "fail" && e.Test == "" && e.FailedBuild != "":
		t.packageFailed(e.Package, "build", testedPackage(e.FailedBuild))
	case e.Action == "fail" && e.Test == "" && e.Package != "":
		s := t.stream(e.Package)
		s.packageEnded(e.Package)
	case e.Output != "":
		return t.printed(e)
	}
	return nil
}

// printed reads what a package printed. A line of a result comes in several events, and a test
// of another name may print between.
func (t *text) printed(e event) error {
	open := t.open[e.Package]
	i := slices.IndexFunc(open, func(p partial) bool { return p.test == e.Test })
	if i < 0 && len(open) > 0 && !strings.HasPrefix(e.Output, "Benchmark") {
		i = len(open) - 1
	}
	text := []byte(e.Output)
	if i >= 0 {
		text = append(open[i].text, e.Output...)
		open = slices.Delete(open, i, i+1)
	}
	s := t.stream(e.Package)
	for {
		line, rest, whole := bytes.Cut(text, []byte("\n"))
		if !whole {
			break
		}
		if err := s.line(bytes.TrimSuffix(line, []byte("\r")), true); err != nil {
			return err
		}
		text = rest
	}
	if len(text) > 0 && len(open) < maxPartials && len(text) <= maxEvent {
		open = append(open, partial{e.Test, bytes.Clone(text)})
	}
	t.open[e.Package] = open
	return nil
}
