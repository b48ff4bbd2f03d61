package httpload

import (
	"context"
	"fmt"
	"io"
	"net/http"

	"github.com/seed-1318a441/assay"
)

const (
	// maxBody bounds what is read of one answer, in bytes. Answers are read to
	// their end, so that the connection can be used again, and kept nowhere.
	maxBody = 1 << 30
	// maxHeader bounds the headers of an answer, in bytes.
	maxHeader = 1 << 20
	// maxRedirects are followed, as net/http has it.
	maxRedirects = 10
)

// newClient makes a client that goes straight to the host of the URL: past
// proxies of the environment, and to no other host that an answer points to. Its
// requests end when ctx does.
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

// A bounded transport ends requests with ctx, and answers that are longer than
// the limit.
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

// CloseIdleConnections is what http.Client looks for.
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
