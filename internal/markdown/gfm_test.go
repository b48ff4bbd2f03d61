package markdown

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/renderer/html"
)

// gfm renders as GitHub does before it removes what is dangerous: with tables, links of bare
// addresses, and HTML as it is.
var gfm = goldmark.New(goldmark.WithExtensions(extension.GFM), goldmark.WithRendererOptions(html.WithUnsafe()))

// Whatever a record calls its things, a renderer makes no link, no picture and no further
// column of it.
func TestNamesMakeNoStructure(t *testing.T) {
	var names []string
	for _, link := range []string{"https://evil.example/login", "http://evil.example", "ftp://evil.example", "www.evil.example", "mailto:a@evil.example",
		"xmpp:a@evil.example", "a@evil.example", "[x](https://evil.example)", "![x](https://evil.example/p.png)", "<https://evil.example>",
		"<a href=https://evil.example>x</a>", "<img src=//evil.example/x>", "[x]: https://evil.example", "[x][x]"} {
		for _, lead := range []string{"", "x", "x|", "x`", "``", "`", `x\`, `x\|`, "|", "x | ", "(", "_", "*", "~", "\n", "\n\n", "| x | y |\n|---|---|\n", "<!--", "-->", "</code>", "&lt;", "1. ", "# ", "\t"} {
			names = append(names, lead+link, lead+link+"`", lead+link+"|y", lead+" "+link)
		}
	}
	for _, name := range names {
		for what, text := range map[string]string{"code": Code(name), "prose": Prose(name), "command": codeSpan(name, maxMarkdownCommand)} {
			source := fmt.Sprintf("%s\n\n- x: %s\n\n| a | b |\n|---|---|\n| %s | 1 |\n", text, text, text)
			var out bytes.Buffer
			if err := gfm.Convert([]byte(source), &out); err != nil {
				t.Fatal(err)
			}
			page := out.String()
			for _, tag := range []string{"<a ", "<a>", "<img", "<h1"} {
				if strings.Contains(page, tag) {
					t.Fatalf("%s of %q makes %s:\n%s\n%s", what, name, tag, source, page)
				}
			}
			if rows, cells := strings.Count(page, "<tr>"), strings.Count(page, "<td>"); rows != 2 || cells != 2 {
				t.Fatalf("%s of %q: %d rows, %d cells:\n%s\n%s", what, name, rows, cells, source, page)
			}
		}
	}
}
