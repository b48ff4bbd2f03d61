package load

import (
	"bufio"
	"errors"
	"fmt"

	"github.com/seed-1318a441/assay/internal/collect"
	"github.com/seed-1318a441/assay/internal/printable"
)

// readBenchfmt reads Go benchmark text of one benchmark. Each unit is a metric, ns/op as
// sec/op; of several lines it returns the mean. Requests are the iterations.
func readBenchfmt(src *bufio.Reader) (Result, error) {
	out, err := collect.GoBench(src, 1)
	switch {
	case err != nil:
		return Result{}, fmt.Errorf("cannot be read: %w", err)
	case len(out.Failures) > 0:
		return Result{}, errors.New("says " + out.Failures[0])
	case len(out.Readings) == 0:
		return Result{}, errors.New("has no line of a benchmark")
	}
	return meanOf(out.Readings)
}

func meanOf(readings []collect.Reading) (Result, error) {
	r := Result{Metrics: map[string]float64{}}
	seen := map[string]int{}
	for _, reading := range readings {
		if reading.Name != readings[0].Name {
			return Result{}, fmt.Errorf("has two benchmarks, %q and %q",
				printable.Brief(readings[0].Name), printable.Brief(reading.Name))
		}
		r.Requests += min(reading.N, maxRequests-r.Requests)
		for metric, v := range reading.Values {
			seen[metric]++
			r.Metrics[metric] += (v - r.Metrics[metric]) / float64(seen[metric])
		}
	}
	return r, nil
}
