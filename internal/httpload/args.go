package httpload

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"time"

	"github.com/seed-1318a441/assay"
)

// Args returns the arguments with which "assay load" does h and prints its result as
// JSON.
func Args(h assay.HTTPLoad) []string {
	args := []string{"load", "--json", "--rate=" + strconv.FormatFloat(h.Rate, 'g', -1, 64), "--duration=" + h.Duration.String(),
		"--arrivals=" + h.Arrivals.String()}
	if h.Arrivals == assay.ArrivalsPoisson {
		args = append(args, "--seed="+strconv.FormatUint(cmp.Or(h.Seed, 1), 10))
	}
	for _, d := range []struct {
		flag  string
		value time.Duration
	}{{"--warmup=", h.Warmup}, {"--timeout=", h.Timeout}} {
		if d.value > 0 {
			args = append(args, d.flag+d.value.String())
		}
	}
	if h.Connections > 0 {
		args = append(args, "--connections="+strconv.Itoa(h.Connections))
	}
	if h.Method != "" {
		args = append(args, "--method="+h.Method)
	}
	if h.Body != "" {
		args = append(args, "--body="+h.Body)
	}
	for _, name := range slices.Sorted(maps.Keys(h.Headers)) {
		args = append(args, "--header="+name+":"+h.Headers[name])
	}
	// A URL that begins with a dash is no flag.
	return append(args, "--", h.URL)
}
