package bisection

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/seed-1318a441/assay/internal/printable"
	"github.com/seed-1318a441/assay/internal/search"
)

// KnobLines describes the result of a knob's bisection.
func KnobLines(r *search.KnobBisected) []string {
	lines := []string{fmt.Sprintf("bisect %s: %s of %s in %s; %s", printable.Brief(r.Study), printable.Count(r.Places, "place"), r.Knob.Key, scopeText(r.Knob), r.Go), ""}
	lines = append(lines, answerLines(r)...)
	return append(append(lines, ""), knobSpent(r)...)
}

func scopeText(k search.Knob) string {
	switch k.Scope {
	case search.KnobScope:
		return "all packages but the standard library"
	case "all":
		return "all packages"
	}
	return printable.Brief(k.Scope)
}

// answerLines returns the answer.
func answerLines(r *search.KnobBisected) []string {
	key := r.Knob.Key
	var wider string
	if r.Knob.Scope == search.KnobScope {
		wider = "        --scope=all searches the standard library, too"
	}
	switch r.Status {
	case search.StatusNoChange:
		why := r.Why
		if why == "" {
			why = "same"
		}
		lines := []string{fmt.Sprintf("ANSWER  %s does not matter to this benchmark (%s)", key, why)}
		if r.Whole != nil {
			lines = append(lines, "        "+wholeKnob(r))
		}
		return appendText(lines, wider)
	case search.StatusUndecided:
		lines := []string{fmt.Sprintf("ANSWER  not decided whether %s matters to this benchmark: unclear", key)}
		if r.Whole != nil {
			lines = append(lines, "        "+wholeKnob(r))
		}
		return appendText(append(lines, "        a larger --budget gives it more time, a larger --min-effect needs less"), wider)
	case search.StatusSpread:
		return []string{fmt.Sprintf("ANSWER  %s matters, and no few lines make it: %s", key, r.Why), "        " + wholeKnob(r)}
	}
	lines := foundLines(r)
	lines = append(lines, "")
	lines = append(lines, effectLines(r)...)
	if r.Undecided > 0 {
		lines = append(lines, fmt.Sprintf("        %s not decided and counted as off: a line may be missing, or be here that only seemed to be needed", printable.Count(r.Undecided, "probe")))
	}
	if r.More {
		lines = append(lines, "        there may be others: --max searches on")
	}
	return lines
}

func appendText(lines []string, text string) []string {
	if text == "" {
		return lines
	}
	return append(lines, text)
}

// foundLines returns the places found.
func foundLines(r *search.KnobBisected) []string {
	n := 0
	for _, s := range r.Sets {
		n += len(s.Lines)
	}
	lines := []string{fmt.Sprintf("ANSWER  %s matters at %s, by %s", r.Knob.Key, printable.Count(n, "place"), r.By)}
	for i, s := range r.Sets {
		if len(s.Lines) > 1 {
			lines = append(lines, fmt.Sprintf("        set %d: these together", i+1))
		}
		for _, l := range s.Lines {
			text := "        " + lineName(l.Position)
			if l.Source != "" {
				text += "   " + l.Source
			}
			lines = append(lines, text)
			for _, p := range l.Into {
				lines = append(lines, "            inlined at "+lineName(p))
			}
		}
	}
	return lines
}

func lineName(p search.Position) string {
	if p.Line == 0 {
		return printable.Brief(p.File)
	}
	return p.String()
}

// effectLines returns the effect of the places found together, beside those of nowhere
// and everywhere.
func effectLines(r *search.KnobBisected) (lines []string) {
	for i, e := range r.Exact {
		if i == 5 {
			lines = append(lines, fmt.Sprintf("        and %s more", printable.Count(len(r.Exact)-i, "benchmark")))
			break
		}
		text := fmt.Sprintf("        %s %s: nowhere %s, ", e.Benchmark.Name, r.By, number(e.Off))
		if e.Some != nil {
			text += "here alone " + number(*e.Some) + ", "
		}
		lines = append(lines, text+"everywhere "+number(e.On))
	}
	if r.Change != nil {
		text := fmt.Sprintf("        %s: here alone %s against nowhere", r.Metric, r.Change.String())
		if r.Whole != nil {
			text += "; everywhere " + r.Whole.String()
		}
		lines = append(lines, text)
	}
	if r.Rest != nil {
		lines = append(lines, fmt.Sprintf("        %s: everywhere %s against here alone", r.Metric, r.Rest.String()))
	}
	return lines
}

func number(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }

// wholeKnob returns the effect of the knob everywhere.
func wholeKnob(r *search.KnobBisected) string {
	text := "everywhere against nowhere: "
	if r.Whole != nil {
		text += r.Metric + " " + r.Whole.String()
	}
	return strings.TrimSuffix(text, ": ")
}

// knobSpent returns the cost of the search, and its last run.
func knobSpent(r *search.KnobBisected) []string {
	text := fmt.Sprintf("%s, %d of them measured; %s, of which %s measuring", printable.Count(r.Probes, "probe"), r.Runs, r.Took.Round(time.Second), r.Measured.Round(time.Second))
	if r.Confidence < 1 && r.Status == search.StatusFound && r.Undecided == 0 {
		text += fmt.Sprintf("; probability of naming a wrong line: at most %.2g %%", 100*(1-r.Confidence))
	}
	lines := []string{text}
	for _, f := range r.Findings {
		if f.Kind == search.KnobFinal && f.Run != "" {
			lines = append(lines, "the last comparison in full: assay show "+f.Run)
		}
	}
	return lines
}
