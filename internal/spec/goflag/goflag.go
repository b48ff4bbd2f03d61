// Package goflag knows the flags of go test and go build: which take a value, and what
// assay does with each. It does not read command lines; packages spec and cmdline do.
package goflag

import (
	"strings"

	"github.com/seed-1318a441/assay"
)

// A Flag is a flag that go test knows.
type Flag struct {
	// Value is true if the flag takes one, which may be the next argument.
	Value bool
	To    Destination
}

// A Destination says what becomes of a flag of go test.
type Destination int

const (
	ToAssay Destination = iota // has a place of its own in the study
	ToTest                     // goes to the test binary
	ToBuild                    // goes to the build of every variant
	Owned                      // is refused: assay does it, or it would spoil the measurement
)

// Known has the flags of "go help test", "testflag" and "build", go1.24 to go1.27.
var Known = map[string]Flag{
	"bench": {true, ToAssay}, "benchtime": {true, ToAssay}, "benchmem": {false, ToAssay}, "run": {true, ToAssay},
	"cpu": {true, ToAssay}, "timeout": {true, ToAssay},

	"short": {false, ToTest}, "v": {false, ToTest}, "failfast": {false, ToTest}, "fullpath": {false, ToTest},
	"parallel": {true, ToTest}, "skip": {true, ToTest}, "shuffle": {true, ToTest},

	"race": {false, ToBuild}, "msan": {false, ToBuild}, "asan": {false, ToBuild}, "trimpath": {false, ToBuild},
	"linkshared": {false, ToBuild}, "modcacherw": {false, ToBuild}, "a": {false, ToBuild}, "x": {false, ToBuild},
	"tags": {true, ToBuild}, "mod": {true, ToBuild}, "modfile": {true, ToBuild}, "overlay": {true, ToBuild},
	"gcflags": {true, ToBuild}, "ldflags": {true, ToBuild}, "asmflags": {true, ToBuild}, "gccgoflags": {true, ToBuild},
	"compiler": {true, ToBuild}, "buildmode": {true, ToBuild}, "buildvcs": {false, ToBuild}, "installsuffix": {true, ToBuild},
	"pkgdir": {true, ToBuild}, "toolexec": {true, ToBuild}, "pgo": {true, ToBuild}, "vet": {true, ToBuild}, "p": {true, ToBuild},

	"count": {true, Owned}, "o": {true, Owned}, "c": {false, Owned}, "exec": {true, Owned}, "json": {false, Owned},
	"cpuprofile": {true, Owned}, "memprofile": {true, Owned}, "memprofilerate": {true, Owned}, "blockprofile": {true, Owned},
	"blockprofilerate": {true, Owned}, "mutexprofile": {true, Owned}, "mutexprofilefraction": {true, Owned}, "trace": {true, Owned},
	"outputdir": {true, Owned}, "artifacts": {false, Owned}, "fuzz": {true, Owned}, "fuzztime": {true, Owned},
	"fuzzminimizetime": {true, Owned}, "fuzzcachedir": {true, Owned}, "list": {true, Owned}, "C": {true, Owned}, "n": {false, Owned},
	"cover": {false, Owned}, "covermode": {true, Owned}, "coverpkg": {true, Owned}, "coverprofile": {true, Owned},
}

// Refusal says why assay refuses an owned flag, and returns the code of the error.
func Refusal(name string) (code assay.Code, text string) {
	flag := "go test -" + name
	switch name {
	case "count":
		return assay.CodeOwnsCount, flag + " repeats one variant in a row; assay interleaves instead"
	case "cpuprofile", "memprofile", "memprofilerate", "blockprofile", "blockprofilerate", "mutexprofile", "mutexprofilefraction", "trace":
		return assay.CodeOwnsProfile, flag + " slows the trials down; assay keeps profiles apart from what it measures"
	case "cover", "covermode", "coverpkg", "coverprofile":
		return assay.CodeOwnsCover, flag + " adds counters to the code; they would be measured too"
	case "fuzz", "fuzztime", "fuzzminimizetime", "fuzzcachedir":
		return assay.CodeOwnsFuzz, flag + " is for fuzzing; assay runs benchmarks only"
	case "o", "c", "n":
		return assay.CodeOwnsBuild, flag + " builds without running; assay builds every variant itself"
	case "exec":
		return assay.CodeOwnsExec, flag + " puts a program between assay and the benchmark; assay starts the benchmark itself"
	case "C":
		return assay.CodeOwnsDir, flag + " changes the folder; assay measures the one it is started in"
	case "list":
		return assay.CodeOwnsList, flag + " runs nothing; assay plan lists the benchmarks"
	}
	return assay.CodeOwnsOutput, flag + " changes what goes where; assay keeps the output itself"
}

// Cut splits "-name=value", with one dash or two, and with "test." or without.
func Cut(arg string) (name, value string, hasValue bool) {
	arg = strings.TrimPrefix(strings.TrimPrefix(arg, "-"), "-")
	name, value, hasValue = strings.Cut(arg, "=")
	return strings.TrimPrefix(name, "test."), value, hasValue
}

// Join returns a flag as one argument, the opposite of Cut.
func Join(name, value string, hasValue bool) string {
	if !hasValue {
		return "-" + name
	}
	return "-" + name + "=" + value
}

// Without returns args without a flag that takes a value.
func Without(args []string, name string) []string {
	var out []string
	for i := 0; i < len(args); i++ {
		n, _, hasValue := Cut(args[i])
		switch {
		case n != name || !strings.HasPrefix(args[i], "-"):
			out = append(out, args[i])
		case !hasValue:
			i++
		}
	}
	return out
}
