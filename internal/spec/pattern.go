package spec

import (
	"errors"
	"slices"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/spec/document"
)

const patternExample = `['ops/s=/([0-9.]+) ops/']`

// VariesByNature says why the output of a command that measures itself is not compared.
const VariesByNature = "output with a measured number in it is never the same twice"

// patterns are the metrics that a workload finds in output.
func patterns(p *[]string) document.Field {
	return document.List("metrics", p, func(text string) (string, error) { return text, Pattern(*p, text) })
}

// Pattern checks a metric to find in output, which follows those before it.
func Pattern(before []string, text string) error {
	p, err := assay.ParsePattern(text)
	if err != nil {
		return err
	}
	same := func(other string) bool { o, _ := assay.ParsePattern(other); return o.Metric == p.Metric }
	if slices.ContainsFunc(before, same) {
		return errors.New("names a metric for the second time")
	}
	return nil
}

// checkParsed refuses two ways to read one output.
func checkParsed(metrics []string, t *document.Table) error {
	if e := t.Find("parse"); e != nil && len(metrics) > 0 {
		return e.Wrong("cannot be combined with metrics: the output is read by one of them")
	}
	return nil
}
