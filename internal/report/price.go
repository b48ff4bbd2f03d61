package report

import (
	"fmt"
	"math"
	"time"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/design"
	"github.com/seed-1318a441/assay/internal/stats"
)

// minBlocks is the number of blocks before which nothing is decided.
func minBlocks(d assay.Decide) int { return max(d.MinBlocks, stats.MinBlocks(d.Alpha())) }

// maxBlocks is the number of blocks after which a run stops, 0 without one. Of a
// chain it is asked for each step, as package analysis has it.
func maxBlocks(p *assay.Plan) int {
	n := p.Study.Decide.MaxBlocks
	if s := shareOf(p); s.window > 0 {
		n *= s.cycle
	}
	return n
}

// A share says how a block's places are shared where there are more variants
// than places: every one of the others has its turn once in every cycle.
type share struct {
	always int // the base and the control
	others int
	cycle  int // blocks
	// window is the number of neighbouring steps in a block of a chain, one more of
	// the others beside them; 0 where the others are drawn.
	window int
}

// shareOf is the share of a plan, as design.Present draws it: the others are cut
// into as few parts as there is room for, as equal as can be, or into windows.
func shareOf(p *assay.Plan) share {
	s := share{cycle: 1}
	for _, v := range p.Variants {
		if v.Control || v.Name == p.Study.Base {
			s.always++
		} else {
			s.others++
		}
	}
	s.cycle = design.CycleLength(p, s.others)
	// Windows take room for two neighbours and one more, as in design.
	if p.Study.Steps != nil && s.cycle > 1 && p.Together > 3 {
		s.window = p.Together - 2
	}
	return s
}

// present is the mean number of variants in a block.
func (s share) present() float64 {
	if s.window > 0 {
		return float64(s.always + s.window + 1)
	}
	return float64(s.always) + float64(s.others)/float64(s.cycle)
}

func planBlocks(p *assay.Plan) string {
	d := p.Study.Decide
	s := shareOf(p)
	text := itoa(minBlocks(d)*s.cycle) + " or more"
	most := maxBlocks(p)
	if most > 0 {
		text = itoa(minBlocks(d)*s.cycle) + " to " + itoa(most)
		if most <= minBlocks(d)*s.cycle {
			text = itoa(most)
		}
	}
	text += ", each " + s.text() + " × " + count(len(p.Benchmarks), "benchmark")
	if n := p.Study.Measure.Inner; n > 1 {
		text += fmt.Sprintf(" × %d rounds", n)
	}
	text += " = about " + short(blockTime(p)) + " in random order"
	if link := linkTime(p); link > 0 {
		text += ", " + short(link) + " of it linking anew"
	}
	if least := stats.MinBlocks(d.Alpha()); d.MaxBlocks > 0 && d.MaxBlocks < least {
		text += fmt.Sprintf("; too few to decide anything: %d are needed for %s intervals", least, margin(d.Confidence))
	}
	return text
}

// text is "5 variants", or "base, control and 3-4 of 7 others, drawn anew (each
// in one block of 2)".
func (s share) text() string {
	if s.cycle == 1 {
		return count(s.always+s.others, "variant")
	}
	base := "base"
	if s.always > 1 {
		base = "base, control"
	}
	if s.window > 0 {
		return fmt.Sprintf("%s, %d neighbouring steps and 1 of the others at random (all %d in %s),", base, s.window, s.others, count(s.cycle, "block"))
	}
	some := itoa(s.others / s.cycle)
	if s.others%s.cycle > 0 {
		some += "-" + itoa(s.others/s.cycle+1)
	}
	return fmt.Sprintf("%s and %s of %d others, drawn anew (each in one block of %d),", base, some, s.others, s.cycle)
}

// blockTime is what a block costs: a trial of every benchmark and variant in
// every round, and the links.
func blockTime(p *assay.Plan) time.Duration {
	var d time.Duration
	for _, b := range p.Benchmarks {
		d += b.Trial
	}
	trials := shareOf(p).present() * float64(max(1, p.Study.Measure.Inner))
	return time.Duration(float64(d)*trials) + linkTime(p)
}

