package code

import (
	"regexp"
	"strings"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/binary"
	"github.com/seed-1318a441/assay/internal/printable"
)

// Limits of a listing. Beyond them a reader has no use for it.
const (
	maxRows = 400 // rows of one function, after folding
	foldAt  = 6   // equal rows in one stretch, before it is folded
	context = 3   // equal rows kept beside a difference
	maxText = 200 // bytes of one instruction
)

// A line is one instruction of a listing.
type line struct {
	text string
	key  string // what makes two lines equal: the text without where a jump leads
	op   string // the opcode, which makes two different lines worth a common row
	mark string
	at   int // source line
}

// A row pairs lines of both sides by their indexes; -1 is none.
type row struct{ a, b int }

// jump is the target of a jump inside a function, relative to its start: it moves with
// every instruction before it.
var jump = regexp.MustCompile(`\+0x[0-9a-f]+$`)

// listingOf makes a listing of both sides' instructions, and returns the number of rows
// that it had to leave out.
func listingOf(base, variant []line) (rows []assay.CodeLine, left int) {
	all := fold(align(base, variant), base, variant)
	if len(all) > maxRows {
		return all[:maxRows], len(all) - maxRows
	}
	return all, 0
}

// listingLines reads the instructions of a function for a listing, without those that
// only place the next one.
func listingLines(f *binary.File, fn binary.Func) []line {
	insts := f.Insts(fn)
	out := make([]line, 0, len(insts))
	for _, in := range insts {
		if strings.HasPrefix(in.Text, "NOP") || strings.HasPrefix(in.Text, "NOOP") {
			continue
		}
		l := line{text: in.Text, key: in.Text, mark: in.Mark, at: in.Line}
		if in.Callee == "" && strings.Contains(in.Text, "+0x") {
			l.key = jump.ReplaceAllString(in.Text, "")
		}
		l.op, _, _ = strings.Cut(in.Text, " ")
		out = append(out, l)
	}
	return out
}

// folders is the import path before the last element of a package's name.
var folders = regexp.MustCompile(`(?:[\w.%~-]+/)+`)

// printableInst is an instruction fit to print, without the folders of import paths,
// which would take most of a line. The program's own text stays.
func printableInst(text string) string {
	text = printable.Line(text, maxText)
	if strings.Contains(text, `"`) {
		return text
	}
	return folders.ReplaceAllString(text, "")
}

// fold makes the rows of the listing, with long equal stretches as one.
func fold(rows []row, a, b []line) []assay.CodeLine {
	var out []assay.CodeLine
	for i := 0; i < len(rows); {
		j := i
		for j < len(rows) && sameKey(rows[j], a, b) {
			j++
		}
		if j == i {
			out = append(out, codeLine(rows[i], a, b))
			i++
			continue
		}
		out = append(out, stretch(rows[i:j], a, b, i == 0, j == len(rows))...)
		i = j
	}
	return out
}

// stretch shows equal rows: all if they are few, else those next to a difference.
func stretch(rows []row, a, b []line, first, last bool) []assay.CodeLine {
	head, tail := context, context
	if first {
		head = 0
	}
	if last {
		tail = 0
	}
	var out []assay.CodeLine
	for k, r := range rows {
		switch {
		case len(rows) <= foldAt || k < head || k >= len(rows)-tail:
			out = append(out, codeLine(r, a, b))
		case k == head:
			out = append(out, assay.CodeLine{Kind: assay.CodeFolded, Count: len(rows) - head - tail, Line: a[r.a].at})
		}
	}
	return out
}

func sameKey(r row, a, b []line) bool { return r.a >= 0 && r.b >= 0 && a[r.a].key == b[r.b].key }

// codeLine makes a row of a listing of a pair.
func codeLine(r row, a, b []line) assay.CodeLine {
	var c assay.CodeLine
	if !sameKey(r, a, b) {
		c.Kind = assay.CodeDiffers
	}
	if r.b >= 0 {
		c.Variant, c.Mark, c.Line = printableInst(b[r.b].text), b[r.b].mark, b[r.b].at
	}
	if r.a >= 0 {
		c.Base, c.Line = printableInst(a[r.a].text), a[r.a].at
		if c.Mark == "" {
			c.Mark = a[r.a].mark
		}
	}
	return c
}
