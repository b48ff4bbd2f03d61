package page

import (
	"bytes"
	"io"
	"regexp"

	"golang.org/x/net/html"
)

// A node is a piece of HTML. Package html escapes text and attributes when it renders
// them. Package html/template does more than the few elements here need, and makes the
// program larger by a sixth: see check-size in the Makefile.
type node = *html.Node

// element returns an element around children; class may be "", and a child nil.
func element(tag, class string, children ...node) node {
	n := &html.Node{Type: html.ElementNode, Data: tag}
	for _, c := range children {
		if c != nil {
			n.AppendChild(c)
		}
	}
	if class != "" {
		n = with(n, "class", class)
	}
	return n
}

// block returns an element with each child on a line of its own.
func block(tag, class string, children ...node) node {
	n := element(tag, class, text("\n"))
	for _, c := range children {
		if c != nil {
			n.AppendChild(c)
			n.AppendChild(text("\n"))
		}
	}
	return n
}

// with returns n with an attribute.
func with(n node, name, value string) node {
	n.Attr = append(n.Attr, html.Attribute{Key: name, Val: value})
	return n
}

func text(s string) node { return &html.Node{Type: html.TextNode, Data: s} }

// worded returns an element with a text, nil if that is "".
func worded(tag, class, s string) node {
	if s == "" {
		return nil
	}
	return element(tag, class, text(s))
}

// drawn returns what has been written as SVG, with all names escaped.
func drawn(svg string) node { return &html.Node{Type: html.RawNode, Data: svg} }

var (
	// percent is a number or an interval and its sign.
	percent = regexp.MustCompile(`([0-9\]]) %`)
	// implied are end tags that HTML does not need; a page would have many of them.
	implied = regexp.MustCompile(`</(td|th|thead|tbody)>`)
)

// render writes nodes. No line ends between a number and its percent sign;
// web/src/unbroken.ts does the same for what the script shows.
func render(w io.Writer, nodes ...node) error {
	var b bytes.Buffer
	for _, n := range nodes {
		if n == nil {
			continue
		}
		if err := html.Render(&b, n); err != nil {
			return err
		}
		b.WriteByte('\n')
	}
	out := implied.ReplaceAll(b.Bytes(), nil)
	out = bytes.ReplaceAll(out, []byte("</tr>"), []byte("\n"))
	_, err := w.Write(percent.ReplaceAll(out, []byte("$1\u00a0%")))
	return err
}
