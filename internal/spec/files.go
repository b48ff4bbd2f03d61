package spec

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"regexp"
	"strconv"
	"strings"
	"unicode"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/spec/document"
)

// longestFile is the maximum length of a file in bytes.
const longestFile = 1 << 20

// Files reads the other files of a study: the steps of Steps.Dir, one Markdown file each
// in the order of their names, and the introduction of the report. Call it once after
// Parse, with the file system of Study.Dir; an os.Root keeps links inside. Every error is
// an *assay.Error with exit status 2; those in the front matter of a step start with
// "file:line:col: ".
func Files(s *assay.Study, fsys fs.FS) error {
	if name := s.Report.Intro; isMarkdownFile(name) {
		text, err := readMarkdown(fsys, path.Clean(name))
		if err != nil {
			return err
		}
		s.Report.Intro = prose(text) + "\n" // so that no text names a file
	}
	if s.Steps == nil || s.Steps.Dir == "" || len(s.Steps.List) > 0 {
		return nil
	}
	if err := readSteps(s, fsys); err != nil {
		return err
	}
	SetDefaults(s)
	if err := s.Validate(); err != nil {
		return fileError("read steps of %s: %v", s.Steps.Dir, err)
	}
	return nil
}

func fileError(format string, args ...any) error {
	return &assay.Error{Exit: assay.ExitUsage, Warning: assay.Warning{Code: assay.CodeStudyValue, Text: fmt.Sprintf(format, args...)}}
}

// readFailed says why a file or folder of the study cannot be read.
func readFailed(name, what string, err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return fileError("read %s: there is no such %s below the study's folder", name, what)
	}
	if pe, ok := errors.AsType[*fs.PathError](err); ok {
		err = pe.Err
	}
	return fileError("read %s: %v", name, err)
}

// readMarkdown reads a regular file of the study.
func readMarkdown(fsys fs.FS, name string) ([]byte, error) {
	// Before it is opened: opening a pipe waits for its writer.
	info, err := fs.Stat(fsys, name)
	if err != nil {
		return nil, readFailed(name, "file", err)
	}
	if !info.Mode().IsRegular() {
		return nil, fileError("read %s: it is no file", name)
	}
	f, err := fsys.Open(name)
	if err != nil {
		return nil, readFailed(name, "file", err)
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, longestFile+1))
	if err != nil {
		return nil, readFailed(name, "file", err)
	}
	if len(text) > longestFile {
		return nil, fileError("read %s: it is larger than 1 MiB", name)
	}
	return text, nil
}

// prose returns Markdown with the line ends of TOML and no blank lines around it.
func prose(text []byte) string {
	s := strings.ToValidUTF8(string(text), "\ufffd")
	return strings.TrimSpace(strings.ReplaceAll(strings.TrimPrefix(s, "\ufeff"), "\r\n", "\n"))
}

// readSteps adds the steps of a folder, except its README, to the study.
func readSteps(s *assay.Study, fsys fs.FS) error {
	dir := s.Steps.Dir
	info, err := fs.Stat(fsys, dir)
	if err != nil {
		return readFailed(dir, "folder", err)
	}
	if !info.IsDir() {
		return fileError("read %s: it is no folder", dir)
	}
	entries, err := fs.ReadDir(fsys, dir)
	if err != nil {
		return readFailed(dir, "folder", err)
	}
	for _, e := range entries {
		if path.Ext(e.Name()) != ".md" || strings.HasPrefix(e.Name(), ".") || strings.EqualFold(e.Name(), "readme.md") {
			continue
		}
		if len(s.Steps.List) == maxSteps {
			return fileError("read %s: it has more than %d steps", dir, maxSteps)
		}
		name := path.Join(dir, e.Name())
		if strings.ContainsFunc(name, func(r rune) bool { return !unicode.IsPrint(r) }) {
			return fileError("read %q: its name cannot be printed", name)
		}
		text, err := readMarkdown(fsys, name)
		if err != nil {
			return err
		}
		if err := readStep(s, name, text); err != nil {
			return located(name, err)
		}
	}
	if len(s.Steps.List) == 0 {
		return fileError("read %s: it has no step, which is a file such as 01-new-scanner.md", dir)
	}
	return nil
}

// readStep adds the step of one file to the study.
func readStep(s *assay.Study, name string, text []byte) error {
	front, story, err := cutFrontMatter(bytes.TrimPrefix(text, []byte("\ufeff")))
	if err != nil {
		return err
	}
	root, err := document.Parse(front)
	if err != nil {
		if yaml := looksLikeYAML(front); yaml != nil {
			return yaml
		}
		return err
	}
	i := stepItem{t: root}
	keys := stepKeys(&i)
	keys.Find("story").Read = func(e *document.Entry) error {
		return document.Faultf(e.At, assay.CodeStudyKey, `put the story below the front matter, not in "story"`)
	}
	if err := root.Fill("the front matter of a step", keys); err != nil {
		return err
	}
	if i.variant.Name == "" {
		i.variant.Name = fileTitle(name)
	}
	i.step.Story = prose(story)
	if err := addSteps(s, []stepItem{i}, s.Steps.Module); err != nil {
		return err
	}
	return checkStep(s, len(s.Variants)-1, root)
}

// cutFrontMatter returns what is between the fences, on its lines, and what follows them.
func cutFrontMatter(text []byte) (front, story []byte, err error) {
	first, rest, _ := bytes.Cut(text, []byte("\n"))
	fence := string(bytes.TrimRight(first, " \t\r"))
	if fence != "+++" && fence != "---" {
		return nil, nil, &document.Fault{At: document.Position{Line: 1, Col: 1}, Code: assay.CodeStudySyntax,
			Text: "step begins with no front matter: a line +++, keys such as rev, and a line +++", Instead: "+++ alone in the first line"}
	}
	for at := 0; at < len(rest); {
		line, _, _ := bytes.Cut(rest[at:], []byte("\n"))
		next := min(at+len(line)+1, len(rest))
		if string(bytes.TrimRight(line, " \t\r")) == fence {
			return append([]byte("\n"), rest[:at]...), rest[next:], nil
		}
		at = next
	}
	return nil, nil, document.Faultf(document.Position{Line: 1, Col: 1}, assay.CodeStudySyntax, "front matter does not end: no second line %s", fence)
}

var yamlLine = regexp.MustCompile(`^([A-Za-z_][A-Za-z0-9_-]*):(?:[ \t]+(.*?))?[ \t\r]*$`)

// looksLikeYAML returns an error if front matter looks like YAML, else nil.
func looksLikeYAML(front []byte) error {
	for i, line := range strings.Split(string(front), "\n") {
		m := yamlLine.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		f := &document.Fault{At: document.Position{Line: i + 1, Col: 1}, Code: assay.CodeStudySyntax, Text: "front matter looks like YAML, and is TOML here"}
		if m[2] != "" && len(m[2]) < 80 && !strings.ContainsAny(m[2], `[]{}\"'`) {
			f.Instead = m[1] + " = " + strconv.Quote(m[2])
		}
		return f
	}
	return nil
}

var numbered = regexp.MustCompile(`^[0-9]+[-_. ]+`)

// fileTitle makes a step's name from its file's: "new scanner" for 01-new-scanner.md.
func fileTitle(name string) string {
	stem := strings.TrimSuffix(path.Base(name), path.Ext(name))
	title := numbered.ReplaceAllString(stem, "")
	title = strings.Join(strings.FieldsFunc(title, func(r rune) bool { return r == '-' || r == '_' || r == ' ' }), " ")
	if title == "" {
		return stem
	}
	return title
}
