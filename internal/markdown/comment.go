package markdown

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/printable"
	"github.com/seed-1318a441/assay/internal/sheet"
)

// MaxSize is the number of bytes that a comment has at most. GitHub takes 65,536
// characters.
const MaxSize = 60_000

// Options are what a result does not know of where it is read.
type Options struct {
	// Report is the address of the report page; "" leaves the link out, and so does
	// anything but http and https.
	Report string
	// Head is the commit that was measured against the base, where the variant is
	// the tree of a pull request. It is then called "this PR".
	Head string
	// Branch is what the base is called; "" is the name of its variant.
	Branch string
	// Earlier are the pushes before this one, the newest first; see [Pushes].
	Earlier []Push
}

// Write writes a result as a comment on a pull request: the heading has the
// verdict, in sight is what changed, and the rest is in folds. The last line tells
// of which study the comment is. The words are those of the record.
func Write(w io.Writer, r *assay.Result, o Options) error {
	m := newMarkdown(r, o)
	m.heading()
	if m.quiet() {
		m.quietBody()
	} else {
		m.body()
	}
	m.earlier()
	m.foot(Marker(r.Study))
	_, err := io.WriteString(w, m.fit())
	return err
}

// A comment is the Markdown of one result. Its blocks are kept apart so that those in the
// middle can be left out.
type comment struct {
	*sheet.Sheet
	o      Options
	level  string // of headings
	blocks []block
}

// A block is a part of a comment that stays whole. Pinned ones are never left out;
// fill writes one into the room that all others leave.
type block struct {
	text   string
	pinned bool
	fill   func(room int) string
}

func newMarkdown(r *assay.Result, o Options) *comment {
	return &comment{Sheet: sheet.New(r, false, false), o: o, level: "###"}
}

func (m *comment) add(text string) {
	if text != "" {
		m.blocks = append(m.blocks, block{text: text})
	}
}

func (m *comment) pin(text string) {
	if text != "" {
		m.blocks = append(m.blocks, block{text: text, pinned: true})
	}
}

// fit joins the blocks with a line between them. What does not fit is left out from
// the bottom: the folds first.
func (m *comment) fit() string { return fitBlocks(m.blocks, MaxSize) }

func fitBlocks(blocks []block, room int) string {
	fills := 0
	for _, b := range blocks {
		room -= len(b.text) + len("\n\n")
		if b.fill != nil {
			fills++
		}
	}
	for i := len(blocks) - 1; i >= 0 && room < 0; i-- {
		if !blocks[i].pinned {
			room += len(blocks[i].text)
			blocks[i].text, blocks[i].fill = "", nil
		}
	}
	var texts []string
	for _, b := range blocks {
		if b.fill != nil {
			b.text = b.fill(room / fills)
		}
		if b.text != "" {
			texts = append(texts, b.text)
		}
	}
	return strings.Join(texts, "\n\n") + "\n"
}

// heading is the verdict and what was compared: enough for the subject of a mail.
func (m *comment) heading() {
	text := m.level + " assay: " + m.verdict()
	if a := m.against(); a != "" {
		text += " · " + a
	}
	m.pin(text)
}

// verdict is the heading's: how many benchmarks changed, or where that does not tell
// it, the first line of the answer.
func (m *comment) verdict() string {
	switch {
	case m.cannotTell():
		return fmt.Sprintf("cannot tell on this runner (%s %%)", sheet.PlusMinus(m.Result.Noise.Floor))
	case m.quiet() && m.Result.Answer.Verdict == assay.SameCoded:
		return string(assay.SameCoded)
	case m.quiet():
		return "no change in " + printable.Count(m.Benchmarks(), "benchmark")
	case m.tallies() && len(m.Result.Tables[0].Rows) == 1:
		return m.onOne()
	case m.tallies():
		return Prose(m.tally())
	case len(m.Result.Answer.Text) > 0:
		return Prose(m.Result.Answer.Text[0])
	}
	return Prose(string(m.Result.Answer.Verdict))
}

