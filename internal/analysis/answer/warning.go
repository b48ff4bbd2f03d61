package answer

import (
	"fmt"
	"slices"
	"strings"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/printable"
	"github.com/seed-1318a441/assay/internal/schedule"
	"github.com/seed-1318a441/assay/internal/shell"
)

// PrecisionWarnings warns about noise above the minimum effect, and about unclear
// comparisons. steps is true if the changes from step to step must be decided, goesOn if the
// run can have more blocks.
func PrecisionWarnings(r *assay.Result, steps, goesOn bool) []assay.Warning {
	return append(noisy(r), undecided(r, steps, goesOn)...)
}

// Emulated warns that trials run in an emulator.
func Emulated(p assay.Platform) []assay.Warning {
	if p.Emulated == "" {
		return nil
	}
	return []assay.Warning{{Code: assay.CodeEmulated,
		Text:   "measured in an emulator, " + p.Emulated + ": verdicts on time say nothing about the speed of a processor",
		Facts:  []string{"the emulator translates every instruction, so other things are slow in it than in a processor", "outputs, bytes and numbers of allocations are as on a processor"},
		Advice: "--on ssh:HOST, a machine with a processor for " + p.GOARCH}}
}

// ShortLoads warns about loads with a fixed rate that servers did not attain.
func ShortLoads(r *assay.Result) (out []assay.Warning) {
	for _, l := range r.Loads {
		if l.Slowest != "" {
			out = append(out, assay.Warning{Code: assay.CodeOverload,
				Text:   fmt.Sprintf("the load of %s is more than %s can bear: %.4g of %.4g requests a second", l.Benchmark.Name, l.Slowest, l.Attained, l.Rate),
				Facts:  []string{"its latency is that of a queue that grows"},
				Advice: "a lower rate: half of the attained rate shows latency best"})
		}
	}
	return out
}

// noisy warns that the minimum effect is below the noise.
func noisy(r *assay.Result) []assay.Warning {
	if float64(r.Noise.Floor) <= r.Rule.MinEffect {
		return nil
	}
	floor := "±" + strings.TrimPrefix(r.Noise.Floor.Format(r.Noise.Floor), "+") + " so far, above"
	if !r.Noise.Known() {
		floor = "not known yet, and above"
	}
	advice := "assay doctor, or a larger --budget"
	if wider := 2 * float64(r.Noise.Floor); wider < 0.5 {
		advice = "assay doctor, or --min-effect " + strings.ReplaceAll(printable.Share(wider), " ", "") + ", or a larger --budget"
	}
	return []assay.Warning{{Code: assay.CodeNoisy, Advice: advice,
		Text: fmt.Sprintf("noise on this machine is %s the %s you asked for", floor, printable.Share(r.Rule.MinEffect))}}
}

// deciding returns the comparisons of the metrics that decide: with the base, and if
// steps must be decided with the previous step.
func deciding(r *assay.Result, steps bool) (out []assay.Comparison) {
	for _, tab := range r.Tables {
		if !tab.Decides {
			continue
		}
		for _, row := range tab.Rows {
			out = append(out, row.Cells...)
		}
		for _, s := range tab.Steps {
			if steps && s.Previous != r.Base { // which the rows have
				out = append(out, s.Cells...)
			}
		}
	}
	return slices.DeleteFunc(out, func(c assay.Comparison) bool { return c.Verdict == assay.Withheld || c.Verdict == assay.SameCoded })
}

// undecided counts the cells that are unclear after the budget, and gives their price.
func undecided(r *assay.Result, steps, goesOn bool) []assay.Warning {
	if r.Spent.Stop != assay.StopBudget && r.Spent.Stop != assay.StopBlocks {
		return nil
	}
	unclear, total := 0, 0
	var widest assay.Comparison
	for _, c := range deciding(r, steps) {
		total++
		if c.Verdict != assay.Unclear {
			continue
		}
		unclear++
		if widest.Interval == nil || c.Interval != nil && c.Interval.Half() > widest.Interval.Half() {
			widest = c
		}
	}
	if unclear == 0 {
		return undecidedEffects(r)
	}
	w := assay.Warning{Code: assay.CodeUndecided,
		Text: fmt.Sprintf("%d of %s %s undecided after %s", unclear, printable.Count(total, "comparison"), are(unclear), Measuring(r.Spent))}
	if widest.Interval != nil {
		w.Facts = []string{"widest: " + deciders(r)[0].NameOf(widest.Benchmark) + " " + Interval(widest)}
	}
	switch more, _ := remaining(r, steps); {
	case more > schedule.OutOfReach:
		w.Advice = "a quieter machine (assay doctor), or a larger --min-effect: more blocks alone would take days"
	case more > 0 && goesOn:
		w.Facts = append(w.Facts, fmt.Sprintf("--more adds to run %s; nothing is measured again", r.Run))
		w.Try = shell.With(r.Command, "more", schedule.Duration(more))
	}
	return []assay.Warning{w}
}

// Elsewhere returns a warning for a reader who cannot add blocks to the run: it says how
// many hours of them would decide, but not what to type.
func Elsewhere(r *assay.Result, w assay.Warning) assay.Warning {
	c, _ := shell.ParseCommand(w.Try)
	price, more := c.Value("more")
	last := len(w.Facts) - 1
	if !more || w.Code != assay.CodeUndecided || last < 0 {
		return w
	}
	w.Facts, w.Try = slices.Clone(w.Facts), ""
	w.Facts[last] = fmt.Sprintf("--more %s would add to run %s, where it was measured", price, r.Run)
	return w
}

// undecidedEffects counts the unclear main effects, if no comparison is unclear.
func undecidedEffects(r *assay.Result) []assay.Warning {
	unclear, total := 0, 0
	if len(r.Tables) == 0 {
		return nil
	}
	for _, e := range r.Tables[0].Effects {
		if len(e.Switches) == 1 && e.Held == "" {
			total++
			if e.Whole.Verdict == assay.Unclear {
				unclear++
			}
		}
	}
	if unclear == 0 {
		return nil
	}
	return []assay.Warning{{Code: assay.CodeUndecided,
		Text: fmt.Sprintf("%d of %d switches %s undecided after %s", unclear, total, are(unclear), Measuring(r.Spent))}}
}
