package page

import (
	"cmp"
	"io"
	"net/url"
	"slices"
	"strings"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/printable"
	"github.com/seed-1318a441/assay/internal/ruler"
	"github.com/seed-1318a441/assay/internal/sheet"
	"github.com/seed-1318a441/assay/web"
)

// An IndexEntry is a page of a gallery.
type IndexEntry struct {
	// Link is the name of the page's file, beside the index.
	Link string
	Page *Page
}

// Index writes the index of a gallery: each study with its question, its answers as the
// record has them with their figures, and where and when it was measured. It has no
// script.
func Index(w io.Writer, title string, entries []IndexEntry) error {
	index := indexWords{Title: title}
	for _, e := range entries {
		index.Items = append(index.Items, indexItemOf(e))
	}
	policy := "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"
	if _, err := io.WriteString(w, head{Title: title, Description: index.description()}.file(policy, web.Style)); err != nil {
		return err
	}
	if err := render(w, "index", index); err != nil {
		return err
	}
	_, err := io.WriteString(w, "</body>\n</html>\n")
	return err
}

type indexWords struct {
	Title string
	Items []indexItem
}

// description lists the questions of the gallery.
func (w indexWords) description() string {
	var list []string
	for _, i := range w.Items {
		if q := cmp.Or(i.Question, i.Title); !slices.Contains(list, q) {
			list = append(list, q)
		}
	}
	return printable.ClipAt(printable.Clean(strings.Join(list, " ")), descriptionLength)
}

type indexItem struct {
	Link, Title, Question string
	Answers               []indexAnswer
}

type indexAnswer struct {
	Text, Where, Class string
	Large              *large
	Figure             *figure
}

func indexItemOf(e IndexEntry) indexItem {
	r := &e.Page.Machines[0].Result
	item := indexItem{Link: (&url.URL{Path: e.Link}).String(), Title: sheet.Title(r), Question: r.Question}
	for i := range e.Page.Machines {
		r := &e.Page.Machines[i].Result
		a := indexAnswerOf(r)
		if u := e.Page.ruler(i, r); u != nil {
			w := ruler.WaterfallOf(r, u)
			a.Large, a.Figure = largeOf(u, w), figureOf(u.What, u)
			if w != nil && w.Leads {
				a.Figure = figureOf(w.What, w)
			}
		}
		item.Answers = append(item.Answers, a)
	}
	return item
}

func indexAnswerOf(r *assay.Result) indexAnswer {
	m := staticOf(&assay.Result{Answer: r.Answer, Platform: r.Platform})
	where := []string{m.Platform}
	if !r.Created.IsZero() {
		where = append(where, sheet.Day(r.Created))
	}
	if r.Run != "" {
		where = append(where, "run "+r.Run)
	}
	return indexAnswer{Text: strings.Join(m.Text, "; "), Where: strings.Trim(strings.Join(where, " · "), " ·"), Class: m.Class}
}
