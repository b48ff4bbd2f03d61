package spec

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/pelletier/go-toml/v2/unstable"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/spec/document"
)

func gatesKeys(g *assay.Gates) document.Schema {
	return document.Schema{
		document.Text("api", &g.API, oneOf(assay.GateSame, assay.GateCompatible)),
		passGate("tests", &g.Tests),
		document.Text("unsafe", &g.Unsafe, oneOf(assay.GateNone)),
		passGate("vet", &g.Vet),
		passGate("race", &g.Race),
		document.Text("allocs", &g.Allocs, oneOf(assay.GateNoMore)),
		document.Text("against", &g.Against, oneOf(assay.AgainstBase, assay.AgainstPrevious)),
	}
}

// oneOf accepts these words only.
func oneOf[T ~string](words ...T) func(string) (T, error) {
	return func(s string) (T, error) {
		if slices.Contains(words, T(s)) {
			return T(s), nil
		}
		var known strings.Builder
		known.WriteString(strconv.Quote(string(words[0])))
		for i, w := range words[1:] {
			and := ", "
			if i == len(words)-2 {
				and = " and "
			}
			known.WriteString(and + strconv.Quote(string(w)))
		}
		return "", errors.New("is unknown; this assay knows " + known.String())
	}
}

// passGate is a gate that the study has or not: "pass", or true for short.
func passGate(key string, p *string) document.Field {
	word := document.Text(key, p, oneOf(assay.GatePass))
	return document.Field{Key: key, Read: func(e *document.Entry) error {
		if e.Value.Kind != unstable.Bool {
			return word.Read(e)
		}
		if e.Value.Text == "true" {
			*p = assay.GatePass
		}
		return nil
	}, Write: word.Write}
}

func reportKeys(r *assay.Report) document.Schema {
	introduction := document.Prose("intro", &r.Intro)
	introduction.Read = document.Text("intro", &r.Intro, intro).Read
	return document.Schema{document.Prose("title", &r.Title), introduction, document.Strings("caveats", &r.Caveats)}
}

func explainKeys(x *assay.Explain) document.Schema {
	return document.Schema{
		document.List("functions", &x.Functions, func(s string) (string, error) {
			if _, err := regexp.Compile(s); err != nil {
				return "", fmt.Errorf("is no regular expression: %v", err)
			}
			return s, nil
		}),
		document.List("calls", &x.Calls, func(s string) (string, error) {
			if s == "" {
				return "", fmt.Errorf("names no function")
			}
			return s, nil
		}),
	}
}

// isMarkdownFile reports whether an introduction names a file. An introduction that was
// read from a file ends in a line break.
func isMarkdownFile(s string) bool {
	return strings.HasSuffix(s, ".md") && !strings.Contains(s, "\n")
}

// intro checks an introduction: Markdown, or the name of a file with it.
func intro(s string) (string, error) {
	if isMarkdownFile(s) && (!filepath.IsLocal(s) || !fs.ValidPath(path.Clean(s))) {
		return "", errors.New("is not a file below the study's folder; if it is the text itself, end it with a full stop")
	}
	return s, nil
}

// source reads [source], which has keys that exclude each other.
func source(s *assay.Source) document.Setter {
	return func(e *document.Entry) error {
		if err := document.One("source", sourceKeys(s)).Read(e); err != nil {
			return err
		}
		t := e.Value.Table
		for _, pair := range [][2]string{{"repo", "dir"}, {"suite", "overlay"}, {"benchmarks_from", "overlay"}, {"benchmarks_from", "suite"}} {
			if _, tree := s.SuiteTree(); tree && pair[0] == "suite" {
				continue // its folders are a list
			}
			if e := t.Find(pair[0]); e != nil && t.Find(pair[1]) != nil {
				why := "both bring the benchmarks"
				if pair[0] == "repo" {
					why = "both are the folder of the source"
				}
				return document.Faultf(e.At, assay.CodeStudyKey, "%q cannot be combined with %q: %s", pair[0], pair[1], why)
			}
		}
		if err := checkFolders(s, t); err != nil {
			return err
		}
		if hide := t.Find("hide"); hide != nil && t.Find("overlay") == nil {
			return document.Faultf(hide.At, assay.CodeStudyKey, `"hide" needs an overlay to replace the hidden files`)
		}
		return nil
	}
}

// overlay is a folder of the study, or a list of folders of the suite.
func overlay(s *assay.Source) document.Field {
	one := document.Text("overlay", &s.Overlay, nonEmpty("names no folder"))
	list := document.List("overlay", &s.Folders, moduleFolder).Then(func(e *document.Entry) error {
		if len(s.Folders) == 0 {
			return e.Wrong("names no folder")
		}
		return nil
	})
	return document.Field{Key: "overlay", Read: func(e *document.Entry) error {
		if e.Value.Kind == unstable.Array {
			return list.Read(e)
		}
		return one.Read(e)
	}, Write: func() string { return cmp.Or(one.Write(), list.Write()) }}
}

// suite checks a folder of the study, "path@version" or "rev:REVISION".
func suite(name string) (string, error) {
	from, ok := assay.Source{Suite: name}.SuiteTree()
	switch {
	case name == "":
		return "", errors.New("names no folder")
	case ok && from.Module != "":
		return ModuleVersion(name)
	case ok && from.Rev == "":
		return "", errors.New(`names no revision; write "rev:v1.4.0"`)
	}
	return name, nil
}

// checkFolders refuses a list of folders without a tree, and a tree with a single folder.
func checkFolders(s *assay.Source, t *document.Table) error {
	e := t.Find("overlay")
	_, tree := s.SuiteTree()
	switch {
	case e == nil:
	case s.Folders != nil && !tree:
		return e.Wrong(`lists folders of a suite, and there is none; write suite = "path@version" or "rev:v1.4.0"`)
	case s.Overlay != "" && tree:
		return e.Wrong("is one folder, and those of suite are a list: write [" + strconv.Quote(s.Overlay) + "]")
	}
	return nil
}

// moduleFolder checks a folder below that of the module.
func moduleFolder(f string) (string, error) {
	if !filepath.IsLocal(f) || path.Clean(f) == "." || strings.Contains(f, `\`) {
		return "", errors.New("is not a folder below that of the module")
	}
	return f, nil
}

// filePattern checks a pattern of files.
func filePattern(s string) (string, error) {
	if _, err := path.Match(s, ""); err != nil || s == "" {
		return "", errors.New(`is not a pattern such as "*_bench_test.go"`)
	}
	return s, nil
}

// checkSuite refuses a frozen suite for commands and services: it has Go benchmarks.
func checkSuite(s *assay.Study, root *document.Table) error {
	source := root.Find("source")
	i := slices.IndexFunc(s.Workloads, func(w assay.Workload) bool { return w.Kind != assay.KindGoTest })
	if source == nil || i < 0 {
		return nil
	}
	if e := source.Value.Table.Find("overlay", "benchmarks_from", "suite"); e != nil {
		return document.Faultf(e.At, assay.CodeStudyKey, "%q is for a [[workload]] of kind = %q, and here is a %s", e.Key, assay.KindGoTest, s.Workloads[i].Kind)
	}
	return nil
}
