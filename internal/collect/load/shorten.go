package load

import (
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

// A timeFlag is how a load generator is told how long to run.
type timeFlag struct {
	long, short string // without a value; short may have its value joined on
	// unit is what is written behind the number of seconds.
	unit string
	// joined says that the long one has its value behind "=" only.
	joined bool
}

// timeFlags are those of the load generators that know how to run for a second: they need
// no time to find out what they can do, as wrk2 does, and no script of stages, as k6. By
// the name of the format, which is that of the program.
var timeFlags = map[string]timeFlag{
	"ghz":      {long: "--duration", short: "-z", unit: "s"},
	"hey":      {short: "-z", unit: "s"},
	"oha":      {short: "-z", unit: "s"},
	"pgbench":  {long: "--time", short: "-T"},
	"sysbench": {long: "--time", joined: true},
	"wrk":      {long: "--duration", short: "-d", unit: "s"},
}

// Shorten is the command line of a load generator with another running time, in whole
// seconds, and the time that it has now. It is not ok where the program or its time is
// not known: it runs for a number of requests, say.
func Shorten(format string, line []string, to time.Duration) (short []string, now time.Duration, ok bool) {
	flag, known := timeFlags[format]
	if !known || filepath.Base(line[0]) != format || warmsUp(format, line) {
		return nil, 0, false
	}
	want := strconv.Itoa(int(to/time.Second)) + flag.unit
	for i, word := range line[1:] {
		before, next := line[:i+1], line[i+2:]
		value, prefix := "", ""
		switch {
		case flag.long != "" && strings.HasPrefix(word, flag.long+"="):
			prefix, value = flag.long+"=", word[len(flag.long)+1:]
		case flag.short != "" && strings.HasPrefix(word, flag.short+"="):
			prefix, value = flag.short+"=", word[len(flag.short)+1:]
		case (word == flag.short || word == flag.long && !flag.joined) && word != "" && len(next) > 0:
			value = next[0]
			if now, ok = runningTime(value); ok {
				return slices.Concat(before, []string{word, want}, next[1:]), now, true
			}
		case flag.short != "" && strings.HasPrefix(word, flag.short):
			prefix, value = flag.short, word[len(flag.short):]
		default:
			continue
		}
		if now, ok = runningTime(value); ok {
			return slices.Concat(before, []string{prefix + want}, next), now, true
		}
	}
	return nil, 0, false
}

// warmsUp reports whether a program warms up before each of its runs.
func warmsUp(format string, line []string) bool {
	return format == "sysbench" && slices.ContainsFunc(line, func(word string) bool { return strings.HasPrefix(word, "--warmup-time=") })
}

// runningTime reads a number of seconds, or a time with a unit.
func runningTime(s string) (time.Duration, bool) {
	if n, err := strconv.Atoi(s); err == nil && n > 0 && n < 1e6 {
		return time.Duration(n) * time.Second, true
	}
	d, err := time.ParseDuration(s)
	return d, err == nil && d > 0
}
