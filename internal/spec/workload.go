package spec

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/seed-1318a441/assay"
)

// newWorkload has the keys of the kind that the table names, wherever in it
// that stands.
func newWorkload(s *assay.Study) func(*table) (string, schema) {
	return func(t *table) (string, schema) {
		s.Workloads = append(s.Workloads, assay.Workload{Kind: assay.KindGoTest})
		w := &s.Workloads[len(s.Workloads)-1]
		if e := t.find("kind"); e != nil && e.value.text == assay.KindCommand {
			return inWorkload + " of a command", commandKeys(w)
		}
		return inWorkload, goTestKeys(w)
	}
}

const inWorkload = "[[workload]]"

// workloadHome is how one writes a workload of a kind.
func workloadHome(kind string) string { return fmt.Sprintf("%s, kind = %q", inWorkload, kind) }

func goTestKeys(w *assay.Workload) schema {
	return schema{
		"name":        str(&w.Name),
		"kind":        text(&w.Kind, workloadKind),
		"packages":    strs(&w.Packages),
		"bench":       text(&w.Bench, benchPattern),
		"benchtime":   benchtime(w),
		"benchmem":    always("counts allocations"),
		"build_flags": goFlagList(&w.BuildFlags, toBuild),
		"test_flags":  goFlagList(&w.TestFlags, toTest),
		"args":        strs(&w.Args),
	}
}

func workloadKind(s string) (string, error) {
	if s != assay.KindGoTest && s != assay.KindCommand {
		return "", fmt.Errorf("is not known to this assay; it has %q and %q", assay.KindGoTest, assay.KindCommand)
	}
	return s, nil
}

func benchPattern(s string) (string, error) {
	if _, err := regexp.Compile(s); err != nil {
		return "", fmt.Errorf("is not a regular expression: %s", strings.TrimPrefix(err.Error(), "error parsing regexp: "))
	}
	return s, nil
}

func benchtime(w *assay.Workload) setter {
	return text(new(string), func(s string) (string, error) {
		var err error
		w.BenchTime, w.BenchIters, err = benchTime(s)
		return s, err
	})
}

// always takes a switch that can only be on.
func always(does string) setter {
	return func(e *entry) error {
		var on bool
		if err := boolean(&on)(e); err != nil {
			return err
		}
		if !on {
			return e.wrong("cannot be: assay always " + does)
		}
		return nil
	}
}
