package load

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
)

// A k6 reads the summary that k6 writes with --summary-export, or the JSON from
// handleSummary of its script. It has percentiles. If a second file is the table of --out
// csv, all latencies are known. Latency is http_req_duration: sending, waiting and
// receiving, without the time to connect. In the table failed requests count if they
// timed out.
//
// A request fails if http_req_failed counts it, which the script can define. An iteration
// dropped for lack of a virtual user counts as failed, too. A failed check does not;
// "failed-checks/tx" is their number per request.
type k6 struct {
	summary *k6Summary
	table   *requestTable // nil without one
	log     requestLog
}

// A k6Summary has metrics by name. A metric has its values as members, or from
// handleSummary in "values". Times are in milliseconds.
type k6Summary struct {
	Metrics map[string]k6Metric `json:"metrics"`

	// With --new-machine-readable-summary they are in a list under other names; the
	// duration is in seconds.
	Config struct {
		Duration float64 `json:"duration"`
	} `json:"config"`
	Results struct {
		Metrics []k6Named `json:"metrics"`
		Checks  struct {
			Metrics []k6Named `json:"metrics"`
		} `json:"checks"`
	} `json:"results"`
}

// A k6Named is a metric in a list.
type k6Named struct {
	Name   string              `json:"name"`
	Values map[string]*float64 `json:"values"`
}

type k6Metric map[string]any

// values returns the values that are numbers.
func (m k6Metric) values() map[string]*float64 {
	values := map[string]*float64{}
	add := func(members map[string]any) {
		for name, v := range members {
			if f, ok := v.(float64); ok {
				values[name] = &f
			}
		}
	}
	add(m)
	if inner, ok := m["values"].(map[string]any); ok {
		add(inner)
	}
	if v := values["med"]; v != nil {
		values["p(50)"] = v
	}
	return values
}

func (k *k6) file(src *bufio.Reader) error {
	if startsWith(src, "metric_name,") {
		k.table = &requestTable{}
		return eachWholeLine(src, k.line)
	}
	if k.summary != nil {
		return errors.New("has two summaries")
	}
	k.summary = &k6Summary{}
	if err := decodeJSON(src, k.summary); err != nil {
		return err
	}
	k.summary.unlist()
	return nil
}

// unlist gives the metrics of a list their usual names.
func (s *k6Summary) unlist() {
	for _, m := range slices.Concat(s.Results.Metrics, s.Results.Checks.Metrics) {
		if s.Metrics == nil {
			s.Metrics = map[string]k6Metric{}
		}
		values := k6Metric{}
		for name, v := range m.Values {
			if p, ok := strings.CutPrefix(name, "p"); ok {
				name = "p(" + p + ")"
			}
			if v != nil {
				values[name] = *v
			}
		}
		switch n, _ := values["count"].(float64); m.Name {
		case "http_reqs":
			values["rate"] = ratio(n, s.Config.Duration)
		case "http_req_failed":
			values["passes"] = values["matches"]
		case "checks_failed":
			values["fails"], m.Name = values["matches"], "checks"
		}
		s.Metrics[m.Name] = values
	}
}

// k6Timeout is the error_code of a request that timed out.
const k6Timeout = "1050"

// line parses a line of --out csv.
func (k *k6) line(line string) error {
	t := k.table
	if t.columns != nil && !strings.HasPrefix(line, "http_req_duration,") {
		return nil
	}
	ok, err := t.row(line, "timestamp", "metric_value", "expected_response", "error_code")
	if !ok || err != nil {
		return err
	}
	var start, latency float64
	if err := cmp.Or(setNumber(&start, t.cell("timestamp"), seconds), setNumber(&latency, t.cell("metric_value"), milliseconds)); err != nil {
		return err
	}
	switch {
	case t.cell("error_code") == k6Timeout:
		return k.log.add(start, latency, timedOut)
	case t.cell("expected_response") == "true":
		return k.log.add(start, latency, succeeded)
	}
	return k.log.add(start, latency, failed)
}

func (k *k6) result() (Result, error) {
	if k.summary == nil {
		return Result{}, errors.New("has no summary: run k6 with --summary-export=FILE")
	}
	var all, bad, dropped int
	// "passes" is the number of failed requests.
	err := cmp.Or(k.count(&all, "http_reqs", "count"), k.count(&bad, "http_req_failed", "passes"),
		k.count(&dropped, "dropped_iterations", "count"))
	if err != nil {
		return Result{}, err
	}
	if all == 0 && k.summary.Metrics["http_reqs"] == nil {
		return Result{}, errors.New("has no metric http_reqs")
	}
	if bad > all {
		return Result{}, mismatch("%s requests of %s failed", bad, all)
	}
	r := Result{Requests: all - bad, Errors: bad + dropped}
	perSecond := k.number("http_reqs", "rate")
	r.Rate, r.Seconds = perSecond*ratio(float64(r.Requests), float64(all)), ratio(float64(all), perSecond)
	return k.latencies(r, all)
}

// latencies adds the latencies of the summary or the table, and the checks.
func (k *k6) latencies(r Result, all int) (Result, error) {
	var err error
	r.Percentiles, err = namedPercentiles(k.summary.Metrics["http_req_duration"].values(), "p(", ")", milliseconds)
	if err != nil {
		return Result{}, err
	}
	if k.table != nil {
		if n := k.log.requests + k.log.errors; n != all {
			return Result{}, mismatch("the table holds %s requests, the summary %s", n, all)
		}
		r.Latency = k.log.latency.histogram()
	}
	if k.summary.Metrics["checks"] != nil && all > 0 {
		var n int
		if err := k.count(&n, "checks", "fails"); err != nil {
			return Result{}, err
		}
		r.Metrics = map[string]float64{"failed-checks/tx": float64(n) / float64(all)}
	}
	return r, nil
}

// number returns a value of a metric, or 0 if there is none.
func (k *k6) number(metric, value string) float64 {
	if v := k.summary.Metrics[metric].values()[value]; v != nil {
		return *v
	}
	return 0
}

// count stores a value that is a number of requests, which JSON may write with a point,
// or 0 if there is none.
func (k *k6) count(field *int, metric, value string) error {
	v := k.number(metric, value)
	if !(v >= 0 && v <= maxRequests) || v != math.Trunc(v) {
		return fmt.Errorf("has %g where a number of requests belongs", v)
	}
	*field = int(v)
	return nil
}
