package cmdline

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/shell"
	"github.com/seed-1318a441/assay/internal/spec"
	"github.com/seed-1318a441/assay/internal/spec/goflag"
)

// refuse says why assay does not take a flag of go test, and what to write instead.
func refuse(name, value string, line compareLine) *assay.Error {
	code, text := goflag.Refusal(name)
	try := ""
	switch code {
	case assay.CodeOwnsCount:
		line.Dashed = goflag.Without(line.Dashed, name)
		return usage(code, text, line.try(line.Variants), "assay measures until the question is decided; --blocks=N is another number of blocks")
	case assay.CodeOwnsProfile, assay.CodeOwnsCover:
		try = "go test -run='^$' -bench=. -" + name
		if value != "" {
			try += "=" + shell.Quote(value)
		}
	case assay.CodeOwnsBuild:
		if name == "o" && value != "" {
			return line.ownOutput(value)
		}
	case assay.CodeOwnsDir:
		line.Dashed = goflag.Without(line.Dashed, name)
		try = "cd " + shell.Quote(value) + " && " + line.try(line.Variants)
	case assay.CodeOwnsList:
		plan := compareLine{Line: Line{Command: []string{"assay", "plan"}, Variants: line.Variants, Dashed: goflag.Without(line.Dashed, name)}}
		try = plan.try(plan.Variants)
	case assay.CodeOwnsOutput:
		return usage(code, text, "", "assay export writes a finished run in the Go benchmark format")
	}
	return usage(code, text, try)
}

// ownOutput returns the error for a -o of go test, with a line that gives it to assay: for
// a result it is assay's own flag.
func (l compareLine) ownOutput(file string) *assay.Error {
	l.Dashed = goflag.Without(l.Dashed, "o")
	flag := []string{"-o", file}
	if strings.HasSuffix(file, ".test") || strings.HasSuffix(file, ".exe") {
		flag = nil // a binary was meant, and assay keeps those
	}
	return usage(assay.CodeOwnsBuild, "-o of go test names a binary; assay builds every variant itself, and writes results with its own -o before --",
		l.try(append(flag, l.Variants...)))
}

// goTestArgs reads the arguments after "--".
func goTestArgs(m *assay.Measure, args []string, line compareLine) (assay.Workload, error) {
	w := assay.Workload{Kind: assay.KindGoTest}
	for i := 0; i < len(args); i++ {
		a := args[i]
		if a == "-args" || a == "--args" {
			w.Args = slices.Clone(args[i+1:])
			break
		}
		if !strings.HasPrefix(a, "-") || a == "-" {
			if err := line.checkPackage(i); err != nil {
				return w, err
			}
			w.Packages = append(w.Packages, a)
			continue
		}
		name, value, hasValue := goflag.Cut(a)
		f, known := goflag.Known[name]
		if !known {
			return w, usage(assay.CodeTestFlag, "go test has no flag -"+name,
				"-args "+shell.Quote(a)+" at the end, if it is a flag of the test binary's own")
		}
		if f.Value && !hasValue {
			if i++; i == len(args) {
				return w, usage(assay.CodeTestFlag, "-"+name+" after -- needs a value", "")
			}
			value, hasValue = args[i], true
		}
		g := goTestFlag{name, value, hasValue, f.To}
		if err := g.store(&w, m, line); err != nil {
			return w, err
		}
	}
	return w, nil
}

type goTestFlag struct {
	name, value string
	hasValue    bool
	to          goflag.Destination
}

// String returns the flag as one argument.
func (g goTestFlag) String() string { return goflag.Join(g.name, g.value, g.hasValue) }

// wrong returns an error about the flag's value.
func (g goTestFlag) wrong(problem, try string) error {
	return usage(assay.CodeTestFlag, fmt.Sprintf("-%s=%s %s", g.name, g.value, problem), try)
}

func (g goTestFlag) store(w *assay.Workload, m *assay.Measure, line compareLine) error {
	switch g.to {
	case goflag.Owned:
		return refuse(g.name, g.value, line)
	case goflag.ToTest:
		w.TestFlags = append(w.TestFlags, g.String())
		return nil
	case goflag.ToBuild:
		w.BuildFlags = append(w.BuildFlags, g.String())
		return nil
	}
	return g.storeOwn(w, m, line)
}

// storeOwn stores the flags that have a key of their own in the study.
func (g goTestFlag) storeOwn(w *assay.Workload, m *assay.Measure, line compareLine) error {
	switch g.name {
	case "bench":
		return g.read(func() (err error) { w.Bench, err = spec.BenchPattern(g.value); return err })
	case "benchtime":
		return g.read(func() (err error) { w.BenchTime, w.BenchIters, err = spec.BenchTime(g.value); return err })
	case "timeout":
		return g.read(func() (err error) { m.Timeout, err = spec.PositiveDuration(g.value); return err })
	case "benchmem":
		if on, err := strconv.ParseBool(g.value); g.hasValue && (err != nil || !on) {
			return g.wrong("cannot be: assay always counts allocations", "")
		}
	case "run":
		if !slices.Contains([]string{"^$", "NONE", "none", "XXX", "^#", "-"}, g.value) {
			return g.wrong("selects tests; assay runs benchmarks only", "-bench="+shell.Quote(g.value))
		}
	case "cpu":
		return g.storeCPU(m, line)
	}
	return nil
}

func (g goTestFlag) read(f func() error) error {
	if err := f(); err != nil {
		return g.wrong(err.Error(), "")
	}
	return nil
}

// storeCPU takes one number of CPUs. Several are variants, compared in the same blocks.
func (g goTestFlag) storeCPU(m *assay.Measure, line compareLine) error {
	list := strings.Split(g.value, ",")
	for _, item := range list {
		n, err := spec.Count(item)
		if err != nil {
			return g.wrong("is not a number of CPUs", "")
		}
		m.GOMAXPROCS = n
	}
	if len(list) == 1 {
		return nil
	}
	var vs []string
	for _, item := range list {
		vs = append(vs, "GOMAXPROCS="+strings.TrimSpace(item))
	}
	line.Dashed = goflag.Without(line.Dashed, "cpu")
	return usage(assay.CodeOwnsCPU, fmt.Sprintf("go test -cpu=%s runs one number after the other; assay interleaves them as variants", g.value), line.try(vs))
}
