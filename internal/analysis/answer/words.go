package answer

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/printable"
)

// Amount is a change in words: "18.6 % less time [−19.8, −17.3] than BASE", with a ratio
// in words beyond ±50 %.
func Amount(m assay.Metric, c assay.Comparison, base string) string {
	if noPercentage(m, c) {
		before := "none"
		if x := c.Value - c.Difference; x != 0 {
			before = quantity(m, x)
		}
		return fmt.Sprintf("%s %s, %s %s", quantity(m, c.Value), noun(m), base, before)
	}
	out := amount(m, c) + " than " + base
	if ratio := c.Change.Ratio(m); ratio != "" {
		out += ", " + ratio
	}
	return out
}

// amount is "18.6 % less time [−19.8, −17.3]".
func amount(m assay.Metric, c assay.Comparison) string {
	if noPercentage(m, c) {
		return fmt.Sprintf("%s %s instead of %s", quantity(m, c.Value), noun(m), quantity(m, c.Value-c.Difference))
	}
	less := pick(m.Name == assay.MetricAllocs || m.Name == assay.MetricRequests, " fewer ", " less ")
	out := strings.TrimLeft(c.Change.Format(half(c)), "+−") + pick(c.Change > 0, " more ", less) + noun(m)
	switch {
	case c.Exact:
		out += " (exact)"
	case c.Interval != nil:
		out += " " + c.Interval.String()
	}
	return out
}

// noPercentage reports whether the values of both sides stand in place of a change: of
// nothing there is no percentage, and one of a share of errors misleads.
func noPercentage(m assay.Metric, c assay.Comparison) bool {
	return c.Verdict.Differs() && (c.Change == 0 || m.Name == assay.MetricErrors)
}

// quantity is a value in a sentence, a share in percent.
func quantity(m assay.Metric, x float64) string {
	if m.Name == assay.MetricErrors {
		return printable.Share(x)
	}
	return fmt.Sprintf("%.4g", x)
}

// takes is the verb between a variant and an amount: it takes time and memory, but has
// latencies, rates and errors.
func takes(m assay.Metric) string {
	return pick(assay.IsLatency(m.Name) || m.Name == assay.MetricErrors || m.Better == assay.BetterHigher, "has", "takes")
}

// noun is the name of a metric in a sentence.
func noun(m assay.Metric) string {
	if assay.IsLatency(m.Name) {
		return strings.TrimPrefix(m.Name, "latency.") + " latency"
	}
	known, _ := assay.FindMetric(m.Name)
	return cmp.Or(known.Noun, m.Name)
}

// Interval is "+0.4 % [−0.5, +1.3]", or "from 0 to 2400 (exact)" if there is no ratio. Without
// an interval that says something there is no change either.
func Interval(c assay.Comparison) string {
	switch {
	case c.Exact && c.Change == 0 && c.Difference != 0:
		return fmt.Sprintf("from %.10g to %.10g (exact)", c.Value-c.Difference, c.Value)
	case c.SoFar():
		return c.Change.Format(0) + " (exact so far)"
	case c.Exact:
		return c.Change.Format(0) + " (exact)"
	case c.Interval == nil:
		return "(" + c.Reason + ")"
	}
	if c.Interval.SaysNothing() {
		return "(" + assay.NoInformation + ")"
	}
	return c.Interval.With(c.Change)
}

func half(c assay.Comparison) assay.Change {
	if c.Interval == nil {
		return 0
	}
	return c.Interval.Half()
}

// Open is "not decided", or "not all decided" where only other comparisons than the answer's
// are open, such as the steps of a chain; "" where all is decided.
func Open(a assay.Answer) string {
	switch {
	case a.Decided:
		return ""
	case a.Undecided != "" && a.Gate != GateOpen && (a.Verdict.Differs() || a.Verdict == assay.Same):
		return "not all decided"
	}
	return openAnswer
}

const openAnswer = "not decided"

