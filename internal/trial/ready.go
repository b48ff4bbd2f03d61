package trial

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"regexp"
	"time"

	assay "github.com/seed-1318a441/assay"
)

// A server is probed often at first, then less and less: a probe costs it little and is
// not measured.
const (
	pollFirst = 20 * time.Millisecond
	pollLast  = 200 * time.Millisecond
	// probeTimeout is the time limit of one probe.
	probeTimeout = 10 * time.Second
)

// A probe checks once whether a server is ready; the error says why not.
type probe func(context.Context) error

// newProbe makes the probe of r, for a server that listens on port. The probe is nil if a
// line of the log shows readiness; line is its expression.
func newProbe(r assay.Ready, port int) (p probe, line *regexp.Regexp, err error) {
	switch {
	case r.TCP != "":
		return dial(r.TCP), nil, nil
	case r.HTTP != "":
		return get(r.HTTP), nil, nil
	case r.Log != "":
		line, err := regexp.Compile(r.Log)
		if err != nil {
			return nil, nil, fmt.Errorf("ready.log: %w", err)
		}
		return nil, line, nil
	case port == 0:
		return nil, nil, errors.New("ready: there is nothing to wait for: set tcp, http or log, or use {port}")
	}
	return dial(address(port)), nil, nil
}

// dial is ready when a connection is accepted.
func dial(addr string) probe {
	var d net.Dialer
	return func(ctx context.Context) error {
		conn, err := d.DialContext(ctx, "tcp", addr)
		if err != nil {
			return fmt.Errorf("nothing accepts connections on %s", addr)
		}
		return conn.Close()
	}
}

// get is ready when the answer has a status below 400. It does not follow redirections,
// which count as ready.
func get(url string) probe {
	client := &http.Client{
		Transport:     &http.Transport{DisableKeepAlives: true},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	return func(ctx context.Context) error {
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
		if err != nil {
			return err
		}
		resp, err := client.Do(req)
		if err != nil {
			return fmt.Errorf("nothing answers at %s", url)
		}
		_ = resp.Body.Close()
		if resp.StatusCode >= 400 {
			return fmt.Errorf("%s answers with status %d", url, resp.StatusCode)
		}
		return nil
	}
}

// poll probes until the server is ready or ctx ends; the error is that of the last probe.
func (p probe) poll(ctx context.Context) error {
	var last error
	for pause := pollFirst; ; pause = min(pause*3/2, pollLast) {
		one, cancel := context.WithTimeout(ctx, probeTimeout)
		err := p(one)
		cancel()
		if err == nil {
			return nil
		}
		if ctx.Err() == nil || last == nil {
			last = err // an answer cut short by the end of ctx is meaningless
		}
		select {
		case <-ctx.Done():
			return last
		case <-time.After(pause):
		}
	}
}

// awaitReady waits until the server is ready. The reason says why it is not, unless ctx
// or the server has ended.
func awaitReady(ctx context.Context, r assay.Ready, p probe, log *serverLog) (reason string) {
	within := cmp.Or(r.Within, assay.DefaultReadyWithin)
	ctx, cancel := context.WithTimeout(ctx, within)
	defer cancel()
	if p == nil {
		select {
		case <-log.matched:
			return ""
		case <-ctx.Done():
			return fmt.Sprintf("never ready: no line of its output matches %q after %v", r.Log, within)
		}
	}
	if err := p.poll(ctx); err != nil {
		return fmt.Sprintf("never ready: %v after %v", err, within)
	}
	return ""
}
