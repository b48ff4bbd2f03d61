package answer

import (
	"strings"
	"testing"
	"time"

	"github.com/seed-1318a441/assay"
)

// TestHeadlinesOfWhatIsLeft: where one benchmark of several is left, it is the
// answer.
func TestHeadlinesOfWhatIsLeft(t *testing.T) {
	row := func(v assay.Verdict) assay.Row {
		return assay.Row{Cells: []assay.Comparison{{Variant: "b", Verdict: v}}}
	}
	for _, test := range []struct {
		rows []assay.Row
		want int
	}{
		{[]assay.Row{row(assay.Invalid), row(assay.Slower)}, 1},
		{[]assay.Row{row(assay.Invalid), row(assay.Invalid)}, 0},
		{[]assay.Row{row(assay.Slower)}, 1},
	} {
		if got := len(Headlines(assay.Table{Rows: test.rows})); got != test.want {
			t.Errorf("%v: got %d headlines, want %d", test.rows, got, test.want)
		}
	}
}

// The blocks of a run stand beside those of its geomean where these are fewer, and its time
// has one form and one name wherever it stands.
func TestBlocksAndTime(t *testing.T) {
	geomean := func(n ...int) (r *assay.Result) {
		r = &assay.Result{Rule: assay.Rule{Confidence: .99}, Spent: assay.Spent{Blocks: 116, Time: 474 * time.Second, Stop: assay.StopBudget}, Tables: []assay.Table{{Decides: true, Rows: []assay.Row{
			{Cells: []assay.Comparison{{Verdict: assay.Unclear, N: 116}}}}}}}
		for _, n := range n {
			r.Tables[0].Geomean = append(r.Tables[0].Geomean, assay.Comparison{N: n})
		}
		return r
	}
	for want, r := range map[string]*assay.Result{
		"116 blocks":                     geomean(),
		"116 blocks, geomean over 28":    geomean(28, 28),
		"116 blocks, geomean over 20–28": geomean(20, 28, 0),
	} {
		if got := Blocks(r); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
		if got := basis(r, assay.Answer{}); !strings.HasPrefix(got, "not decided after "+want+" (7m54s of measuring)") {
			t.Errorf("basis %q, want %s first", got, want)
		}
	}
	if r := geomean(116, 116); Blocks(r) != "116 blocks" {
		t.Errorf("got %q of a geomean of all blocks", Blocks(r))
	}
	if got := undecided(geomean(), false, true)[0].Text; !strings.HasSuffix(got, "undecided after 7m54s of measuring") {
		t.Errorf("warning %q", got)
	}
}
