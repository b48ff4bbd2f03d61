package load

import (
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

// A timeFlag is a load generator's flag for its running time.
type timeFlag struct {
	long, short string // without a value; short may have its value joined on
	// unit follows the number of seconds.
	unit string
	// joined means that the long flag takes its value after "=" only.
	joined bool
}

// timeFlags are those of the load generators that can run for a second: unlike wrk2 they
// need no calibration, and unlike k6 no script of stages. The key is the format, which is
// the program's name.
var timeFlags = map[string]timeFlag{
	"ghz":      {long: "--duration", short: "-z", unit: "s"},
	"hey":      {short: "-z", unit: "s"},
	"oha":      {short: "-z", unit: "s"},
	"pgbench":  {long: "--time", short: "-T"},
	"sysbench": {long: "--time", joined: true},
	"wrk":      {long: "--duration", short: "-d", unit: "s"},
}

// Shorten returns the command line of a load generator with another running time, in
// whole seconds, and its present time. ok is false if the program or its time is unknown,
// for example if it runs for a number of requests.
func Shorten(format string, line []string, to time.Duration) (short []string, now time.Duration, ok bool) {
	flag, known := timeFlags[format]
	warm := func(word string) bool { return strings.HasPrefix(word, "--warmup-time=") } // before each run of sysbench
	if !known || filepath.Base(line[0]) != format || format == "sysbench" && slices.ContainsFunc(line, warm) {
		return nil, 0, false
	}
	want := strconv.Itoa(int(to/time.Second)) + flag.unit
	for i, word := range line[1:] {
		before, next := line[:i+1], line[i+2:]
		if (word == flag.short || word == flag.long && !flag.joined) && word != "" && len(next) > 0 {
			if now, ok = runningTime(next[0]); ok {
				return slices.Concat(before, []string{word, want}, next[1:]), now, true
			}
			continue
		}
		// The short flag may have its value joined on.
		for _, prefix := range []string{flag.long + "=", flag.short + "=", flag.short} {
			value, joined := strings.CutPrefix(word, prefix)
			if !joined || prefix == "=" || prefix == "" {
				continue
			}
			if now, ok = runningTime(value); ok {
				return slices.Concat(before, []string{prefix + want}, next), now, true
			}
		}
	}
	return nil, 0, false
}

// runningTime parses a number of seconds, or a time with a unit.
func runningTime(s string) (time.Duration, bool) {
	if n, err := strconv.Atoi(s); err == nil && n > 0 && n < 1e6 {
		return time.Duration(n) * time.Second, true
	}
	d, err := time.ParseDuration(s)
	return d, err == nil && d > 0
}
