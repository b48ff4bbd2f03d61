package assay

import (
	"strconv"
	"strings"
	"time"
)

// rateFlags are the flags with which load generators, by the format of their result, get
// the rate of requests. A rate that a k6 script sets is unknown.
var rateFlags = map[string][]string{
	"ghz": {"--rps", "-r"}, "hey": {"-q"}, "k6": {"--rps"}, "oha": {"-q"}, "pgbench": {"--rate", "-R"},
	"sysbench": {"--rate"}, "vegeta": {"-rate", "--rate"}, "wrk2": {"--rate", "-R"},
}

// FixedRate reports whether the load has a rate of its own, which it attains with every
// server that keeps up: tx/s is a condition then and no result. rate is in requests per
// second; 0 is unknown.
func (s *Service) FixedRate() (rate float64, fixed bool) {
	if s.HTTP != nil {
		return s.HTTP.Rate, true
	}
	words := strings.Fields(strings.Join(s.Load, " ")) // a shell's line is one argument
	for i, word := range words {
		for _, flag := range rateFlags[s.Parse] {
			value, ok := strings.CutPrefix(word, flag)
			if value == "" && i+1 < len(words) {
				value = words[i+1]
			}
			if rate, valid := perSecond(strings.TrimPrefix(value, "=")); ok && valid {
				if s.Parse == "hey" {
					return 0, true // its rate is that of each worker
				}
				return rate, true
			}
		}
	}
	return 0, false
}

// perSecond parses a rate above 0, such as "500" or vegeta's "30000/1m".
func perSecond(s string) (rate float64, ok bool) {
	n, per, _ := strings.Cut(strings.Trim(s, `'";|`), "/")
	rate, err := strconv.ParseFloat(n, 64)
	if err != nil || !(rate > 0 && rate <= 1e9) {
		return 0, false
	}
	if per == "" {
		return rate, true
	}
	d, err := time.ParseDuration(per)
	if err != nil {
		d, err = time.ParseDuration("1" + per)
	}
	return rate / d.Seconds(), err == nil && d > 0
}

// FixesRate reports whether all services of the study have loads with a fixed rate.
func (s *Study) FixesRate() bool {
	for _, w := range s.Workloads {
		if w.Service == nil {
			return false
		}
		if _, fixed := w.Service.FixedRate(); !fixed {
			return false
		}
	}
	return len(s.Workloads) > 0
}
