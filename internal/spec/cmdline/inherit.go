package cmdline

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/knobs"
	"github.com/seed-1318a441/assay/internal/shell"
	"github.com/seed-1318a441/assay/internal/spec"
	"github.com/seed-1318a441/assay/internal/spec/goflag"
)

// A Caller holds the Go settings of whoever starts assay.
type Caller struct {
	// Go has the settings that the go command reads, also those of "go env -w".
	Go map[string]string
	// Env is the environment, as os.Getenv reads it.
	Env func(name string) string
}

// inheritedRun are the variables that the Go run time of a trial reads and go test passes
// on. GOTRACEBACK is missing: it changes only what a crash prints.
var inheritedRun = []string{"GODEBUG", "GOGC", "GOMEMLIMIT", "GORACE"}

// otherGoFlags are flags of other go commands in GOFLAGS, which go test ignores.
var otherGoFlags = []string{"u", "d", "t", "insecure", "i", "f", "m", "e", "find", "test", "deps", "export", "compiled", "retracted", "versions",
	"reuse", "r", "w", "changed", "fix", "diff", "vettool", "go", "compat", "tool", "use", "vendor", "modcache", "cache", "testcache",
	"debug-actiongraph", "debug-trace", "debug-runtime-trace"}

// inertGoFlags change nothing measured: assay does not vet, and always counts
// allocations.
var inertGoFlags = []string{"vet", "benchmem", "modcacherw", "a", "x", "p"}

// Inherit gives every variant of a study the caller's Go settings that go test would
// honour: the flags of GOFLAGS as if typed before the study's own, build variables such
// as GOAMD64, and the variables of the Go run time. The study's own settings win.
// Study.Inherited lists what is in effect. A flag of GOFLAGS that assay refuses is an
// *assay.Error with exit status 2.
func Inherit(s *assay.Study, c Caller) error {
	if err := inheritFlags(s, c); err != nil {
		return err
	}
	inheritPlatform(s, c)
	for _, name := range append([]string{"GOEXPERIMENT"}, spec.BuildVariables...) {
		if value := c.Go[name]; value != "" && name != "GOARCH" && inheritBuild(s, name, value) {
			s.Inherited = append(s.Inherited, name+"="+value)
		}
	}
	for _, name := range inheritedRun {
		// The Go run time ignores a value that it cannot read.
		if value := c.Env(name); value != "" && knobs.CheckRunVariable(name, value) == nil {
			inheritRun(s, name, value)
			s.Inherited = append(s.Inherited, name+"="+value)
		}
	}
	return nil
}

// inheritFlags puts the flags of GOFLAGS before those of the workloads.
func inheritFlags(s *assay.Study, c Caller) error {
	all, err := c.flags()
	if err != nil {
		return err
	}
	var used []string
	for i := range s.Workloads {
		w := &s.Workloads[i]
		under, m := assay.Workload{Kind: w.Kind}, assay.Measure{}
		for _, g := range all {
			if w.Kind != assay.KindGoTest && !(goBuildHas(g.name) && slices.ContainsFunc(s.Variants, func(v assay.Variant) bool { return spec.UsesBuild(s, v) })) {
				continue
			}
			if err := g.store(&under, &m, compareLine{}); err != nil {
				return c.refused(g, all, err)
			}
			if !slices.Contains(used, g.String()) {
				used = append(used, g.String())
			}
		}
		layUnder(w, under)
		if m.Timeout > 0 && s.Measure.Timeout == spec.DefaultsOf(s).Measure.Timeout {
			s.Measure.Timeout = m.Timeout
		}
		if s.Measure.GOMAXPROCS == 0 {
			s.Measure.GOMAXPROCS = m.GOMAXPROCS
		}
	}
	if len(used) > 0 {
		s.Inherited = append(s.Inherited, "GOFLAGS="+joinGoFlags(used))
	}
	return nil
}

// layUnder gives a workload what it does not say itself. A flag in both is kept once:
// assay init has written it into a study.
func layUnder(w *assay.Workload, under assay.Workload) {
	if w.Bench == "" {
		w.Bench = under.Bench
	}
	if w.BenchIters == 0 && w.BenchTime == 0 {
		w.BenchIters, w.BenchTime = under.BenchIters, under.BenchTime
	}
	before := func(flags, own []string) []string {
		flags = slices.DeleteFunc(flags, func(f string) bool { return slices.Contains(own, f) })
		return append(flags, own...)
	}
	w.BuildFlags, w.TestFlags = before(under.BuildFlags, w.BuildFlags), before(under.TestFlags, w.TestFlags)
}

// flags reads GOFLAGS without flags that have no effect.
func (c Caller) flags() ([]goTestFlag, error) {
	var out []goTestFlag
	words, err := splitGoFlags(c.Go["GOFLAGS"])
	if err != nil {
		return nil, c.wrongFlags(err.Error())
	}
	for _, word := range words {
		name, value, hasValue := goflag.Cut(word)
		f, known := goflag.Known[name]
		switch {
		case !strings.HasPrefix(word, "-") || name == "":
			return nil, c.wrongFlags(fmt.Sprintf("has %q, which is no flag", word))
		case !known && slices.Contains(otherGoFlags, name):
			continue
		case !known:
			return nil, c.wrongFlags(fmt.Sprintf("has %s, and go test has no flag -%s", word, name))
		case f.Value && !hasValue:
			return nil, c.wrongFlags(fmt.Sprintf("has %s without a value", word))
		case slices.Contains(inertGoFlags, name) || name == "buildvcs" && value != "true":
			continue
		}
		out = append(out, goTestFlag{name, value, hasValue, f.To})
	}
	return out, nil
}

