package report

import (
	"fmt"
	"math"
	"time"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/printable"
	"github.com/seed-1318a441/assay/internal/schedule"
	"github.com/seed-1318a441/assay/internal/sheet"
)

// planBlocks returns how many blocks a plan runs, and what a block holds.
func planBlocks(p *assay.Plan, f schedule.Forecast) string {
	d := p.Study.Decide
	least := f.First
	text := printable.Int(least) + " or more"
	if f.Last > 0 {
		text = printable.Int(least) + " to " + printable.Int(f.Last)
		if f.Last <= least {
			text = printable.Int(f.Last)
		}
	}
	text += ", each " + shareText(f.Share) + " × " + printable.Count(len(p.Benchmarks), "benchmark")
	text += " = about " + printable.Duration(f.Block) + " in random order"
	if f.Link > 0 {
		text += ", " + printable.Duration(f.Link) + " of it relinking"
	}
	if f.Last > 0 && f.Last < f.First {
		text += fmt.Sprintf("; too few to decide anything: %d are needed for %s intervals", f.First, printable.Level(d.Confidence))
	}
	return text
}

// shareText returns "5 variants", or "base, control and 3-4 of 7 others, drawn afresh
// (each in one block of 2)".
func shareText(s schedule.Share) string {
	if s.Cycle == 1 && s.Always == math.Trunc(s.Always) {
		return printable.Count(int(s.Always)+s.Others, "variant")
	}
	if s.Cycle == 1 {
		return printable.Count(1+s.Others, "variant") + " (from block 9 on, in one of four, the control)"
	}
	base := "base"
	if s.Always > 1 {
		base = "base, control"
	}
	if s.Window > 0 {
		return fmt.Sprintf("%s, %d neighbouring steps and 1 of the others at random (all %s in %s),", base, s.Window, printable.Int(s.Others), printable.Count(s.Cycle, "block"))
	}
	part := printable.Int(s.Others / s.Cycle)
	if s.Others%s.Cycle > 0 {
		part += "-" + printable.Int(s.Others/s.Cycle+1)
	}
	return fmt.Sprintf("%s and %s of %s others, drawn afresh (each in one block of %s),", base, part, printable.Int(s.Others), printable.Int(s.Cycle))
}

// noBuilds says beside a budget what it does not include.
const noBuilds = "; builds not included"

// planTime returns how long a plan takes at least, and when it stops, after building.
func planTime(p *assay.Plan, f schedule.Forecast) string {
	blocks := f.First
	if f.Last > 0 {
		blocks = min(blocks, f.Last)
	}
	least, budget := f.Block*time.Duration(blocks), p.Study.Decide.Budget
	switch {
	case budget == 0:
		return "at least " + printable.Duration(least)
	case least > budget:
		return "stops at " + printable.Duration(budget) + noBuilds
	}
	return "at least " + printable.Duration(least) + ", stops at " + printable.Duration(budget) + noBuilds
}

// scatters are typical standard deviations of blocks: on a calm machine, an ordinary one,
// and a shared one.
var scatters = []float64{0.01, 0.03, 0.1}

// planCertainty returns what the budget buys: whether it can decide anything, and about how
// wide the intervals will be.
func planCertainty(p *assay.Plan, f schedule.Forecast) string {
	if f.Blocks < 0 {
		return ""
	}
	d := p.Study.Decide
	text := "about " + printable.Count(f.Blocks, "block")
	if f.ByTime {
		text += " in " + printable.Duration(d.Budget)
	}
	switch {
	case f.Share.Window > 0:
		text += ", " + printable.Int(f.Each()) + " or more with each pair of neighbours"
	case f.Share.Cycle > 1:
		text += ", " + printable.Int(f.Each()) + " with each variant"
	}
	if !f.Decides() {
		return text + fmt.Sprintf(": nothing can be decided before %d", f.First/f.Share.Cycle) // a warning has the price
	}
	text += ": "
	for i, sd := range scatters {
		w := assay.ChangeOfLog(f.HalfWidth(sd, d.Alpha()))
		where := " at "
		if i == 0 {
			where = " where a block scatters by "
		} else {
			text += ", "
		}
		text += sheet.PlusMinus(w) + " %" + where + printable.Percent(sd)
	}
	if f.ByTime {
		text += "; about half of that in " + printable.Duration(4*d.Budget)
	}
	return text
}
