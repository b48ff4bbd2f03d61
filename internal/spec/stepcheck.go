package spec

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"golang.org/x/mod/module"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/near"
	"github.com/seed-1318a441/assay/internal/spec/document"
)

// checkBeside refuses tables that exclude steps or need them, before anything is read.
func checkBeside(root *document.Table) error {
	if root.Find("steps") != nil {
		for _, key := range []string{"variant", "factor", "by"} {
			if e := root.Find(key); e != nil {
				return document.Faultf(e.At, assay.CodeStudyKey, "%s cannot be combined with %s, whose base and steps are the variants", e.Header(), inSteps)
			}
		}
		return nil
	}
	if e := root.Find("gates"); e != nil {
		return document.Faultf(e.At, assay.CodeStudyKey, `[gates] is for the steps of %s; a limit for slowdowns is "gate" in [decide]`, inSteps)
	}
	if e := root.Find("phase"); e != nil {
		return document.Faultf(e.At, assay.CodeStudyKey, "%s needs %s", e.Header(), inSteps)
	}
	if decide := root.Find("decide"); decide != nil && decide.Value.Table != nil {
		if e := decide.Value.Table.Find("compare"); e != nil {
			return document.Faultf(e.At, assay.CodeStudyKey, `"compare" is for the steps of %s; all other variants are compared with the base`, inSteps)
		}
	}
	return nil
}

// checkSteps checks steps against other tables.
func checkSteps(s *assay.Study, root *document.Table) error {
	if s.Steps == nil {
		return nil
	}
	t := root.Find("steps").Value.Table
	items := []*document.Table{t}
	if e := t.Find("base"); e != nil {
		items[0] = e.Value.Table
	}
	if e := t.Find("list"); e != nil {
		for _, item := range e.Value.Items {
			items = append(items, item.Table)
		}
	}
	if e := t.Find("range"); e != nil && !UsesBuild(s, s.Variants[0]) {
		return document.Faultf(e.At, assay.CodeStudyKey, `"range" changes nothing: no command has %s in it, so nothing is built`, assay.PlaceBin)
	}
	for i, t := range items {
		if err := checkStep(s, i, t); err != nil {
			return err
		}
	}
	return nil
}

// checkStep checks the i-th variant, which is a step or, for 0, the base.
func checkStep(s *assay.Study, i int, t *document.Table) error {
	if i > 0 {
		if phase, ids := t.Find("phase"), phaseIDs(s.Steps.Phases); phase != nil && !slices.Contains(ids, phase.Value.Text) {
			return phase.Wrong("is no id of a [[phase]]" + orClose(phase.Value.Text, ids))
		}
	}
	return checkVariantBuilt(s, s.Variants[i], t)
}

// orClose returns "; did you mean ...?" if one of the words is close, else "".
func orClose(word string, words []string) string {
	if name := near.Name(word, words); name != "" {
		return "; did you mean " + strconv.Quote(name) + "?"
	}
	return ""
}

// stepRange checks a range of commits or versions.
func stepRange(s string) (string, error) {
	from, to, ok := strings.Cut(s, "..")
	switch {
	case !ok || from == "":
		return "", errors.New(`is not a range such as "v1.2.0..v1.4.0"`)
	case strings.HasPrefix(to, "."):
		return "", errors.New("has three dots: a range of steps has two")
	case strings.HasPrefix(from, "-"), strings.HasPrefix(to, "-"), strings.Contains(to, ".."):
		return "", errors.New(`is not a range such as "v1.2.0..v1.4.0"`)
	case strings.ContainsFunc(s, func(r rune) bool { return r == ' ' || !unicode.IsPrint(r) }):
		return "", errors.New("has a blank in it")
	}
	return s, nil
}

// modulePath checks the path of a module without a version.
func modulePath(s string) (string, error) {
	if before, _, ok := strings.Cut(s, "@"); ok {
		return "", fmt.Errorf("has a version in it; write %q, and the versions with range, or version in a step", before)
	}
	if err := module.CheckPath(s); err != nil {
		return "", errors.New(`is not the path of a module such as "golang.org/x/perf"`)
	}
	return s, nil
}

// localPath checks the path of a folder below the study's.
func localPath(s string) (string, error) {
	if !filepath.IsLocal(s) || !fs.ValidPath(path.Clean(s)) {
		return "", errors.New("is not a folder below the study's")
	}
	return path.Clean(s), nil
}

func nonEmpty(problem string) func(string) (string, error) {
	return func(s string) (string, error) {
		if strings.TrimSpace(s) == "" {
			return "", errors.New(problem)
		}
		return s, nil
	}
}
