package runs

import (
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/analysis"
	"github.com/seed-1318a441/assay/internal/analysis/answer"
	"github.com/seed-1318a441/assay/internal/analysis/replay"
	"github.com/seed-1318a441/assay/internal/disk"
	"github.com/seed-1318a441/assay/internal/record"
	"github.com/seed-1318a441/assay/internal/slow"
)

// records lists the run folders of the studies.
func records(t *testing.T) (out []string) {
	for _, pattern := range []string{"record", "record/*"} {
		dirs, err := filepath.Glob("../../studies/*/" + pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, dir := range dirs {
			if IsRun(dir) {
				out = append(out, dir)
			}
		}
	}
	return out
}

// TestReplay holds the last frame of published runs, and what it says with their own minimum
// effect, to their results. The large ones, whose trials are packed, take seconds each:
// the slow test has them.
func TestReplay(t *testing.T) {
	var small []string
	for _, dir := range records(t) {
		if disk.IsFile(filepath.Join(dir, record.TrialsFile)) {
			small = append(small, dir)
		}
	}
	checkReplays(t, small)
}

func TestSlowReplay(t *testing.T) {
	slow.Test(t)
	checkReplays(t, records(t))
}

func checkReplays(t *testing.T, dirs []string) {
	if len(dirs) < 10 {
		t.Fatalf("%d runs are too few", len(dirs))
	}
	for _, dir := range dirs {
		t.Run(filepath.ToSlash(dir), func(t *testing.T) {
			t.Parallel()
			f, err := Read(dir, dir)
			if err != nil {
				t.Fatal(err)
			}
			r, err := f.stored()
			if err != nil {
				t.Fatal(err)
			}
			began := time.Now()
			lead := answer.LeadOf(r).Table
			x := Replay(f.Run, lead.Metric.Name)
			t.Logf("%d blocks, %d frames, %d margins, %d without: %v", x.Blocks, len(x.Frames), len(x.Margins), len(x.Without), time.Since(began).Round(time.Millisecond))
			if x.Blocks != r.Spent.Blocks || len(x.Frames) == 0 || x.Frames[len(x.Frames)-1].Blocks != x.Blocks {
				t.Fatalf("got %d blocks and %d frames", x.Blocks, len(x.Frames))
			}
			isResult(t, "last frame", r, x.Frames[len(x.Frames)-1].Heads)
			ascending(t, x.Frames)
			for _, o := range x.Margins {
				if o.MinEffect == x.MinEffect {
					isResult(t, "own minimum effect", r, o.Heads)
					if !strings.HasPrefix(r.Answer.Text[0], o.Answer.Text[0]) { // which has no price
						t.Errorf("answer: got %q, want %q", o.Answer.Text[0], r.Answer.Text[0])
					}
				}
			}
			if got, want := len(x.Margins) > 0, r.Race == nil; got != want {
				t.Errorf("got margins: %v, want %v", got, want)
			}
			if got, want := len(x.Without) > 0, len(lead.Geomean) > 0 && r.Race == nil; got != want {
				t.Errorf("got benchmarks to leave out: %v, want %v", got, want)
			}
		})
	}
}

// isResult holds heads to the headlines and counts of a result.
func isResult(t *testing.T, what string, r *assay.Result, heads []analysis.Head) {
	t.Helper()
	n := 0
	for _, v := range r.Variants {
		lead := answer.LeadOf(r).Table
		want, ok := answer.Find(answer.Headlines(lead), v.Name)
		if !ok || want.N == 0 {
			continue
		}
		n++
		want.MoreBlocks, want.MoreTime = 0, 0
		for _, h := range heads {
			if h.Variant != v.Name {
				continue
			}
			if !reflect.DeepEqual(h.Comparison, want) {
				t.Errorf("%s of %s:\n got %+v\nwant %+v", what, v.Name, h.Comparison, want)
			}
			got, want := h.Counts, assay.VariantResult{}
			for c := range answer.Column(lead, v.Name) {
				want.Count(c)
			}
			if got.Better != want.Better || got.Worse != want.Worse || got.Same != want.Same || got.Unclear != want.Unclear {
				t.Errorf("%s of %s: got counts %+v, want %+v", what, v.Name, got, want)
			}
		}
	}
	if len(heads) != n {
		t.Errorf("%s: got %d variants, want %d", what, len(heads), n)
	}
}

func ascending(t *testing.T, frames []replay.Frame) {
	t.Helper()
	for i := 1; i < len(frames); i++ {
		if frames[i].Blocks <= frames[i-1].Blocks {
			t.Errorf("frame %d: %d blocks after %d", i, frames[i].Blocks, frames[i-1].Blocks)
		}
	}
}
