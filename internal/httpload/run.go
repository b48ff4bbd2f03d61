package httpload

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"net/http"
	"net/url"
	"time"

	vegeta "github.com/tsenart/vegeta/v12/lib"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/collect/load"
)

const (
	// maxRequests limits a load to what load.Parse accepts.
	maxRequests = math.MaxInt32
	// maxPoisson limits Poisson arrivals, which are drawn beforehand, to 1 GB.
	maxPoisson = 1 << 26
)

// Run does the load and returns what it measured: the requests due in h.Duration, which
// begins after h.Warmup. A request fails without an answer within the timeout, counted
// from when it was sent, or with a status from 400. Latency has the successful ones, and
// those that ran into the timeout with the time that they waited: without these a server
// that hangs would look fast.
//
// The error is one of the load itself, such as an invalid URL, or of ctx. If the server
// is absent all requests fail, and the Failures say why.
func Run(ctx context.Context, h assay.HTTPLoad) (load.Result, []Failure, error) {
	if err := Check(h); err != nil {
		return load.Result{}, nil, err
	}
	h.Connections = cmp.Or(h.Connections, vegeta.DefaultConnections)
	h.Timeout = cmp.Or(h.Timeout, vegeta.DefaultTimeout)
	target, err := target(h)
	if err != nil {
		return load.Result{}, nil, err
	}
	client := newClient(ctx, h)
	defer client.CloseIdleConnections()
	// Requests beyond the connections wait in the attacker for a free one, which costs
	// nothing; their latency counts from when they were due all the same.
	workers := uint64(h.Connections)
	attacker := vegeta.NewAttacker(vegeta.Client(client), vegeta.Workers(min(vegeta.DefaultWorkers, workers)),
		vegeta.MaxWorkers(workers), vegeta.MaxBody(0))
	defer attacker.Stop()

	s := newSchedule(h, time.Now())
	t := tally{schedule: s, timeout: h.Timeout, latency: histogram{}}
	for r := range attacker.Attack(vegeta.NewStaticTargeter(target), pacer{ctx, s}, 0, "") {
		t.add(r)
	}
	if ctx.Err() != nil {
		return load.Result{}, nil, fmt.Errorf("load %s: %w", h.URL, ctx.Err())
	}
	return t.result(h), t.allFailures(), nil
}

// Check returns an error for an impossible load, as Run does.
func Check(h assay.HTTPLoad) error {
	u, err := url.Parse(h.URL)
	total := h.Rate * (h.Duration + h.Warmup).Seconds()
	switch {
	case err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "":
		return fmt.Errorf("load %q: it is not a URL such as http://127.0.0.1:8080/", h.URL)
	case !(h.Rate > 0) || math.IsInf(h.Rate, 0):
		return errors.New("load: the rate is not above 0 requests a second")
	case h.Duration <= 0 || h.Warmup < 0 || h.Timeout < 0 || h.Connections < 0:
		return errors.New("load: the duration is not above 0, or warm-up, timeout or connections are below it")
	case h.Rate*h.Duration.Seconds() < 1:
		return fmt.Errorf("load: at %g requests a second none is due in %v", h.Rate, h.Duration)
	case total > maxRequests:
		return fmt.Errorf("load: %.3g requests are more than %d", total, maxRequests)
	case total > maxPoisson && h.Arrivals == assay.ArrivalsPoisson:
		return fmt.Errorf("load: %.3g requests are more than the %d of Poisson arrivals; even arrivals can be more", total, maxPoisson)
	}
	_, err = target(h)
	return err
}

// target returns the request, which is always the same.
func target(h assay.HTTPLoad) (vegeta.Target, error) {
	t := vegeta.Target{Method: cmp.Or(h.Method, http.MethodGet), URL: h.URL, Body: []byte(h.Body), Header: http.Header{}}
	for name, value := range h.Headers {
		t.Header.Set(name, value)
	}
	if _, err := t.Request(); err != nil {
		return t, fmt.Errorf("load %s: %w", h.URL, err)
	}
	return t, nil
}
