package page

import (
	"bytes"
	"encoding/json"
	"fmt"
	"html"
	"io"
	"slices"
	"strings"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/analysis/sample"
	"github.com/seed-1318a441/assay/internal/printable"
	"github.com/seed-1318a441/assay/internal/ruler"
	"github.com/seed-1318a441/assay/internal/sheet"
	"github.com/seed-1318a441/assay/web"
)

// A Page is what the report page holds: the results of one study on one machine or
// several, and what belongs to them. Its JSON is Page of web/page.d.ts.
type Page struct {
	Schema   int             `json:"schema"`
	Machines []assay.Machine `json:"machines"`
	Warnings []assay.Warning `json:"warnings,omitempty"`
	Series   []sample.Series `json:"series"`
	Replays  []Replay        `json:"replays,omitempty"`
	Files    []File          `json:"files"`
	Commands []Command       `json:"commands"`
	// Build is the version of the assay that wrote the page.
	Build string `json:"build"`
	// Method has facts on how it was measured, one a line.
	Method []string `json:"method,omitempty"`
	// HTML makes Words, and Packed, which has the cells of large tables.
	Words  *Words   `json:"words"`
	Packed []Packed `json:"packed,omitempty"`

	// merged is what holds over the machines.
	merged *assay.Merged
	// The figures of each machine, made before tables are packed.
	rulers     []*ruler.Ruler
	waterfalls []*ruler.Waterfall
}

// A File is a file that readers can save from the page.
type File struct {
	Name string `json:"name"`
	Text string `json:"text"`
	// FiguresOf is set where Text lacks figures that the page has anyway: the machine, from
	// 1 on, whose comparisons the lines of the text are about, below its head. In a line
	// with figuresHere the script puts the [sheet.CSVFigures] of its comparison there.
	FiguresOf int `json:"figures_of,omitempty"`
}

const figuresHere = "\x01" // not in text that is fit to print

// A Command is a command line and its purpose.
type Command struct {
	What string `json:"what"`
	Line string `json:"line"`
}

// New makes a page of the results of one study. The caller adds what is not in the
// results: series, files and commands.
func New(m *assay.Merged, build string) *Page {
	p := &Page{Schema: assay.ResultSchema, Machines: m.Machines, Warnings: m.Warnings, Build: build, merged: m,
		Series: []sample.Series{}, Files: []File{}, Commands: []Command{}}
	p.results(func(_ int, r *assay.Result) { portable(r) })
	return p
}

// HTML writes the page as one file that needs no other: the answer and the first tables
// as text, the data, and the script that shows all of it. The same page gives the same
// bytes. It returns an *assay.Error if the file would be larger than 20 MB.
func HTML(w io.Writer, p *Page, e Embed) error {
	if err := p.check(); err != nil {
		return err
	}
	p = p.embedded(e).packed(packCells, packPage)
	var b bytes.Buffer
	if err := p.write(&b); err != nil {
		return fmt.Errorf("write page: %w", err)
	}
	if b.Len() > maxPage {
		return p.tooLarge(b.Len())
	}
	_, err := w.Write(b.Bytes())
	return err
}

// write writes the page as it is, however large.
func (p *Page) write(b *bytes.Buffer) error {
	text, err := marshal(p.cleaned())
	if err != nil {
		return err
	}
	data, err := packedText(text)
	if err != nil {
		return err
	}
	elements, csp, err := scripts(p.script())
	if err != nil {
		return err
	}
	b.WriteString(p.head().file(csp, web.Style) + "<main id=\"app\">\n")
	if err := p.static(b); err != nil {
		return err
	}
	b.WriteString("</main>\n<script type=\"text/plain\" id=\"assay-data\">" + data + "</script>\n" + elements + "</body>\n</html>\n")
	return nil
}

// cleaned is a page whose words, made of names that strangers chose, are fit to show. The
// results and the files are as they were recorded.
func (p *Page) cleaned() *Page {
	out := *p
	out.Words, out.Replays = printable.Cleaned(p.Words), printable.Cleaned(p.Replays)
	out.Method, out.Commands = printable.Cleaned(p.Method), printable.Cleaned(p.Commands)
	return &out
}

// check returns an error for a page that its script could not read.
func (p *Page) check() error {
	if len(p.Machines) == 0 {
		return fmt.Errorf("write page: it has no result")
	}
	for _, m := range p.Machines {
		if s := m.Result.Schema; s > assay.ResultSchema {
			return fmt.Errorf("write page: schema %d was written by a newer assay (this one knows %d)", s, assay.ResultSchema)
		}
	}
	return nil
}

// A head is what a file says of itself: to a browser's tab, and to those who show a link to
// it.
type head struct{ Title, Description string }

// file returns the beginning of a file with a policy and a style.
func (h head) file(policy, style string) string {
	var b strings.Builder
	b.WriteString("<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n" +
		"<meta http-equiv=\"Content-Security-Policy\" content=\"" + policy + "\">\n" +
		"<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n" +
		"<meta name=\"referrer\" content=\"no-referrer\">\n")
	escaped := func(text string) string { return html.EscapeString(printable.Clean(text)) }
	b.WriteString("<title>" + escaped(h.Title) + "</title>\n")
	for _, m := range [][3]string{{"name", "description", h.Description}, {"property", "og:title", h.Title},
		{"property", "og:description", h.Description}} {
		if m[2] != "" {
			b.WriteString("<meta " + m[0] + "=\"" + m[1] + "\" content=\"" + escaped(m[2]) + "\">\n")
		}
	}
	b.WriteString("<style>" + strings.ReplaceAll(style, "</", `<\/`) + "</style>\n</head>\n<body>\n")
	return b.String()
}

// Lengths of a head in characters, beyond which browsers and previews of links cut.
const (
	titleLength       = 120
	descriptionLength = 300
)

// head says what the page is of and what it answers: "Small malloc: use sizespec: …".
func (p *Page) head() head {
	r := &p.Machines[0].Result
	h := head{Title: sheet.Title(r)}
	lines := sheet.AnswerLines(r.Answer)
	if p.merged != nil && p.merged.Answer != nil {
		lines = p.merged.Answer.Text
	}
	if len(lines) > 0 {
		h.Title += ": " + lines[0]
	}
	h.Title = printable.ClipAt(printable.Clean(h.Title), titleLength)
	h.Description = printable.ClipAt(printable.Clean(sheet.JoinWords(" ", r.Question, strings.Join(lines, "; "))), descriptionLength)
	return h
}

// results calls f with each result of a page that is a copy of another. f may change the
// result, but not in place what its slices hold: the pages share them.
func (p *Page) results(f func(machine int, r *assay.Result)) {
	p.Machines = slices.Clone(p.Machines)
	for i := range p.Machines {
		f(i, &p.Machines[i].Result)
	}
}

// marshal is json.Marshal without the escapes for HTML, which packed text does not need.
func marshal(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(v)
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), err
}
