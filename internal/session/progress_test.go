package session

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/analysis"
	"github.com/seed-1318a441/assay/internal/analysis/answer"
	"github.com/seed-1318a441/assay/internal/lab"
	"github.com/seed-1318a441/assay/internal/record"
)

// heard keeps what a session tells.
type heard struct {
	said, lines []string
	warned      []assay.Warning
	done        int
}

func (h *heard) Say(text string)         { h.said = append(h.said, text) }
func (h *heard) Line(stage, text string) { h.lines = append(h.lines, stage+": "+text) }
func (h *heard) Warn(w assay.Warning)    { h.warned = append(h.warned, w) }
func (h *heard) Done()                   { h.done++ }

// Progress and summary tell one time: that of a published record is hours ago by any
// clock of this process.
func TestProgressHasTheClockOfTheResult(t *testing.T) {
	run, err := record.Read(record.Folder(filepath.Join("..", "..", "studies", "queue-path", "record")))
	if err != nil {
		t.Fatal(err)
	}
	tracker := analysis.NewTracker(run.Plan, time.Hour)
	for _, block := range run.Blocks() {
		tracker.Next()
		tracker.Add(block)
	}
	p := &Progress{tracker: tracker, standing: tracker.Standing()}
	spent := tracker.Result(run.Platform, "decided").Spent
	if got, want := p.where(lab.Event{Block: 10}), "block 10, "+answer.Measuring(spent)+": "; !strings.HasPrefix(got, want) || spent.Time < time.Second {
		t.Errorf("got %q, want %q first", got, want)
	}
}

// The widest interval is told once it says something: two blocks may say millions of percent.
func TestProgressTellsTheWidest(t *testing.T) {
	tracker := analysis.NewTracker(&assay.Plan{}, time.Hour)
	for now, want := range map[assay.Change]string{0.27: "decided, ±27 % now, ±12 % at the end", 252201.38: "decided, ±12 % at the end", 0: "decided"} {
		p := &Progress{tracker: tracker, standing: analysis.Standing{Cells: 3, Now: now, End: 0.12}}
		if got := p.where(lab.Event{Block: 2}); !strings.HasSuffix(got, want) {
			t.Errorf("%v now: got %q, want … %q", now, got, want)
		}
	}
}