// onOne is the verdict on the only benchmark: "`Decode` faster −8.0 % [−8.8, −7.2]".
func (m *comment) onOne() string {
	t := m.Result.Tables[0]
	f := m.Fields(sheet.EntryOf(t, t.Rows[0]), m.Shown[0])
	return sheet.JoinWords(" ", Code(t.Rows[0].Benchmark.Name), f.Verdict.Text, f.Change.Joined(), f.Interval.Joined())
}

// tallies reports whether the heading counts benchmarks: of one variant against the
// base, where they are what was asked.
func (m *comment) tallies() bool {
	return len(m.Shown) == 1 && m.Result.Arc == nil && m.Result.Race == nil && !m.Serves && !m.Foreign &&
		len(m.Result.Tables) > 0 && len(m.Result.Tables[0].Rows) > 0
}

// tally is "2 slower, 1 faster, 8 same", and what differs on the other metrics that
// decide: "allocs/op: 1 more".
func (m *comment) tally() string {
	var parts []string
	for i, t := range m.Result.Tables {
		if i > 0 && !t.Decides {
			continue
		}
		words := m.words(t, i == 0)
		switch {
		case words == "":
		case i == 0:
			parts = append(parts, words)
		default:
			parts = append(parts, sheet.MetricWords(t.Metric.Name)+": "+words)
		}
	}
	return strings.Join(parts, "; ")
}

// words counts the verdicts of a table, the worst first; all of them, or those that
// differ.
func (m *comment) words(t assay.Table, all bool) string {
	n := map[assay.Verdict]int{}
	for _, row := range t.Rows {
		for _, c := range row.Cells {
			n[c.Verdict]++
		}
	}
	var parts []string
	for _, v := range []assay.Verdict{assay.Slower, assay.More, assay.Lower, assay.Faster, assay.Less, assay.Higher, assay.Changed,
		assay.Unclear, assay.Saturated, assay.Invalid, assay.Same, assay.SameCoded} {
		if n[v] > 0 && (all || v.Differs()) {
			parts = append(parts, printable.Int(n[v])+" "+sheet.VerdictWord(v))
		}
	}
	return strings.Join(parts, ", ")
}

// cannotTell reports whether the runner was too restless for the question: what is
// proved nevertheless is proved, and told.
func (m *comment) cannotTell() bool {
	noisy := slices.ContainsFunc(m.Result.Warnings, func(w assay.Warning) bool { return w.Code == assay.CodeNoisy })
	return noisy && m.Result.Noise.Floor > 0 && !m.any(assay.Verdict.Differs) && m.any(isOpen)
}

func isOpen(v assay.Verdict) bool { return v == assay.Unclear }

// any reports whether a cell of the metrics that decide has such a verdict, over the
// suite or of a benchmark.
func (m *comment) any(is func(assay.Verdict) bool) bool {
	in := func(c assay.Comparison) bool { return is(c.Verdict) }
	return slices.ContainsFunc(m.Result.Tables, func(t assay.Table) bool {
		return t.Decides && (slices.ContainsFunc(t.Geomean, in) ||
			slices.ContainsFunc(t.Rows, func(r assay.Row) bool { return slices.ContainsFunc(r.Cells, in) }))
	})
}

// quiet reports whether there is nothing to see: everything that decides is the same,
// and so are the counts that do not.
func (m *comment) quiet() bool {
	a := m.Result.Answer
	if a.Verdict != assay.Same && a.Verdict != assay.SameCoded || a.Gate == "failed" || a.Gate == "undecided" || m.Result.Arc != nil {
		return false
	}
	for _, t := range m.Result.Tables {
		if t.Decides && sheet.Unchanged(t.Rows) < len(t.Rows) || !t.Decides && len(sheet.ChangedRows(t)) > 0 && counted(t.Metric.Name) {
			return false
		}
	}
	return !slices.ContainsFunc(m.Result.Warnings, inSight)
}

// quietBody is one line: the answer and where to read on.
func (m *comment) quietBody() { m.pin(strings.Join(append(m.texts(), m.links()...), " · ")) }

// against says what was compared with what.
func (m *comment) against() string {
	if m.pulls() {
		return Code(m.o.Head[:min(len(m.o.Head), 7)]) + " against " + m.ref(m.Result.Base, m.o.Branch)
	}
	base := m.ref(m.Result.Base, "")
	switch n := len(m.Shown); {
	case m.Result.Arc != nil || n == 0 || m.Result.Base == "":
		return ""
	case n == 1:
		return m.ref(m.Shown[0], "") + " against " + base
	default:
		return printable.Count(n, "variant") + " against " + base
	}
}

