package page

import (
	"bytes"
	_ "embed"
	"html/template"
	"io"
	"regexp"
	"sync"

	"github.com/seed-1318a441/assay/internal/printable"
)

//go:embed static.html
var staticHTML string

var templates = sync.OnceValue(func() *template.Template { return template.Must(template.New("").Parse(staticHTML)) })

// percent is a number or an interval and its sign.
var percent = regexp.MustCompile(`([0-9\]]) %`)

// render writes data, whose texts are of unknown origin, by a template of static.html. No
// line ends between a number and its percent sign; web/src/unbroken.ts does the same for
// what the script shows. A plus sign stays as it is: package template escapes it for
// encodings that this page does not have.
func render[T any](w io.Writer, name string, data T) error {
	var b bytes.Buffer
	if err := templates().ExecuteTemplate(&b, name, printable.Cleaned(data)); err != nil {
		return err
	}
	out := bytes.ReplaceAll(b.Bytes(), []byte("&#43;"), []byte("+"))
	_, err := w.Write(percent.ReplaceAll(out, []byte("$1\u00a0%")))
	return err
}
