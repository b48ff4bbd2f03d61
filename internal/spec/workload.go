package spec

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/seed-1318a441/assay"
)

func newWorkload(s *assay.Study) func() schema {
	return func() schema {
		s.Workloads = append(s.Workloads, assay.Workload{Kind: assay.KindGoTest})
		return workloadKeys(&s.Workloads[len(s.Workloads)-1])
	}
}

func workloadKeys(w *assay.Workload) schema {
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
	if s != assay.KindGoTest {
		return "", fmt.Errorf("is not known to this assay; it has %q", assay.KindGoTest)
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
