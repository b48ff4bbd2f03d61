package spec

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/spec/document"
)

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

// collected holds the words of collect. Those that are false are always collected:
// allocations of benchmarks, memory of commands and services, counters of commands.
var collected = map[string]bool{
	"allocs": false, assay.CollectRSS: false, "perf": false,
	assay.CollectGC: true, assay.CollectCode: true, assay.CollectCPU: true, assay.CollectMem: true,
}

// Collect checks the words of collect and returns those that are not always collected.
func Collect(words []string) (out []string, err error) {
	for i, w := range words {
		if err := collectWord(words[:i], w); err != nil {
			return nil, fmt.Errorf("%q %w", w, err)
		}
		if collected[w] {
			out = append(out, w)
		}
	}
	return out, nil
}

// collectWord checks a word of collect, which must not repeat one before it.
func collectWord(before []string, w string) error {
	if slices.Contains(before, w) {
		return fmt.Errorf("is named twice")
	}
	if _, ok := collected[w]; !ok {
		return fmt.Errorf(`is unknown; this assay knows "allocs", "code", "cpu", "gc", "mem", "perf" and "rss"`)
	}
	return nil
}

// collect is what to collect besides the metrics.
func collect(p *[]string) document.Field {
	f := document.Strings("collect", p)
	f.Read = func(e *document.Entry) error {
		var list []string
		err := document.List(e.Key, &list, func(w string) (string, error) { return w, collectWord(list, w) }).Read(e)
		if err == nil {
			*p, err = Collect(list)
		}
		return err
	}
	return f
}

// CollectList reads the list of a flag: words separated by commas.
func CollectList(s string) ([]string, error) {
	if s == "" {
		return nil, fmt.Errorf("names nothing")
	}
	return Collect(strings.Split(s, ","))
}