// pulls reports whether what was compared is a pull request with its base: the tree
// with a commit, and not two toolchains.
func (m *comment) pulls() bool {
	if m.o.Head == "" || len(m.Shown) != 1 || m.Result.Arc != nil {
		return false
	}
	commit := m.commit(m.Shown[0])
	return m.commit(m.Result.Base) != "" && (commit == "" || commit == m.o.Head)
}

func (m *comment) commit(variant string) string {
	for _, v := range m.Result.Variants {
		if v.Name == variant {
			return v.Commit
		}
	}
	return ""
}

// ref is a variant with its commit, once where the one is the other: `main` `9f8e7d6`.
func (m *comment) ref(variant, branch string) string {
	commit := m.commit(variant)
	short := commit[:min(len(commit), 7)]
	switch {
	case branch != "":
		return Code(branch) + " " + Code(short)
	case commit == "":
		return Code(variant)
	case strings.HasPrefix(commit, variant):
		return Code(short)
	}
	return Code(variant) + " " + Code(short)
}

// names are how the columns of base and variant are called.
func (m *comment) names() (base, variant string) {
	switch {
	case m.pulls() && m.o.Branch != "":
		return Code(m.o.Branch), "this PR"
	case m.pulls():
		return Code(m.Result.Base), "this PR"
	case len(m.Shown) > 0:
		return Code(m.Result.Base), Code(m.Shown[0])
	}
	return Code(m.Result.Base), ""
}

// texts are the lines of the answer, but for the one that the heading has.
func (m *comment) texts() []string {
	var out []string
	head := m.verdict()
	for _, t := range m.Result.Answer.Text {
		if t = Prose(t); t != head && t != "" {
			out = append(out, t)
		}
	}
	return out
}

// links are the report page, what repeats the result, and its run.
func (m *comment) links() []string {
	var out []string
	if a := Address(m.o.Report); a != "" {
		out = append(out, "[Interactive report]("+a+")")
	}
	if m.Result.Command != "" {
		out = append(out, "repeat: "+mdLine(m.Result.Command))
	}
	if m.Result.Run != "" {
		out = append(out, "run "+Code(m.Result.Run))
	}
	return out
}

// earlier is the fold of the pushes before this one.
func (m *comment) earlier() {
	var parts []string
	for _, p := range m.pushes() {
		parts = append(parts, Code(p.Commit[:min(len(p.Commit), 7)])+" "+Prose(p.Verdict))
	}
	if len(parts) > 0 {
		m.add(fold("Earlier pushes", strings.Join(parts, " · ")))
	}
}

// pushes are the earlier ones, less this one measured again.
func (m *comment) pushes() []Push {
	list := slices.DeleteFunc(slices.Clone(m.o.Earlier), func(p Push) bool { return p.Commit == m.o.Head || p.line() == "" })
	return list[:min(len(list), MaxPushes-1)]
}

// foot is what nobody sees: the pushes that the next comment tells of, and the line
// that the comment is found by.
func (m *comment) foot(marker string) {
	if !m.quiet() {
		m.pin(strings.Join(m.links(), " · "))
	}
	m.pin(strings.Join(append(m.remember(m.pushVerdict()), marker), "\n"))
}

// remember writes this push, and those before it, for the next comment.
func (m *comment) remember(verdict string) (lines []string) {
	for _, p := range append([]Push{{m.o.Head, verdict}}, m.pushes()...) {
		if l := p.line(); l != "" {
			lines = append(lines, l)
		}
	}
	return lines
}

// pushVerdict is the verdict as later comments remember it.
func (m *comment) pushVerdict() string {
	switch {
	case m.cannotTell():
		return "cannot tell"
	case m.quiet():
		return string(m.Result.Answer.Verdict)
	case m.tallies():
		return m.words(m.Result.Tables[0], true)
	}
	return string(m.Result.Answer.Verdict)
}

func fold(summary, text string) string {
	return "<details><summary>" + summary + "</summary>\n\n" + text + "\n\n</details>"
}
