package ruler

import (
	"fmt"
	"html"
	"strings"

	"github.com/seed-1318a441/assay/internal/printable"
)

// Anchors of texts.
const (
	start  = "start"
	middle = "middle"
	end    = "end"
)

// A canvas collects the elements of an SVG. They have classes, which the style sheet of a
// page colours.
type canvas struct{ strings.Builder }

// group begins a group of elements, which end ends. The data become attributes data-NAME.
func (c *canvas) group(class string, data ...attribute) {
	fmt.Fprintf(c, `<g class="%s"`, class)
	for _, a := range data {
		fmt.Fprintf(c, ` data-%s="%s"`, a.name, escaped(a.value))
	}
	c.WriteString(">")
}

// An attribute tells the script of a page about a group.
type attribute struct{ name, value string }

func (c *canvas) end() { c.WriteString("</g>") }

func (c *canvas) path(class, d string) {
	if d != "" {
		fmt.Fprintf(c, `<path class="%s" d="%s"/>`, class, d)
	}
}

func (c *canvas) rect(class string, x, y, width, height float64) {
	fmt.Fprintf(c, `<rect class="%s" x="%s" y="%s" width="%s" height="%s"/>`, class, px(x), px(y), px(max(0, width)), px(height))
}

func (c *canvas) text(class string, x, y float64, anchor, text string) {
	c.spans(x, y, anchor, span{class, text})
}

type span struct{ class, text string }

// spans writes texts one after the other.
func (c *canvas) spans(x, y float64, anchor string, spans ...span) {
	place := ""
	if anchor != start {
		place = ` text-anchor="` + anchor + `"`
	}
	if len(spans) == 1 {
		fmt.Fprintf(c, `<text class="%s" x="%s" y="%s"%s>%s</text>`, spans[0].class, px(x), px(y), place, escaped(spans[0].text))
		return
	}
	fmt.Fprintf(c, `<text x="%s" y="%s"%s>`, px(x), px(y), place)
	for i, s := range spans {
		text := escaped(s.text)
		if i > 0 {
			text = " " + text
		}
		fmt.Fprintf(c, `<tspan class="%s">%s</tspan>`, s.class, text)
	}
	c.WriteString("</text>")
}

// escaped is a text of unknown origin as text or attribute of SVG.
func escaped(text string) string { return html.EscapeString(printable.Clean(text)) }
