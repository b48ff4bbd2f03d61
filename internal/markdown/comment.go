package markdown

import (
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
	headline
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
	return &comment{headline: headline{sheet.New(r, false, false)}, o: o, level: "###"}
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
