package bisect

import (
	"cmp"
	"math"
	"strconv"

	"github.com/seed-1318a441/assay/internal/printable"
)

// KnobLines describes the result of a knob's bisection.
func KnobLines(r *KnobResult) []string {
	var l lines
	scope := printable.Brief(r.Knob.Scope)
	switch r.Knob.Scope {
	case KnobScope:
		scope = "all packages but the standard library"
	case "all":
		scope = "all packages"
	}
	l.add("bisect %s: %s of %s in %s; %s", printable.Brief(r.Study), printable.Count(r.Places, "place"), r.Knob.Key, scope, r.Go)
	l.add("")
	l.knobAnswer(r)
	l.add("")
	text := ""
	if r.Confidence < 1 && r.Status == StatusFound && r.Undecided == 0 {
		text = errorRate("line", r.Confidence)
	}
	l.add("%s, %d of them measured; %s%s", printable.Count(r.Probes, "probe"), r.Runs, timeText(r.Took, r.Measured), text)
	for _, f := range r.Findings {
		if f.Kind == KnobFinal && f.Run != "" {
			l.add("the last comparison in full: assay show %s", f.Run)
		}
	}
	return l
}

// knobAnswer adds the answer.
func (l *lines) knobAnswer(r *KnobResult) {
	key := r.Knob.Key
	switch r.Status {
	case StatusNoChange:
		l.add("ANSWER  %s does not matter to this benchmark (%s)", key, cmp.Or(r.Why, "same"))
	case StatusUndecided:
		l.add("ANSWER  not decided whether %s matters to this benchmark", key)
	case StatusSpread:
		l.add("ANSWER  %s matters, and no few lines make it: %s", key, r.Why)
	default:
		l.places(r)
		l.add("")
		l.effect(r)
		if r.Undecided > 0 {
			l.detail("%s not decided and counted as off: a line may be missing, or be here that only seemed to be needed", printable.Count(r.Undecided, "probe"))
		}
		if r.More {
			l.detail("there may be others: --max searches on")
		}
		return
	}
	switch {
	case r.Whole != nil:
		l.detail("everywhere against nowhere: %s %s", r.Metric, r.Whole)
	case r.Status == StatusSpread:
		l.detail("everywhere against nowhere")
	}
	if r.Status == StatusUndecided {
		l.detail("a larger --budget gives it more time, a larger --min-effect needs less")
	}
	if r.Status != StatusSpread && r.Knob.Scope == KnobScope {
		l.detail("--scope=all searches the standard library, too")
	}
}

// places adds the places found.
func (l *lines) places(r *KnobResult) {
	n := 0
	for _, s := range r.Sets {
		n += len(s.Lines)
	}
	l.add("ANSWER  %s matters at %s, by %s", r.Knob.Key, printable.Count(n, "place"), r.By)
	for i, s := range r.Sets {
		if len(s.Lines) > 1 {
			l.detail("set %d: these together", i+1)
		}
		for _, line := range s.Lines {
			text := lineName(line.Position)
			if line.Source != "" {
				text += "   " + line.Source
			}
			l.detail("%s", text)
			for _, p := range line.Into {
				l.detail("    inlined at %s", lineName(p))
			}
		}
	}
}

func lineName(p Position) string {
	if p.Line == 0 {
		return printable.Brief(p.File)
	}
	return p.String()
}

// effect adds the effect of the places found together, beside those of nowhere and
// everywhere.
func (l *lines) effect(r *KnobResult) {
	for i, e := range r.Exact {
		if i == 5 {
			l.detail("and %s more", printable.Count(len(r.Exact)-i, "benchmark"))
			break
		}
		alone := ""
		if e.Some != nil {
			alone = "here alone " + number(*e.Some) + ", "
		}
		l.detail("%s %s: nowhere %s, %severywhere %s", e.Benchmark.Name, r.By, number(e.Off), alone, number(e.On))
	}
	if r.Change != nil {
		everywhere := ""
		if r.Whole != nil {
			everywhere = "; everywhere " + r.Whole.String()
		}
		l.detail("%s: here alone %s against nowhere%s", r.Metric, r.Change, everywhere)
	}
	if r.Rest != nil {
		l.detail("%s: everywhere %s against here alone", r.Metric, r.Rest)
	}
}

func number(x float64) string {
	if x == math.Trunc(x) && math.Abs(x) < 1e15 {
		return printable.Int(int(x))
	}
	return strconv.FormatFloat(x, 'f', -1, 64)
}
