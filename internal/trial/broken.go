package trial

import (
	"regexp"
	"strconv"
	"strings"

	assay "github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/collect"
)

var (
	failedName = regexp.MustCompile(`--- FAIL: Benchmark(\S+)[^\n]*\n?([^\n]*)`)
	openName   = regexp.MustCompile(`Benchmark(\S+) *\t`)
)

// broken names the benchmarks that a trial of several could not measure, with
// the reason: those that it said failed, and the one that was running when the
// process ended badly.
func broken(o Outcome, procs int) map[string]string {
	out := map[string]string{}
	if o.Status == assay.StatusOK {
		return out
	}
	strip := func(name string) string {
		if procs > 1 {
			return strings.TrimSuffix(name, "-"+strconv.Itoa(procs))
		}
		return name
	}
	for _, m := range failedName.FindAllSubmatch(o.Stdout, -1) {
		out[strip(string(m[1]))] = collect.OneLine(string(m[2]))
	}
	if len(out) > 0 {
		return out
	}
	if all := openName.FindAllSubmatch(o.Stdout, -1); len(all) > 0 {
		if name := strip(string(all[len(all)-1][1])); !o.has(name) {
			out[name] = o.Reason
		}
	}
	return out
}

func (o Outcome) has(name string) bool {
	for _, r := range o.Readings {
		if r.Name == name {
			return true
		}
	}
	return false
}