// linkTime is the time that a block spends linking. The plan's is that of all
// variants together.
func linkTime(p *assay.Plan) time.Duration {
	return time.Duration(float64(p.Link) * shareOf(p).present() / max(1, float64(len(p.Variants))))
}

func planTime(p *assay.Plan) string {
	d := p.Study.Decide
	blocks := minBlocks(d) * shareOf(p).cycle
	if n := maxBlocks(p); n > 0 {
		blocks = min(blocks, n)
	}
	least := blockTime(p) * time.Duration(blocks)
	switch {
	case d.Budget == 0:
		return "at least " + short(least)
	case least > d.Budget:
		return "stops at " + short(d.Budget)
	}
	return "at least " + short(least) + ", stops at " + short(d.Budget)
}

// scatters are the standard deviations of blocks that certainty is told for: a
// calm machine, an ordinary one, a shared one.
var scatters = []float64{0.01, 0.03, 0.1}

// planCertainty says what the budget buys before it is spent: whether anything
// can be decided at all, and how wide intervals will about be.
func planCertainty(p *assay.Plan) string {
	blocks, bound := planned(p)
	if blocks < 0 {
		return ""
	}
	s, d := shareOf(p), p.Study.Decide
	each := blocks / s.cycle
	text := "about " + count(blocks, "block") + bound
	switch {
	case s.window > 0:
		text += ", " + itoa(each) + " or more with each pair of neighbours"
	case s.cycle > 1:
		text += ", " + itoa(each) + " with each variant"
	}
	if need := stats.FirstBlocks(d.Alpha()); each < need {
		return text + fmt.Sprintf(": nothing can be decided before %d; ", need) + remedy(p, need)
	}
	text += ": "
	for i, sd := range scatters {
		w := assay.ChangeOfLog(stats.HalfWidth(each, sd, d.Alpha()))
		where := " at "
		if i == 0 {
			where = " where a block scatters by "
		} else {
			text += ", "
		}
		text += plusMinus(w) + " %" + where + margin(sd)
	}
	return text
}

// planned is the number of blocks that fit, and what bounds them; -1 where
// nothing does.
func planned(p *assay.Plan) (blocks int, bound string) {
	d, price := p.Study.Decide, blockTime(p)
	blocks = -1
	if d.Budget > 0 && price > 0 {
		blocks, bound = int(d.Budget/price), " in "+short(d.Budget)
	}
	if n := maxBlocks(p); n > 0 && (blocks < 0 || n < blocks) {
		blocks, bound = n, ""
	}
	return blocks, bound
}

// remedy is what to type so that something can be decided: more of what is too
// little, or less confidence.
func remedy(p *assay.Plan, need int) string {
	d, cycle := p.Study.Decide, shareOf(p).cycle
	text := "--budget " + enough(p, need)
	if _, bound := planned(p); bound == "" {
		if shareOf(p).window > 0 {
			return fmt.Sprintf("--blocks %d-", need) // asked for each step
		}
		text = fmt.Sprintf("--blocks %d-", need*cycle)
	}
	const lax = 0.05
	if fewer := stats.FirstBlocks(lax); d.Alpha() < lax && fewer < need {
		text += fmt.Sprintf(", or --confidence %s: %d blocks, --budget %s", "95%", fewer, enough(p, fewer))
	}
	return text
}

// enough is a budget for so many blocks with every variant, as a flag has it:
// a quarter more than they cost, for the pilot and for trials that take longer,
// in whole minutes from two on.
func enough(p *assay.Plan, blocks int) string {
	d := 1.25 * float64(blocks*shareOf(p).cycle) * blockTime(p).Seconds()
	if d < 120 {
		return fmt.Sprintf("%ds", max(1, int(math.Ceil(d))))
	}
	return fmt.Sprintf("%dm", int(math.Ceil(d/60)))
}
