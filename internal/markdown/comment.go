package markdown

import (
	"io"
	"slices"
	"strings"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/analysis/answer"
	"github.com/seed-1318a441/assay/internal/printable"
	"github.com/seed-1318a441/assay/internal/sheet"
)

// MaxSize is the maximum number of bytes of a comment. GitHub takes 65,536 characters.
const MaxSize = 60_000

// Options say where a comment is read, which a result does not know.
type Options struct {
	// Report is the address of the report page. There is no link to an address of another
	// scheme than http and https.
	Report string
	// Head is the commit that was measured against the base, where the variant is the
	// tree of a pull request. The variant is then "this PR".
	Head string
	// Branch is the name of the base, by default that of its variant.
	Branch string
	// Earlier are the pushes before this one, the newest first; see [Pushes].
	Earlier []Push
}

// Write writes a result as a comment on a pull request: the heading has the verdict, what
// changed is in sight, and the rest is in folds. The last line names the study. The words
// are those of the record.
func Write(w io.Writer, r *assay.Result, o Options) error {
	m := newMarkdown(r, o)
	m.pin(sheet.JoinWords(" · ", "### assay: "+m.head.verdict(), m.against(), answer.Coverage(r))) // enough for the subject of a mail
	if m.head.quiet() {
		m.pin(strings.Join(append(m.head.texts(), m.links()...), " · "))
	} else {
		m.body()
	}
	m.earlier()
	if !m.head.quiet() {
		m.pin(strings.Join(m.links(), " · "))
	}
	m.remember(m.head.pushVerdict(), r.Study)
	_, err := io.WriteString(w, fit(m.blocks))
	return err
}

// A comment is the Markdown of one result, in blocks that can be left out.
type comment struct {
	head   headline
	o      Options
	blocks []block
}

// A block is a part of a comment that stays whole. Pinned blocks are never left out; fill
// writes one into the room that all others leave.
type block struct {
	text   string
	pinned bool
	fill   func(room int) string
}

func newMarkdown(r *assay.Result, o Options) *comment {
	m := &comment{head: headline{sheet: sheet.New(r, false, false)}, o: o}
	if m.pulls() {
		m.head.pull = m.pullNames()
	}
	return m
}

// pullNames puts "this PR" and the name of its base in sentences, in place of the names that
// these have for a tree, HEAD or a hash. A name that somebody chose stays: it may be a word of
// the sentence.
func (m *comment) pullNames() *strings.Replacer {
	var pairs []string
	add := func(variant, name string) {
		if was := answer.Subject(variant); name != "" && (was != variant || isHash(variant)) {
			pairs = append(pairs, was, name)
		}
	}
	add(m.head.sheet.Shown[0], "this PR")
	add(m.head.sheet.Result.Base, m.o.Branch)
	return strings.NewReplacer(pairs...)
}

// isHash reports whether a name is the beginning of a hash, as git abbreviates it.
func isHash(name string) bool { return len(name) >= 7 && strings.Trim(name, "0123456789abcdef") == "" }

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

// fit joins blocks with empty lines between them. It leaves out what does not fit, from
// the bottom: the folds first.
func fit(blocks []block) string {
	room, fills := MaxSize, 0
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

// against says what was compared with what.
func (m *comment) against() string {
	if m.pulls() {
		return Code(shortCommit(m.o.Head)) + " against " + m.ref(m.head.sheet.Result.Base, m.o.Branch)
	}
	base := m.ref(m.head.sheet.Result.Base, "")
	switch n := len(m.head.sheet.Shown); {
	case m.head.sheet.Result.Arc != nil || n == 0 || m.head.sheet.Result.Base == "":
		return ""
	case n == 1:
		return m.ref(m.head.sheet.Shown[0], "") + " against " + base
	default:
		return printable.Count(n, "variant") + " against " + base
	}
}

// pulls reports whether a pull request was compared with its base: a tree with a commit,
// not two toolchains.
func (m *comment) pulls() bool {
	if m.o.Head == "" || len(m.head.sheet.Shown) != 1 || m.head.sheet.Result.Arc != nil {
		return false
	}
	commit := m.commit(m.head.sheet.Shown[0])
	return m.commit(m.head.sheet.Result.Base) != "" && (commit == "" || commit == m.o.Head)
}

func shortCommit(hash string) string { return hash[:min(len(hash), 7)] }

func (m *comment) commit(variant string) string {
	for _, v := range m.head.sheet.Result.Variants {
		if v.Name == variant {
			return v.Commit
		}
	}
	return ""
}

// ref is a variant with its commit, `main` `9f8e7d6`, or the commit alone where that is
// its name.
func (m *comment) ref(variant, branch string) string {
	commit := m.commit(variant)
	short := shortCommit(commit)
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

// names are the headings of the columns of base and variant.
func (m *comment) names() (base, variant string) {
	switch {
	case m.pulls() && m.o.Branch != "":
		return Code(m.o.Branch), "this PR"
	case m.pulls():
		return Code(m.head.sheet.Result.Base), "this PR"
	case len(m.head.sheet.Shown) > 0:
		return Code(m.head.sheet.Result.Base), Code(m.head.sheet.Shown[0])
	}
	return Code(m.head.sheet.Result.Base), ""
}

// links are the report page, the command that repeats the result, and its run.
func (m *comment) links() []string {
	var out []string
	if a := Address(m.o.Report); a != "" {
		out = append(out, "[Interactive report]("+a+")")
	}
	if m.head.sheet.Result.Command != "" {
		out = append(out, "repeat: "+codeSpan(m.head.sheet.Result.Command, maxMarkdownCommand))
	}
	if m.head.sheet.Result.Run != "" {
		out = append(out, "run "+Code(m.head.sheet.Result.Run))
	}
	return out
}

// earlier is the fold of the pushes before this one.
func (m *comment) earlier() {
	var parts []string
	for _, p := range m.pushes() {
		parts = append(parts, Code(shortCommit(p.Commit))+" "+Prose(p.Verdict))
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

// remember writes what nobody sees: this push and those before it, for the next comment,
// and the line by which this comment is found.
func (m *comment) remember(verdict, study string) {
	var lines []string
	for _, p := range append([]Push{{m.o.Head, verdict}}, m.pushes()...) {
		lines = append(lines, p.line())
	}
	m.pin(sheet.JoinWords("\n", append(lines, Marker(study))...))
}
