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

// A runVariable is one that the Go runtime reads when a program starts.
type runVariable struct {
	name string
	// accepted says what the values are, and otherwise what becomes of others.
	accepted, otherwise string
	// ok reports whether the runtime takes a value for what it says. Nil leaves it to
	// somebody else: CheckGODEBUG asks the toolchain, GORACE is the race detector's.
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

// CheckRunVariable returns an error where the Go runtime would not take a value of one
// of its variables for what it says: a GOGC of "1OO" is passed over without a word.
// The error follows the value in a sentence. No value at all is no setting.
func CheckRunVariable(name, value string) error {
	i := slices.IndexFunc(runVariables, func(v runVariable) bool { return v.name == name })
	if i < 0 || value == "" || runVariables[i].ok == nil || runVariables[i].ok(value) {
		return nil
	}
	v := runVariables[i]
	return fmt.Errorf("is no value of %s, which is %s: %s", name, v.accepted, v.otherwise)
}

var digits = regexp.MustCompile(`^[0-9]+$`)

// isInt32 reports whether a text is a plain number of 32 bits, from least on. The
// runtime takes a sign, too; a GOGC below 0 means off, which is written so.
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
