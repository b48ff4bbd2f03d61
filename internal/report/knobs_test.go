package report

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/seed-1318a441/assay/internal/knobs"
	"github.com/seed-1318a441/assay/internal/terminal"
)

// knobSet returns a made-up set of a release for linux/amd64.
func knobSet(release string, list ...knobs.Knob) knobs.Set {
	return knobs.Set{Go: release, GOOS: "linux", GOARCH: "amd64", Knobs: list}
}

func experiment(name, def, doc string) knobs.Knob {
	return knobs.Knob{Kind: knobs.KindExperiment, Name: name, Default: def, Doc: doc}
}

var (
	greentea = experiment("greenteagc", "on", "enables the Green Tea GC implementation")
	jsonv2   = experiment("jsonv2", "off", "enables the json/v2 package")
	amd64    = knobs.Knob{Kind: knobs.KindLevel, Name: "GOAMD64", Default: "v1", Doc: "the microarchitecture level",
		Values: []string{"v1", "v2", "v3", "v4"}, GOARCH: []string{"amd64"}}
	gctrace = knobs.Knob{Kind: knobs.KindGODEBUG, Name: "gctrace", Default: "0", Doc: "prints a line", Package: "runtime"}
	laxhttp = knobs.Knob{Kind: knobs.KindGODEBUG, Name: "httplaxcontentlength", Package: "net/http", Changed: "go1.22", Old: "1"}
	sha1    = knobs.Knob{Kind: knobs.KindGODEBUG, Name: "x509sha1", Removed: "go1.24"}
)

func checkKnobLines(t *testing.T, got []string, want string) {
	t.Helper()
	if text := strings.Join(got, "\n"); text != strings.TrimPrefix(want, "\n") {
		t.Errorf("got:\n%s\nwant:%s", text, want)
	}
}

// A list has a table for each kind that has knobs, in one order of kinds, and says of each
// knob what a reader needs: accepted values of a level, the old value of a setting that has
// changed, and that a setting is gone.
func TestKnobList(t *testing.T) {
	all := knobSet("go1.26.8", gctrace, laxhttp, sha1, amd64, greentea, jsonv2)
	checkKnobLines(t, KnobLines(PickKnobs(all, ""), 80, false), `
go1.26.8 on linux/amd64: name, default, description

experiments: GOEXPERIMENT=name turns one on, GOEXPERIMENT=noname off
  greenteagc  on   enables the Green Tea GC implementation
  jsonv2      off  enables the json/v2 package

architecture levels: NAME=value for the build
  GOAMD64  v1  v1, v2, v3, v4

GODEBUG settings, for the run; "before": the go line of go.mod
  gctrace               0  prints a line
  httplaxcontentlength     net/http; before go1.22: 1
  x509sha1                 gone in go1.24: ignored`)
}

// A word picks knobs by a part of their names, whatever its case. A column that is empty in
// all rows is left out.
func TestKnobListOfWord(t *testing.T) {
	all := knobSet("go1.26.8", greentea, jsonv2, laxhttp, sha1)
	checkKnobLines(t, KnobLines(PickKnobs(all, "SHA1"), 80, false), `
go1.26.8 on linux/amd64: name, default, description

GODEBUG settings, for the run; "before": the go line of go.mod
  x509sha1  gone in go1.24: ignored`)
}

// A description that is too long is cut with dots, or folded below itself. Either way no
// line is wider than the terminal.
func TestKnobLongDescriptions(t *testing.T) {
	all := knobSet("go1.26.8", greentea, jsonv2)
	checkKnobLines(t, KnobLines(PickKnobs(all, ""), 40, false)[3:], `
  greenteagc  on   enables the Green…
  jsonv2      off  enables the json/v…`)
	checkKnobLines(t, KnobLines(PickKnobs(all, ""), 40, true)[3:], `
  greenteagc  on   enables the Green Tea
                   GC implementation
  jsonv2      off  enables the json/v2
                   package`)
	long := experiment("x", "on", strings.Repeat("word, another; ", 30)+"\n  the end")
	for width := 40; width <= 120; width += 7 {
		cut, folded := KnobLines(PickKnobs(knobSet("go1", long), ""), width, false)[3:], KnobLines(PickKnobs(knobSet("go1", long), ""), width, true)[3:]
		for _, line := range slices.Concat(cut, folded) {
			if terminal.Width(line) > width {
				t.Errorf("%d columns: %q is wider", width, line)
			}
		}
		if len(cut) != 1 || strings.HasSuffix(strings.TrimSuffix(cut[0], "…"), ",") ||
			!strings.HasSuffix(strings.Join(strings.Fields(strings.Join(folded, " ")), " "), "another; the end") {
			t.Errorf("%d columns: got %q and %q, want one line that is cut, and the whole text", width, cut, folded)
		}
	}
}

// As JSON a set is as it was read.
func TestKnobJSON(t *testing.T) {
	const want = `{"go":"go1.26.8","goos":"linux","goarch":"amd64","knobs":[{"kind":"experiment","name":"jsonv2","default":"off","doc":"enables the json/v2 package"}]}`
	if got, err := json.Marshal(PickKnobs(knobSet("go1.26.8", jsonv2, greentea), "json")); err != nil || string(got) != want {
		t.Errorf("got  %s, %v\nwant %s", got, err, want)
	}
}
