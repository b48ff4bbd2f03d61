package hub

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/nats-io/nkeys"

	"github.com/seed-1318a441/assay/internal/printable"
)

// A Conn is a member's connection to a hub. It connects again by itself, for ever.
type Conn struct {
	*nats.Conn
	JS   jetstream.JetStream
	Join Join
}

// reconnectEvery is the wait between attempts to reach a hub that is away.
const reconnectEvery = time.Second

// Connect connects a member. With patient set it does not fail where no server answers,
// but waits until one does. say gets what goes wrong later, such as what the hub refuses.
func Connect(j Join, patient bool, say func(string)) (*Conn, error) {
	kp, err := nkeys.FromSeed([]byte(j.Seed))
	if err != nil {
		return nil, fmt.Errorf("read key: %w", err)
	}
	defer kp.Wipe()
	public, err := kp.PublicKey()
	if err != nil {
		return nil, fmt.Errorf("read key: %w", err)
	}
	options := []nats.Option{nats.Name(string(j.Role) + " " + j.Name), nats.Nkey(public, signer([]byte(j.Seed))), nats.CustomInboxPrefix(inboxPrefix(j.Name)),
		nats.MaxReconnects(-1), nats.ReconnectWait(reconnectEvery), nats.RetryOnFailedConnect(patient), nats.Timeout(10 * time.Second),
		nats.PingInterval(20 * time.Second), nats.MaxPingsOutstanding(2), nats.IgnoreAuthErrorAbort(), nats.PermissionErrOnSubscribe(true),
		nats.ErrorHandler(func(_ *nats.Conn, _ *nats.Subscription, err error) { say("assay: the hub: " + explain(err)) })}
	if strings.HasPrefix(strings.Join(j.URLs, " "), "tls:") {
		c := &tls.Config{MinVersion: tls.VersionTLS13}
		if j.CA != "" {
			c.RootCAs = x509.NewCertPool()
			c.RootCAs.AppendCertsFromPEM([]byte(j.CA))
		}
		options = append(options, nats.Secure(c))
	}
	nc, err := nats.Connect(strings.Join(j.URLs, ","), options...)
	if err != nil {
		return nil, err
	}
	js, err := jetstream.New(nc)
	if err != nil {
		nc.Close()
		return nil, err
	}
	return &Conn{Conn: nc, JS: js, Join: j}, nil
}

// explain says of an error of the hub what it means: a denied publish would look like a
// time-out to who waits for its answer.
func explain(err error) string {
	if errors.Is(err, nats.ErrPermissionViolation) {
		return "permission denied: " + printable.OneLine(err)
	}
	return printable.OneLine(err)
}

// sign signs data with a seed.
func sign(seed, data []byte) ([]byte, error) {
	kp, err := nkeys.FromSeed(seed)
	if err != nil {
		return nil, fmt.Errorf("read key: %w", err)
	}
	defer kp.Wipe()
	return kp.Sign(data)
}

// Bound returns a context that ends after the time that one answer of a hub may take.
func Bound(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeout(ctx, answerTime)
}

// answerTime is how long a hub may take to answer. Elections of a cluster take 5 to 7 s.
const answerTime = 10 * time.Second
