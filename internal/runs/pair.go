package runs

import (
	"fmt"
	"slices"
	"strings"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/analysis"
	"github.com/seed-1318a441/assay/internal/shell"
)

// OpenPair reads the result of what Open reads, or, with a pair "A,B", compares those two
// variants of a run.
func OpenPair(store, name, pair string) (*assay.Result, error) {
	if pair == "" {
		s, err := Open(store, name)
		return s.Result, err
	}
	run, err := Find(store, name)
	if err != nil {
		return nil, err
	}
	a, b, err := splitPair(run, pair)
	if err != nil {
		return nil, err
	}
	tracker, _ := follow(run.Run, run.Ending, func(*analysis.Tracker) {})
	tracker.End(run.Ending.Stop)
	r, err := tracker.Pair(run.Blocks(), a, b, run.Platform)
	if err == nil {
		run.forReader(r)
	}
	return r, err
}

// splitPair splits "A,B" at the comma that stands between two variants: names
// such as "GOEXPERIMENT=nogreenteagc,nojsonv2" have commas of their own.
func splitPair(run *Found, pair string) (a, b string, err error) {
	p := run.Plan
	known := func(name string) bool {
		is := func(v assay.Variant) bool { return v.Name == name }
		return slices.ContainsFunc(p.Variants, is) || slices.ContainsFunc(p.Study.Variants, is)
	}
	for i := range pair {
		if pair[i] == ',' && known(pair[:i]) && known(pair[i+1:]) {
			return pair[:i], pair[i+1:], nil
		}
	}
	a, b, ok := strings.Cut(pair, ",")
	if !ok || a == "" || b == "" {
		return "", "", assay.UsageError(assay.CodeFlags, fmt.Sprintf("--pair %s: it takes two variants, such as A,B", pair), "assay show "+shell.Quote(run.Ref)+" --pairs")
	}
	return a, b, nil
}
