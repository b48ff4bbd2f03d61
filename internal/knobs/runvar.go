package knobs

import (
	"fmt"
	"math"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
)

// A runVariable is read by the Go runtime when a program starts.
type runVariable struct {
	name string
	// accepted describes the values, and otherwise what the runtime does with others.
	accepted, otherwise string
	// ok reports whether the runtime accepts a value as it reads. It is nil for GODEBUG,
	// which CheckGODEBUG checks, and for the race detector's GORACE.
	ok func(value string) bool
}

// runVariables are as package runtime of go1.26 reads them: readGOGC and
// readGOMEMLIMIT (mgcpacer.go), schedinit (proc.go), setTraceback (runtime1.go).
var runVariables = []runVariable{
	{"GOGC", `a percentage without its sign, such as 200, or "off"`, "the Go runtime would take 100", func(v string) bool { return v == "off" || isInt32(v, 0) }},
	{"GOMEMLIMIT", `a number of bytes, such as 512MiB, or "off"`, "a Go program would not start", isMemoryLimit},
	{"GOMAXPROCS", "a whole number from 1", "the Go runtime would take all CPUs", func(v string) bool { return isInt32(v, 1) }},
	{"GOTRACEBACK", "none, single, all, system, crash or a number", "the Go runtime would take another", isTraceback},
	{"GODEBUG", "", "", nil},
	{"GORACE", "", "", nil},
	{"GOCOVERDIR", "", "", nil},
}

// RunVariables are the names of the variables that the Go runtime reads.
func RunVariables() []string {
	var out []string
	for _, v := range runVariables {
		out = append(out, v.name)
	}
	return out
}

// CheckRunVariable returns an error if the Go runtime would not accept a value of one of
// its variables: it silently ignores a GOGC of "1OO". The error continues a sentence
// after the value. No value is no setting.
func CheckRunVariable(name, value string) error {
	i := slices.IndexFunc(runVariables, func(v runVariable) bool { return v.name == name })
	if i < 0 || value == "" || runVariables[i].ok == nil || runVariables[i].ok(value) {
		return nil
	}
	v := runVariables[i]
	return fmt.Errorf("is no value of %s, which is %s: %s", name, v.accepted, v.otherwise)
}

var digits = regexp.MustCompile(`^[0-9]+$`)

// isInt32 reports whether a text is a plain 32-bit number of at least least. The runtime
// also accepts a sign; a GOGC below 0 means off, and is written so.
func isInt32(s string, least int64) bool {
	n, err := strconv.ParseInt(s, 10, 32)
	return err == nil && n >= least && digits.MatchString(s)
}

// isMemoryLimit is parseByteCount of package runtime (string.go).
func isMemoryLimit(s string) bool {
	if s == "off" {
		return true
	}
	number, shift := s, 0
	for i, unit := range []string{"KiB", "MiB", "GiB", "TiB"} {
		if rest, ok := strings.CutSuffix(s, unit); ok {
			number, shift = rest, 10*(i+1)
		}
	}
	if shift == 0 {
		number = strings.TrimSuffix(s, "B")
	}
	n, err := strconv.ParseInt(number, 10, 64)
	return err == nil && digits.MatchString(number) && n <= math.MaxInt64>>shift
}

func isTraceback(s string) bool {
	_, err := strconv.ParseUint(s, 10, 32)
	return err == nil || slices.Contains([]string{"none", "single", "all", "system", "crash"}, s) || s == "wer" && runtime.GOOS == "windows"
}
