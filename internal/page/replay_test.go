package page

import (
	"strings"
	"testing"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/analysis"
	"github.com/seed-1318a441/assay/internal/analysis/answer"
	"github.com/seed-1318a441/assay/internal/analysis/replay"
	"github.com/seed-1318a441/assay/internal/sheet"
	"github.com/seed-1318a441/assay/web"
)

// replayed returns the page of a fixture with a replay of two frames.
func replayedPage(t *testing.T) *Page {
	r := fixture(t, "six")
	var early, late []analysis.Head
	for _, v := range r.Variants {
		c, ok := answer.Headline(r, v.Name)
		if !ok {
			continue
		}
		late = append(late, analysis.Head{Comparison: c, Base: sheet.GeomeanBase(r.Tables[0]), Decided: true, Counts: v})
		c.Interval, c.Verdict, c.Reason = nil, assay.Unclear, "2 of 9 blocks"
		early = append(early, analysis.Head{Comparison: c, Base: sheet.GeomeanBase(r.Tables[0])})
	}
	p := pageOf(r)
	p.Replays = []Replay{NewReplay(0, r, &replay.Replay{Blocks: 12, MinEffect: 0.01,
		Frames:  []replay.Frame{{Blocks: 2, Heads: early}, {Blocks: 12, Heads: late}},
		Margins: []replay.Outlook{{MinEffect: 0.005, Heads: late, Answer: assay.Answer{Text: []string{"other"}}}, {MinEffect: 0.01, Heads: late}},
		Without: []replay.Outlook{{MinEffect: 0.01, Without: assay.Benchmark{Package: "p", Name: "B"}, Heads: late}}})}
	return p
}

func TestReplay(t *testing.T) {
	p := replayedPage(t)
	x, r := p.Replays[0], &p.Machines[0].Result
	if got, want := x.Frames[0].Label, "after 2 of 12 blocks"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got, want := x.Margins[0].Key+" "+x.Margins[0].Label, "0.5 with a minimum effect of ±0.5 %"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if x.Fixed != 1 || x.Margins[1].Answer != r.Answer.Text[0] || !strings.Contains(x.Note, "fixed ±1 % before it ran") {
		t.Errorf("got fixed %d, answer %q, note %q", x.Fixed, x.Margins[1].Answer, x.Note)
	}
	if got, want := x.Without[0].Key+", "+x.Without[0].Label, "p.B, without p.B"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	for i, row := range x.Rows {
		early, late := x.Frames[0].Heads[i], x.Frames[1].Heads[i]
		if len(early.At) != 0 || early.Change != sheet.None || early.Interval != "" || early.Verdict != assay.Unclear || early.Note != "2 of 9 blocks" {
			t.Errorf("%s early: got %+v", row.Variant, early)
		}
		if len(late.At) != 3 || !late.Decided || !strings.HasPrefix(late.Interval, "[") {
			t.Errorf("%s late: got %+v", row.Variant, late)
		}
	}
}

// TestReplayLeftOut holds that pages without a replay do not carry its script.
func TestReplayLeftOut(t *testing.T) {
	p := replayedPage(t)
	if !strings.Contains(p.embedded(EmbedFive).script(), web.Replay) {
		t.Error("no script for a replay")
	}
	none := p.embedded(EmbedNone)
	if none.Replays != nil || strings.Contains(none.script(), web.Replay) {
		t.Errorf("got %d replays with --embed=none", len(none.Replays))
	}
}
