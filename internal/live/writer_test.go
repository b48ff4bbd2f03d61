package live

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/analysis"
)

// lines reads what a Writer printed: an object a line.
func lines(t *testing.T, printed string) (out []map[string]any) {
	t.Helper()
	for l := range strings.Lines(printed) {
		var m map[string]any
		if err := json.Unmarshal([]byte(l), &m); err != nil || !strings.HasSuffix(l, "\n") {
			t.Fatalf("%v: %q", err, l)
		}
		out = append(out, m)
	}
	return out
}

// Programs get an event a line, with the time when it came, and none that only the view
// needs.
func TestWriterPrints(t *testing.T) {
	var b bytes.Buffer
	w := NewWriter(&b)
	at := time.Date(2026, 11, 26, 20, 0, 0, 0, time.UTC)
	before := time.Now().Add(-time.Second)
	for _, e := range []Event{
		{Kind: KindStage, Text: "calibrates"}, {Kind: KindPlan, Time: at, Run: "7k2m", Plan: &Plan{Command: "assay run", Base: "a", Variants: []string{"a", "b"}}},
		{Kind: KindTrial, Trial: 1}, {Kind: KindPause, On: true}, {Kind: KindStop},
		{Kind: KindBlock, Block: &Block{Number: 3, Decided: 1, Comparisons: 2}}, {Kind: KindDone, Done: &Done{Stop: "decided", Verdict: assay.Faster}},
	} {
		w.Add(e)
	}
	w.Line("measure", "calibrates")
	w.Done()
	got := lines(t, b.String())
	var kinds []any
	for _, m := range got {
		kinds = append(kinds, m["event"])
	}
	if want := []any{"plan", "block", "done"}; !slices.Equal(kinds, want) {
		t.Fatalf("got %v, want %v", kinds, want)
	}
	if got[0]["time"] != "2026-11-26T20:00:00Z" || got[0]["run"] != "7k2m" || got[0]["base"] != "a" {
		t.Errorf("got the plan %v", got[0])
	}
	if now, err := time.Parse(time.RFC3339Nano, fmt.Sprint(got[1]["time"])); err != nil || now.Before(before) || now.After(time.Now().Add(time.Second)) {
		t.Errorf("got the time %v of a block that had none, %v, want that of now", got[1]["time"], err)
	}
	if got[1]["block"] != 3.0 || got[2]["verdict"] != "faster" {
		t.Errorf("got %v and %v", got[1], got[2])
	}
}

// A remark is printed once, without the name of the program, and a warning as one.
func TestWriterSays(t *testing.T) {
	var b bytes.Buffer
	w := NewWriter(&b)
	w.Say("assay: the machine is busy\n")
	w.Say("another")
	w.Say("assay: the machine is busy\n")
	w.Warn(assay.Warning{Code: "noise", Text: "loud"})
	got := lines(t, b.String())
	if len(got) != 3 || got[0]["text"] != "the machine is busy" || got[1]["text"] != "another" || got[0]["event"] != "say" {
		t.Fatalf("got %v, want two remarks, each once, and a warning", got)
	}
	if warning, _ := got[2]["warning"].(map[string]any); got[2]["event"] != "warn" || warning["code"] != "noise" {
		t.Errorf("got %v, want the warning", got[2])
	}
}

// A block whose comparisons have a value that JSON has no number for is told without them.
func TestWriterWithoutNumber(t *testing.T) {
	var b bytes.Buffer
	w := NewWriter(&b)
	w.Add(Event{Kind: KindBlock, Block: &Block{Number: 3}, Cells: []analysis.Interim{{Metric: assay.MetricTime, Base: math.NaN()}}})
	w.Add(Event{Kind: KindBlock, Block: &Block{Number: 4}, Cells: []analysis.Interim{{Metric: assay.MetricTime, Base: 1}}})
	got := lines(t, b.String())
	if len(got) != 2 || got[0]["block"] != 3.0 || got[0]["cells"] != nil || got[1]["cells"] == nil {
		t.Errorf("got %v, want two blocks, the first without comparisons", got)
	}
}

// Events that come at the same time do not mix in a line.
func TestWriterTogether(t *testing.T) {
	var b bytes.Buffer
	w := NewWriter(&b)
	var wait sync.WaitGroup
	for i := range 8 {
		wait.Go(func() {
			for k := range 50 {
				w.Say(fmt.Sprintf("%d of %d %s", k, i, strings.Repeat("x", 100)))
			}
		})
	}
	wait.Wait()
	if got := lines(t, b.String()); len(got) != 8*50 {
		t.Errorf("got %d lines, want %d", len(got), 8*50)
	}
}