// basis says how the answer was decided.
func basis(r *assay.Result, a assay.Answer) string {
	parts := []string{
		fmt.Sprintf("%s after %s (%s)", cmp.Or(Open(a), "decided"), Blocks(r), Measuring(r.Spent)),
		printable.Level(r.Rule.Confidence) + " intervals",
	}
	if r.Rule.Claims > 1 {
		parts = append(parts, fmt.Sprintf("expected false claims ≤ 5 %% over %d comparisons", r.Rule.Claims))
	}
	if r.Rule.Heads > 1 {
		parts = append(parts, fmt.Sprintf("the answer at %s over %d", printable.Level(r.Rule.Confidence), r.Rule.Heads))
	}
	parts = append(parts, "minimum effect: "+printable.Share(r.Rule.MinEffect))
	if r.Rule.Scope != "" {
		parts = append(parts, r.Rule.Scope)
	}
	return strings.Join(parts, " · ")
}

// Blocks is "88 blocks", and "88 blocks, geomean over 20–28" where the geomeans of the
// first metric are over fewer: those in which every benchmark ran.
func Blocks(r *assay.Result) string {
	text := printable.Count(r.Spent.Blocks, "block")
	if len(r.Tables) == 0 {
		return text
	}
	if n := OtherBlocks(r, r.Tables[0].Geomean); n != "" {
		text += ", geomean over " + n
	}
	return text
}

// OtherBlocks is "10" or "8–10" of comparisons with other numbers of blocks than the run's.
func OtherBlocks(r *assay.Result, list []assay.Comparison) string {
	least, most := BlocksOf(list)
	switch {
	case most == 0 || least == most && most == r.Spent.Blocks:
		return ""
	case least == most:
		return printable.Int(most)
	}
	return printable.Int(least) + "–" + printable.Int(most)
}

// BlocksOf are the least and the most blocks behind comparisons that have any.
func BlocksOf(list []assay.Comparison) (least, most int) {
	for _, c := range list {
		if c.N > 0 && (least == 0 || c.N < least) {
			least = c.N
		}
		most = max(most, c.N)
	}
	return least, most
}

// Measuring is "7m54s of measuring", the one duration of a run in every output: of its
// trials and links, without what came before and between them.
func Measuring(s assay.Spent) string { return printable.Duration(s.Time) + " of measuring" }

// bySize orders comparisons by the size of their change, largest first.
func bySize(a, b assay.Comparison) int {
	return cmp.Compare(math.Abs(b.Change.Log()), math.Abs(a.Change.Log()))
}

func are(n int) string { return pick(n == 1, "is", "are") }

func pick(first bool, a, b string) string {
	if first {
		return a
	}
	return b
}

// because is a text and its reason, if there is one.
func because(text, reason string) string {
	if reason == "" {
		return text
	}
	return text + ": " + reason
}

// joinAnd is "a, b and c".
func joinAnd(names []string) string {
	if n := len(names); n > 1 {
		return strings.Join(names[:n-1], ", ") + " and " + names[n-1]
	}
	return strings.Join(names, "")
}

// nounList names metrics: "p50, p90 latency", "tx/s".
func nounList(ms []assay.Metric) (out []string) {
	for i, m := range ms {
		name := noun(m)
		if i+1 < len(ms) && assay.IsLatency(m.Name) && assay.IsLatency(ms[i+1].Name) {
			name = strings.TrimSuffix(name, " latency")
		}
		if !slices.Contains(out, name) {
			out = append(out, name)
		}
	}
	return out
}

// joinOr is "a, b or c".
func joinOr(names []string) string {
	if n := len(names); n > 1 {
		return strings.Join(names[:n-1], ", ") + " or " + names[n-1]
	}
	return strings.Join(names, "")
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

// join joins the texts that are not empty.
func join(parts ...string) string {
	return strings.Join(slices.DeleteFunc(parts, func(s string) bool { return s == "" }), "; ")
}

// after is the continuation of a sentence: "", or "; rest".
func after(rest string) string {
	if rest == "" {
		return ""
	}
	return "; " + rest
}
