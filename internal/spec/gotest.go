package spec

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/shell"
)

// A goFlag is a flag that go test knows.
type goFlag struct {
	// value is true where the flag takes one, so that it may follow as an
	// argument of its own.
	value bool
	to    destination
}

// A destination says what becomes of a flag of go test.
type destination int

const (
	toAssay destination = iota // has a place of its own in the study
	toTest                     // goes to the test binary
	toBuild                    // goes to the build of every variant
	owned                      // is refused: assay does it, or it would spoil the measurement
)

// goFlags are the flags of "go help test", "go help testflag" and "go help
// build", go1.24 to go1.27.
var goFlags = map[string]goFlag{
	"bench": {true, toAssay}, "benchtime": {true, toAssay}, "benchmem": {false, toAssay}, "run": {true, toAssay},
	"cpu": {true, toAssay}, "timeout": {true, toAssay},

	"short": {false, toTest}, "v": {false, toTest}, "failfast": {false, toTest}, "fullpath": {false, toTest},
	"parallel": {true, toTest}, "skip": {true, toTest}, "shuffle": {true, toTest},

	"race": {false, toBuild}, "msan": {false, toBuild}, "asan": {false, toBuild}, "trimpath": {false, toBuild},
	"linkshared": {false, toBuild}, "modcacherw": {false, toBuild}, "a": {false, toBuild}, "x": {false, toBuild},
	"tags": {true, toBuild}, "mod": {true, toBuild}, "modfile": {true, toBuild}, "overlay": {true, toBuild},
	"gcflags": {true, toBuild}, "ldflags": {true, toBuild}, "asmflags": {true, toBuild}, "gccgoflags": {true, toBuild},
	"compiler": {true, toBuild}, "buildmode": {true, toBuild}, "buildvcs": {true, toBuild}, "installsuffix": {true, toBuild},
	"pkgdir": {true, toBuild}, "toolexec": {true, toBuild}, "pgo": {true, toBuild}, "vet": {true, toBuild}, "p": {true, toBuild},

	"count": {true, owned}, "o": {true, owned}, "c": {false, owned}, "exec": {true, owned}, "json": {false, owned},
	"cpuprofile": {true, owned}, "memprofile": {true, owned}, "memprofilerate": {true, owned}, "blockprofile": {true, owned},
	"blockprofilerate": {true, owned}, "mutexprofile": {true, owned}, "mutexprofilefraction": {true, owned}, "trace": {true, owned},
	"outputdir": {true, owned}, "artifacts": {false, owned}, "fuzz": {true, owned}, "fuzztime": {true, owned},
	"fuzzminimizetime": {true, owned}, "fuzzcachedir": {true, owned}, "list": {true, owned}, "C": {true, owned}, "n": {false, owned},
	"cover": {false, owned}, "covermode": {true, owned}, "coverpkg": {true, owned}, "coverprofile": {true, owned},
}

// refuse says why go test's flag is not taken and what to write instead.
func refuse(name, value string, line compareLine) *assay.Error {
	flag := "-" + name
	byHand := "go test -run='^$' -bench=. " + flag
	if value != "" {
		byHand += "=" + shell.Quote(value)
	}
	switch name {
	case "count":
		n := value
		if _, err := count(n); err != nil {
			n = "10"
		}
		return usage("owns-count", "go test -count repeats one variant in a row; assay interleaves instead", line.blocks(n))
	case "cpuprofile", "memprofile", "memprofilerate", "blockprofile", "blockprofilerate", "mutexprofile", "mutexprofilefraction", "trace":
		return usage("owns-profile", "go test "+flag+" slows the trials down; assay keeps profiles apart from what it measures", byHand)
	case "cover", "covermode", "coverpkg", "coverprofile":
		return usage("owns-cover", "go test "+flag+" adds counters to the code; they would be measured too", byHand)
	case "fuzz", "fuzztime", "fuzzminimizetime", "fuzzcachedir":
		return usage("owns-fuzz", "go test "+flag+" is for fuzzing; assay runs benchmarks only", "")
	case "o", "c", "n":
		return usage("owns-build", "go test "+flag+" builds without running; assay builds every variant itself", "")
	case "exec":
		return usage("owns-exec", "go test -exec puts a program between assay and the benchmark; assay starts the benchmark itself", "")
	case "C":
		line.Dashed = withoutFlag(line.Dashed, name)
		return usage("owns-dir", "go test -C changes the folder; assay measures the one it is started in",
			"cd "+shell.Quote(value)+" && "+line.try(line.Variants))
	case "list":
		plan := compareLine{Line: Line{Command: []string{"assay", "plan"}, Variants: line.Variants, Dashed: withoutFlag(line.Dashed, name)}}
		return usage("owns-list", "go test -list runs nothing; assay plan lists the benchmarks", plan.try(plan.Variants))
	}
	return usage("owns-output", "go test "+flag+" changes what goes where; assay keeps the output itself", "",
		"assay export writes a finished run in the Go benchmark format")
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
			w.Packages = append(w.Packages, a)
			continue
		}
		name, value, hasValue := cutFlag(a)
		f, known := goFlags[name]
		if !known {
			return w, unknownGoFlag(a, name)
		}
		if f.value && !hasValue {
			if i++; i == len(args) {
				return w, usage("test-flag", "-"+name+" after -- needs a value", "")
			}
			value, hasValue = args[i], true
		}
		g := goTestFlag{name, value, hasValue, f.to}
		if err := g.store(&w, m, line); err != nil {
			return w, err
		}
	}
	return w, nil
}

