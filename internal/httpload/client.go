package httpload

import (
	"context"
	"fmt"
	"io"
	"net/http"

	"github.com/seed-1318a441/assay"
)

const (
	// maxBody is the maximum length of an answer in bytes. Answers are read to their end,
	// so that the connection can be used again, and not kept.
	maxBody = 1 << 30
	// maxHeader is the maximum length of an answer's headers in bytes.
	maxHeader = 1 << 20
	// maxRedirects are followed, as by net/http.
	maxRedirects = 10
)

// newClient makes a client that connects directly to the host of the URL: it ignores
// proxies of the environment and redirects to other hosts. Its requests end when ctx
// does.
func newClient(ctx context.Context, h assay.HTTPLoad) *http.Client {
	return &http.Client{
		Timeout: h.Timeout,
		Transport: bounded{ctx: ctx, limit: maxBody, next: &http.Transport{
			MaxIdleConns: h.Connections, MaxIdleConnsPerHost: h.Connections, MaxConnsPerHost: h.Connections,
			MaxResponseHeaderBytes: maxHeader,
			// Unpacking would be the load generator's work.
			DisableCompression: true,
			ForceAttemptHTTP2:  true,
		}},
		CheckRedirect: func(r *http.Request, via []*http.Request) error {
			if r.URL.Host != via[0].URL.Host || len(via) > maxRedirects {
				return http.ErrUseLastResponse // then that is the answer
			}
			return nil
		},
	}
}

// A bounded transport ends requests with ctx, and answers longer than the limit.
type bounded struct {
	ctx   context.Context
	limit int64
	next  *http.Transport
}

// RoundTrip implements http.RoundTripper.
func (b bounded) RoundTrip(r *http.Request) (*http.Response, error) {
	ctx, cancel := context.WithCancel(r.Context())
	unhook := context.AfterFunc(b.ctx, cancel)
	done := func() { unhook(); cancel() }
	resp, err := b.next.RoundTrip(r.WithContext(ctx))
	if err != nil {
		done()
		return nil, err
	}
	resp.Body = &body{ReadCloser: resp.Body, left: b.limit, done: done}
	return resp, nil
}

// CloseIdleConnections is for http.Client.
func (b bounded) CloseIdleConnections() { b.next.CloseIdleConnections() }

// A body fails after a number of bytes.
type body struct {
	io.ReadCloser
	left int64
	done func()
}

// Read implements io.Reader.
func (b *body) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if b.left -= int64(n); b.left < 0 {
		return n, fmt.Errorf("answer has more than %d bytes", maxBody)
	}
	return n, err
}

// Close implements io.Closer.
func (b *body) Close() error {
	defer b.done()
	return b.ReadCloser.Close()
}