func (c Caller) wrongFlags(problem string) error {
	return usage(assay.CodeTestFlag, "GOFLAGS "+problem, "", "GOFLAGS="+c.Go["GOFLAGS"])
}

// refused returns the error for a flag that assay does not take, one of all in GOFLAGS.
func (c Caller) refused(g goTestFlag, all []goTestFlag, err error) error {
	e, ok := errors.AsType[*assay.Error](err)
	if !ok {
		return err
	}
	e.Text = "GOFLAGS has " + g.String() + ": " + e.Text
	e.Facts = append(e.Facts, "GOFLAGS="+c.Go["GOFLAGS"]+", which go test reads as well")
	var rest []string
	for _, other := range all {
		if other != g {
			rest = append(rest, other.String())
		}
	}
	set, unset := "export GOFLAGS=", "unset GOFLAGS"
	if c.Env("GOFLAGS") == "" { // it is from "go env -w"
		set, unset = "go env -w GOFLAGS=", "go env -u GOFLAGS"
	}
	if e.Try = unset; len(rest) > 0 {
		e.Try = set + shell.Quote(joinGoFlags(rest))
	}
	return e
}

// goBuildHas reports whether go build has a flag of go test.
func goBuildHas(name string) bool {
	if goflag.Known[name].To == goflag.ToBuild {
		return name != "vet"
	}
	return slices.Contains([]string{"o", "n", "C", "json", "cover", "covermode", "coverpkg"}, name)
}

// splitGoFlags splits GOFLAGS like the go command (cmd/internal/quoted): at blanks,
// except in words that are quoted as a whole.
func splitGoFlags(s string) (words []string, err error) {
	const blanks = " \t\n\r"
	for s = strings.TrimLeft(s, blanks); s != ""; s = strings.TrimLeft(s, blanks) {
		if open := s[0]; open == '\'' || open == '"' {
			word, rest, closed := strings.Cut(s[1:], string(open))
			if !closed {
				return nil, fmt.Errorf("has a quote %c that is not closed", open)
			}
			words, s = append(words, word), rest
			continue
		}
		n := strings.IndexAny(s, blanks)
		if n < 0 {
			n = len(s)
		}
		words, s = append(words, s[:n]), s[n:]
	}
	return words, nil
}

// joinGoFlags is the opposite of splitGoFlags.
func joinGoFlags(words []string) string {
	var out []string
	for _, w := range words {
		if strings.ContainsAny(w, " \t\n\r'\"") {
			q := "'"
			if strings.Contains(w, q) {
				q = `"`
			}
			w = q + w + q
		}
		out = append(out, w)
	}
	return strings.Join(out, " ")
}

// inheritPlatform takes over settings that belong to the platform.
func inheritPlatform(s *assay.Study, c Caller) {
	if arch := c.Go["GOARCH"]; arch != "" && s.Measure.GOARCH == "" && slices.ContainsFunc(s.Variants, func(v assay.Variant) bool { return spec.UsesBuild(s, v) }) {
		s.Measure.GOARCH = arch
		s.Inherited = append(s.Inherited, "GOARCH="+arch)
	}
	// The Go run time ignores a value that is not a positive number.
	if n, err := strconv.Atoi(c.Env("GOMAXPROCS")); err == nil && n > 0 && s.Measure.GOMAXPROCS == 0 {
		s.Measure.GOMAXPROCS = n
		s.Inherited = append(s.Inherited, fmt.Sprintf("GOMAXPROCS=%d", n))
	}
}

// inheritBuild sets a build variable for the variants that are built and do not set it,
// and reports whether there are any. Experiments are a list: a variant's own come last
// and win.
func inheritBuild(s *assay.Study, name, value string) (used bool) {
	for i := range s.Variants {
		v := &s.Variants[i]
		if !spec.UsesBuild(s, *v) {
			continue
		}
		if name == "GOEXPERIMENT" {
			v.Experiment = mergeLists(strings.Split(value, ","), v.Experiment, func(e string) string { return strings.TrimPrefix(e, "no") })
			used = true
			continue
		}
		if v.Build[name] == "" {
			v.Build = with(v.Build, name, value)
			used = true
		}
	}
	return used
}

// inheritRun sets a run variable for every trial unless the study does. Commands and
// services have the workload's variables, which variants override.
func inheritRun(s *assay.Study, name, value string) {
	test := false
	for i := range s.Workloads {
		w := &s.Workloads[i]
		switch {
		case w.Kind == assay.KindGoTest:
			test = true
		case w.Env[name] == "":
			w.Env = with(w.Env, name, value)
		}
	}
	if !test {
		return
	}
	for i := range s.Variants {
		v := &s.Variants[i]
		own := v.Env[name]
		switch {
		case own != "" && name != "GODEBUG":
			continue
		case own != "":
			own = strings.Join(mergeLists(strings.Split(value, ","), strings.Split(own, ","), func(kv string) string {
				key, _, _ := strings.Cut(kv, "=")
				return key
			}), ",")
		default:
			own = value
		}
		v.Env = with(v.Env, name, own)
	}
}

// mergeLists puts the settings of under before own, without those whose key own has.
func mergeLists(under, own []string, key func(string) string) []string {
	var out []string
	for _, u := range under {
		u = strings.TrimSpace(u)
		if u != "" && !slices.ContainsFunc(own, func(o string) bool { return key(o) == key(u) }) {
			out = append(out, u)
		}
	}
	return append(out, own...)
}