// cutFlag splits "-name=value", with one dash or two, and with "test." or
// without.
func cutFlag(a string) (name, value string, hasValue bool) {
	a = strings.TrimPrefix(strings.TrimPrefix(a, "-"), "-")
	name, value, hasValue = strings.Cut(a, "=")
	return strings.TrimPrefix(name, "test."), value, hasValue
}

func unknownGoFlag(arg, name string) error {
	return usage("test-flag", fmt.Sprintf("go test has no flag -%s", name),
		"-args "+shell.Quote(arg)+" at the end, if it is a flag of the test binary's own")
}

type goTestFlag struct {
	name, value string
	hasValue    bool
	to          destination
}

// String returns the flag as one argument.
func (g goTestFlag) String() string {
	if !g.hasValue {
		return "-" + g.name
	}
	return "-" + g.name + "=" + g.value
}

// wrong is an error about the flag's value.
func (g goTestFlag) wrong(problem, try string) error {
	return usage("test-flag", fmt.Sprintf("-%s=%s %s", g.name, g.value, problem), try)
}

func (g goTestFlag) store(w *assay.Workload, m *assay.Measure, line compareLine) error {
	switch g.to {
	case owned:
		return refuse(g.name, g.value, line)
	case toTest:
		w.TestFlags = append(w.TestFlags, g.String())
		return nil
	case toBuild:
		w.BuildFlags = append(w.BuildFlags, g.String())
		return nil
	}
	return g.storeOwn(w, m, line)
}

// storeOwn stores the flags that have a place of their own in the study.
func (g goTestFlag) storeOwn(w *assay.Workload, m *assay.Measure, line compareLine) error {
	switch g.name {
	case "bench":
		return g.read(func() (err error) { w.Bench, err = benchPattern(g.value); return err })
	case "benchtime":
		return g.read(func() (err error) { w.BenchTime, w.BenchIters, err = benchTime(g.value); return err })
	case "timeout":
		return g.read(func() (err error) { m.Timeout, err = duration(g.value); return err })
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

// storeCPU takes one number of CPUs. Several are variants: they are to be
// compared, and in the same blocks.
func (g goTestFlag) storeCPU(m *assay.Measure, line compareLine) error {
	list := strings.Split(g.value, ",")
	for _, item := range list {
		n, err := count(item)
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
	line.Dashed = withoutFlag(line.Dashed, "cpu")
	return usage("owns-cpu", fmt.Sprintf("go test -cpu=%s runs one number after the other; assay interleaves them as variants", g.value), line.try(vs))
}

// withoutFlag removes a flag that takes a value from arguments of go test.
func withoutFlag(args []string, name string) []string {
	var out []string
	for i := 0; i < len(args); i++ {
		n, _, hasValue := cutFlag(args[i])
		switch {
		case n != name || !strings.HasPrefix(args[i], "-"):
			out = append(out, args[i])
		case !hasValue:
			i++
		}
	}
	return out
}

// goFlagList stores the flags that a workload of a study file has for one
// destination, each with its value in it.
func goFlagList(p *[]string, to destination) setter {
	return func(e *entry) error {
		if err := strs(p)(e); err != nil {
			return err
		}
		for i, arg := range *p {
			if err := checkGoFlag(arg, to); err != nil {
				return e.value.items[i].in(e).wrong(err.Error())
			}
			name, value, hasValue := cutFlag(arg)
			(*p)[i] = goTestFlag{name, value, hasValue, to}.String()
		}
		return nil
	}
}

func checkGoFlag(arg string, to destination) error {
	name, value, hasValue := cutFlag(arg)
	f, known := goFlags[name]
	keys := map[destination]string{toTest: "test_flags", toBuild: "build_flags"}
	switch {
	case !strings.HasPrefix(arg, "-"):
		return fmt.Errorf("is not a flag; it starts with no dash")
	case !known:
		return fmt.Errorf("is not a flag of go test; flags of the test binary's own go into args")
	case f.to == owned:
		return fmt.Errorf("is refused: %s", refuse(name, value, compareLine{}).Text)
	case f.to == toAssay:
		return fmt.Errorf("has a key of its own: %s", map[string]string{"bench": "bench", "benchtime": "benchtime", "benchmem": "benchmem",
			"run": "bench", "cpu": "gomaxprocs in [measure]", "timeout": "timeout in [measure]"}[name])
	case f.to != to:
		return fmt.Errorf("belongs in %s", keys[f.to])
	case f.value && !hasValue:
		return fmt.Errorf("needs its value: \"%s=…\"", arg)
	}
	return nil
}
