package spec

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/spec/document"
	"github.com/seed-1318a441/assay/internal/spec/goflag"
)

// workloadKeys returns the keys of the kind that the table names, on whatever line.
func workloadKeys(w *assay.Workload, t *document.Table) (string, document.Schema) {
	w.Kind = assay.KindGoTest
	if e := t.Find("kind"); e != nil && slices.Contains([]string{string(assay.KindCommand), string(assay.KindService)}, e.Value.Text) {
		w.Kind = assay.Kind(e.Value.Text)
		return " of a " + e.Value.Text, keysOfKind(w)
	}
	return "", goTestKeys(w)
}

func keysOfKind(w *assay.Workload) document.Schema {
	switch w.Kind {
	case assay.KindCommand:
		return commandKeys(w)
	case assay.KindService:
		return serviceKeys(w)
	}
	return goTestKeys(w)
}

const inWorkload = "[[workload]]"

// workloadHome returns which kinds have a key, as "in [[workload]], kind = "command"", or
// "".
func workloadHome(key string) string {
	var kinds []string
	for _, kind := range []assay.Kind{assay.KindGoTest, assay.KindCommand, assay.KindService} {
		if keysOfKind(&assay.Workload{Kind: kind}).Find(key) != nil {
			kinds = append(kinds, strconv.Quote(string(kind)))
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
		document.String("name", &w.Name),
		document.Text("kind", &w.Kind, workloadKind),
		document.Strings("packages", &w.Packages),
		document.Text("bench", &w.Bench, BenchPattern),
		benchtime(w),
		alwaysOn("benchmem", "counts allocations"),
		document.List("build_flags", &w.BuildFlags, goFlag(goflag.ToBuild)),
		document.List("test_flags", &w.TestFlags, goFlag(goflag.ToTest)),
		document.Strings("args", &w.Args),
	}
}

var workloadKind = oneOf(assay.KindGoTest, assay.KindCommand, assay.KindService)

// BenchPattern checks the value of -bench.
func BenchPattern(s string) (string, error) {
	if _, err := regexp.Compile(s); err != nil {
		return "", notRegexp(err)
	}
	return s, nil
}

// notRegexp returns the error for an invalid regular expression.
func notRegexp(err error) error {
	return fmt.Errorf("is not a regular expression: %s", strings.TrimPrefix(err.Error(), "error parsing regexp: "))
}

func benchtime(w *assay.Workload) document.Field {
	f := document.Text("benchtime", new(string), func(s string) (string, error) {
		var err error
		w.BenchTime, w.BenchIters, err = BenchTime(s)
		return s, err
	})
	f.Write = func() string {
		switch {
		case w.BenchIters > 0:
			return document.Quote(strconv.Itoa(w.BenchIters)+"x") + "  # iterations of every trial"
		case w.BenchTime > 0:
			return document.Quote(document.FormatDuration(w.BenchTime))
		}
		return ""
	}
	return f
}

// alwaysOn is a switch that cannot be off.
func alwaysOn(key, does string) document.Field {
	return document.Field{Key: key, Read: func(e *document.Entry) error {
		var on bool
		if err := document.Bool(key, &on, "").Read(e); err != nil {
			return err
		}
		if !on {
			return e.Wrong("cannot be: assay always " + does)
		}
		return nil
	}}
}

// goFlag returns a function that reads a flag for a destination, with its value.
func goFlag(to goflag.Destination) func(string) (string, error) {
	return func(arg string) (string, error) { return goflag.Join(goflag.Cut(arg)), checkGoFlag(arg, to) }
}

func checkGoFlag(arg string, to goflag.Destination) error {
	name, _, hasValue := goflag.Cut(arg)
	f, known := goflag.Known[name]
	_, refusal := goflag.Refusal(name)
	keys := map[goflag.Destination]string{goflag.ToTest: "test_flags", goflag.ToBuild: "build_flags"}
	switch {
	case !strings.HasPrefix(arg, "-"):
		return fmt.Errorf("is not a flag; it starts with no dash")
	case !known:
		return fmt.Errorf("is not a flag of go test; flags of the test binary's own go into args")
	case f.To == goflag.Owned:
		return fmt.Errorf("is refused: %s", refusal)
	case f.To == goflag.ToAssay:
		return fmt.Errorf("has a key of its own: %s", map[string]string{"bench": "bench", "benchtime": "benchtime", "benchmem": "benchmem",
			"run": "bench", "cpu": "gomaxprocs in [measure]", "timeout": "timeout in [measure]"}[name])
	case f.To != to:
		return fmt.Errorf("belongs in %s", keys[f.To])
	case f.Value && !hasValue:
		return fmt.Errorf("needs its value: \"%s=…\"", arg)
	}
	return nil
}
