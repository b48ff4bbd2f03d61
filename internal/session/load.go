package session

import (
	"context"
	"fmt"
	"time"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/collect/load"
	"github.com/seed-1318a441/assay/internal/httpload"
	"github.com/seed-1318a441/assay/internal/sheet"
)

// Load sends a load, and returns its result and why requests failed. If no request
// succeeds, that is an error.
func Load(ctx context.Context, h assay.HTTPLoad) (r load.Result, failed []string, err error) {
	if err := httpload.Check(h); err != nil {
		return r, nil, assay.UsageError(assay.CodeFlags, err.Error(), "assay load --help")
	}
	r, failures, err := httpload.Run(ctx, h)
	for _, f := range failures {
		failed = append(failed, fmt.Sprintf("%d failed: %s", f.N, f.Text))
	}
	if err == nil && r.Requests == 0 {
		err = assay.NewError(assay.ExitBuild, assay.CodeLoad, fmt.Sprintf("none of %d requests to %s succeeded", r.Errors, h.URL), failed, "")
	}
	return r, failed, err
}

// arrivalsText is "Poisson arrivals; --seed=42 repeats them".
func arrivalsText(r load.Result) string {
	if r.Arrivals == assay.ArrivalsPoisson {
		return fmt.Sprintf("%s; --seed=%d repeats them", r.Arrivals.Text(), r.Seed)
	}
	return r.Arrivals.Text()
}

// LoadLines returns the result of a load as text, with the reasons of its failures.
func LoadLines(r load.Result, failures []string) []string {
	n := r.Requests + r.Errors
	lines := []string{fmt.Sprintf("%d requests in %v, %d failed; %.1f a second of %g", n, time.Duration(r.Seconds*float64(time.Second)), r.Errors, r.Rate, r.Intended), arrivalsText(r)}
	for _, f := range failures {
		lines = append(lines, "  "+f)
	}
	if answered := r.Rate * float64(n) / float64(r.Requests); answered < assay.LeastAttained*r.Intended {
		lines = append(lines, "the server did not keep up: latency is that of the queue; lower the rate")
	}
	lines = append(lines, "latency, from when a request was due")
	values := r.Observations()
	for _, q := range assay.Quantiles {
		m := assay.Metric{Name: q.Metric()}
		text := sheet.TooFew(r.Latency.Beyond(q.P))
		if v, ok := values[m.Name]; ok {
			text = sheet.Value(m, v, 0)
		}
		lines = append(lines, fmt.Sprintf("  %-8s %s", "p"+q.Name, text))
	}
	if last := len(r.Latency.Values) - 1; last >= 0 {
		lines = append(lines, fmt.Sprintf("  %-8s %s", "longest", sheet.Value(assay.Metric{Name: assay.Quantiles[0].Metric()}, r.Latency.Values[last], 0)))
	}
	return lines
}
