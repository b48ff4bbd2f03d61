package page

import (
	"cmp"
	"html/template"
	"io"
	"strings"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/printable"
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
	var list []indexItem
	for _, e := range entries {
		list = append(list, indexItemOf(e))
	}
	policy := "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"
	if _, err := io.WriteString(w, fileHead(title, policy, web.Style)); err != nil {
		return err
	}
	return writeUnbroken(w, indexTemplate, struct {
		Title string
		List  []indexItem
	}{printable.Clean(title), list})
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
	item := indexItem{Link: e.Link, Title: cmp.Or(printable.Clean(r.Report.Title), printable.Clean(r.Study)), Question: printable.Clean(r.Question)}
	for i := range e.Page.Machines {
		r := &e.Page.Machines[i].Result
		a := indexAnswerOf(r)
		if u := e.Page.ruler(i, r); u != nil {
			a.Large, a.Figure = largeOf(u), figureOf(u.What, u)
		}
		item.Answers = append(item.Answers, a)
	}
	return item
}

func indexAnswerOf(r *assay.Result) indexAnswer {
	m := staticOf(&assay.Result{Answer: r.Answer, Platform: r.Platform})
	where := []string{m.Platform}
	if !r.Created.IsZero() {
		where = append(where, r.Created.UTC().Format("2 January 2006"))
	}
	if r.Run != "" {
		where = append(where, "run "+printable.Clean(r.Run))
	}
	return indexAnswer{Text: strings.Join(m.Text, "; "), Where: strings.Trim(strings.Join(where, " · "), " ·"), Class: m.Class}
}

var indexTemplate = template.Must(template.New("index").Parse(`<main id="app">
<header><h1>{{.Title}}</h1></header>
<div class="gallery">
{{range .List}}<section class="answer"><h2><a href="{{.Link}}">{{.Title}}</a></h2>
{{with .Question}}<p>{{.}}</p>
{{end}}{{range .Answers}}{{with .Large}}<p class="large {{.Class}}">{{.Text}} <span class="of">{{.Of}}</span></p>{{end}}<p><strong{{with .Class}} class="{{.}}"{{end}}>{{.Text}}</strong></p>
{{with .Figure}}<figure class="measure"><figcaption>{{.Caption}}</figcaption>{{.SVG}}</figure>{{end}}<p class="muted">{{.Where}}</p>
{{end}}</section>
{{end}}</div>
</main>
</body>
</html>
`))
