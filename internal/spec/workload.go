package spec

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/spec/document"
	"github.com/seed-1318a441/assay/internal/spec/goflag"
)

// workloadKeys has the keys of the kind that the table names, wherever in it that is.
func workloadKeys(w *assay.Workload, t *document.Table) (string, document.Schema) {
	w.Kind = assay.KindGoTest
	if e := t.Find("kind"); e != nil {
		switch assay.Kind(e.Value.Text) {
		case assay.KindCommand:
			return " of a command", commandKeys(w)
		case assay.KindService:
			return " of a service", serviceKeys(w)
		}
	}
	return "", goTestKeys(w)
}

const inWorkload = "[[workload]]"

// workloadHome says which kinds of workloads have a key, as
// "in [[workload]], kind = "command"", or nothing where none has it.
func workloadHome(key string) string {
	var kinds []string
	for _, k := range []struct {
		name assay.Kind
		keys document.Schema
	}{
		{assay.KindGoTest, goTestKeys(&assay.Workload{})},
		{assay.KindCommand, commandKeys(&assay.Workload{})},
		{assay.KindService, serviceKeys(&assay.Workload{})},
	} {
		if _, ok := k.keys[key]; ok {
			kinds = append(kinds, strconv.Quote(string(k.name)))
		}
	}
	switch len(kinds) {
	case 0:
		return ""
	case 3:
		return "in " + inWorkload
	}
	return "in " + inWorkload + ", kind = " + strings.Join(kinds, " or ")
}

func goTestKeys(w *assay.Workload) document.Schema {
	return document.Schema{
		"name":        document.String(&w.Name),
		"kind":        document.Text(&w.Kind, workloadKind),
		"packages":    document.Strings(&w.Packages),
		"bench":       document.Text(&w.Bench, BenchPattern),
		"benchtime":   benchtime(w),
		"benchmem":    alwaysOn("counts allocations"),
		"build_flags": document.List(&w.BuildFlags, goFlag(goflag.ToBuild)),
		"test_flags":  document.List(&w.TestFlags, goFlag(goflag.ToTest)),
		"args":        document.Strings(&w.Args),
	}
}

func workloadKind(s string) (assay.Kind, error) {
	var kind assay.Kind
	if err := kind.UnmarshalText([]byte(s)); err != nil {
		return "", fmt.Errorf("is unknown; this assay knows %q, %q and %q", assay.KindGoTest, assay.KindCommand, assay.KindService)
	}
	return kind, nil
}

// BenchPattern checks the value of -bench.
func BenchPattern(s string) (string, error) {
	if _, err := regexp.Compile(s); err != nil {
		return "", notRegexp(err)
	}
	return s, nil
}

// notRegexp says what is wrong with a regular expression.
func notRegexp(err error) error {
	return fmt.Errorf("is not a regular expression: %s", strings.TrimPrefix(err.Error(), "error parsing regexp: "))
}

func benchtime(w *assay.Workload) document.Setter {
	return document.Text(new(string), func(s string) (string, error) {
		var err error
		w.BenchTime, w.BenchIters, err = BenchTime(s)
		return s, err
	})
}

// alwaysOn takes a switch that can only be on.
func alwaysOn(does string) document.Setter {
	return func(e *document.Entry) error {
		var on bool
		if err := document.Bool(&on)(e); err != nil {
			return err
		}
		if !on {
			return e.Wrong("cannot be: assay always " + does)
		}
		return nil
	}
}
