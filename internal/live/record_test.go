package live

import (
	"bufio"
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/analysis"
	"github.com/seed-1318a441/assay/internal/record"
)

var recordEvents = flag.Bool("record", false, "record the events of testdata anew, from the runs of studies")

// The events of the goldens are those of real runs, looked at after a few blocks.
var recorded = map[string]string{"malloc": "small-malloc/record", "mere": "interpreters/record/main", "queue": "queue-path/record", "service": "web-server/record/main"}

func TestRecordEvents(t *testing.T) {
	if !*recordEvents {
		t.Skip("only with -record")
	}
	for name, dir := range recorded {
		run, err := record.Read(os.DirFS(filepath.Join("../../studies", dir)))
		if err != nil {
			t.Fatal(err)
		}
		var b bytes.Buffer
		for _, e := range replay(run) {
			line, err := json.Marshal(e)
			if err != nil {
				t.Fatal(err)
			}
			b.Write(append(line, '\n'))
		}
		if err := os.WriteFile(filepath.Join("testdata", name+".jsonl"), b.Bytes(), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// replay gives the events of a run: of the blocks only the third, a late one and
// the last.
func replay(run *record.Run) []Event {
	p := run.Plan
	t := analysis.NewTracker(p, p.Study.Decide.Budget)
	plan := Plan{Study: p.Study.Name, Command: p.Command, Platform: run.Platform.String(), Base: p.Study.Base, Benchmarks: len(p.Benchmarks),
		Budget: p.Study.Decide.Budget, MinBlocks: max(t.From(), p.Study.Decide.MinBlocks), MaxBlocks: p.Study.Decide.MaxBlocks}
	var out []Event
	for i, v := range p.Variants {
		if v.Name != assay.ControlName {
			plan.Variants = append(plan.Variants, v.Name)
			out = append(out, Event{Kind: KindBuild, Build: &Build{Variant: v.Name, Took: time.Duration(i) * 3700 * time.Millisecond, Cached: i == 0, LogLines: 2 * (i % 2)}})
		}
	}
	out = append(out, Event{Kind: KindPlan, Run: p.Run, Plan: &plan})
	blocks := run.Blocks()
	told := map[analysis.Cell]bool{}
	for i, block := range blocks {
		t.Next()
		t.Add(block)
		if slices.Contains([]int{2, len(blocks) * 2 / 3, len(blocks) - 1}, i) {
			out = append(out, blockEvent(t, block[0]))
		}
		if cells := t.Turned(told); len(cells) > 0 {
			out = append(out, Event{Kind: KindDecide, Cells: cells[:1]})
		}
	}
	return out
}

func blockEvent(t *analysis.Tracker, first assay.Trial) Event {
	s := t.Standing()
	b := Block{Number: first.Block, Spent: t.Spent(), Decided: s.Decided, Comparisons: s.Cells}
	if s.Noise > 0 {
		b.Noise = &s.Noise
	}
	load := 0.02
	b.Load = &load
	if more, ok := t.Remaining(); ok {
		b.More = &more
	}
	return Event{Kind: KindBlock, Block: &b, Cells: t.Interim(Cells)}
}

// events reads recorded ones.
func events(t testing.TB, name string) (out []Event) {
	t.Helper()
	f, err := os.Open(filepath.Join("testdata", name+".jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var e Event
		if err := json.Unmarshal(lines.Bytes(), &e); err != nil {
			t.Fatal(err)
		}
		out = append(out, e)
	}
	return out
}
