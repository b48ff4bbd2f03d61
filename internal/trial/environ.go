package trial

import (
	"maps"
	"runtime"
	"slices"
	"strconv"
	"strings"

	assay "github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/knobs"
)

// notPassedOn are the variables of the Go runtime, and PWD, the shell's folder, which
// differs from the trial's. A trial gets them only from its variant, never from assay's
// own environment.
var notPassedOn = append(knobs.RunVariables(), "PWD")

// Environ returns the environment of a trial, sorted: base, such as os.Environ, without
// the variables of the Go runtime; GOMAXPROCS; and the variant's own variables, which
// have priority.
func Environ(base []string, procs int, env map[string]string) []string {
	all := map[string]string{}
	for _, kv := range base {
		// Windows has names that begin with "=".
		if i := strings.IndexByte(kv, '='); i > 0 && !isRunVariable(kv[:i]) {
			all[kv[:i]] = kv[i+1:]
		}
	}
	all["GOMAXPROCS"] = strconv.Itoa(procs)
	for name, value := range env {
		if runtime.GOOS == "windows" {
			maps.DeleteFunc(all, func(k, _ string) bool { return strings.EqualFold(k, name) })
		}
		all[name] = value
	}
	list := make([]string, 0, len(all))
	for name, value := range all {
		list = append(list, name+"="+value)
	}
	slices.Sort(list)
	return list
}

func isRunVariable(name string) bool {
	if runtime.GOOS == "windows" {
		name = strings.ToUpper(name)
	}
	return slices.Contains(notPassedOn, name)
}

// Procs returns a variant's GOMAXPROCS: its own, else the study's, else the number of
// CPUs that this process may use.
func Procs(m assay.Measure, v assay.Variant) int {
	// The Go runtime ignores a value that is not a positive number.
	if n, err := strconv.Atoi(v.Env["GOMAXPROCS"]); err == nil && n > 0 {
		return n
	}
	if m.GOMAXPROCS > 0 {
		return m.GOMAXPROCS
	}
	return runtime.NumCPU()
}
