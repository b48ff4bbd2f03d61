package hub

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
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

// ErrUnknownKey means that the hub does not know the key of the member.
var ErrUnknownKey = errors.New("the hub does not know the key")

// reconnectEvery is the wait between attempts to reach a hub that is away.
const reconnectEvery = time.Second

// Connect connects a member. With patient set it does not fail where no server answers,
// but waits until one does. say gets what goes wrong later, such as what the hub refuses.
func Connect(j Join, patient bool, say func(string)) (*Conn, error) {
	public, err := publicKey([]byte(j.Seed))
	if err != nil {
		return nil, err
	}
	said := &saying{to: say}
	options := []nats.Option{nats.Name(string(j.Role) + " " + j.Name), nats.Nkey(public, signer([]byte(j.Seed))), nats.CustomInboxPrefix(inboxPrefix(j.Name)),
		nats.MaxReconnects(-1), nats.ReconnectWait(reconnectEvery), nats.RetryOnFailedConnect(patient), nats.Timeout(10 * time.Second),
		nats.PingInterval(20 * time.Second), nats.MaxPingsOutstanding(2), nats.IgnoreAuthErrorAbort(), nats.PermissionErrOnSubscribe(true),
		nats.ErrorHandler(func(_ *nats.Conn, _ *nats.Subscription, err error) { said.say("assay: the hub: " + refused(err, j)) })}
	if strings.HasPrefix(strings.Join(j.URLs, " "), "tls:") {
		c := &tls.Config{MinVersion: tls.VersionTLS13}
		if j.CA != "" {
			c.RootCAs = x509.NewCertPool()
			c.RootCAs.AppendCertsFromPEM([]byte(j.CA))
		}
		options = append(options, nats.Secure(c))
	}
	nc, err := nats.Connect(strings.Join(j.URLs, ","), options...)
	if errors.Is(err, nats.ErrAuthorization) {
		err = ErrUnknownKey
	}
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

// A saying says what goes wrong, but not the same again and again: a member whom the hub
// refuses connects every second.
type saying struct {
	to func(string)

	mu   sync.Mutex
	last string
	at   time.Time
}

// sayAgain is how long something goes on until it is said again.
const sayAgain = time.Hour

func (s *saying) say(text string) {
	s.mu.Lock()
	old := text == s.last && time.Since(s.at) < sayAgain
	if !old {
		s.last, s.at = text, time.Now()
	}
	s.mu.Unlock()
	if !old {
		s.to(text)
	}
}

// explain says of an error of the hub what it means: a denied publish would look like a
// time-out to who waits for its answer.
func explain(err error) string {
	if errors.Is(err, nats.ErrPermissionViolation) {
		return "permission denied: " + printable.OneLine(err)
	}
	return printable.OneLine(err)
}

// refused is explain for a member that was connected.
func refused(err error, j Join) string {
	if errors.Is(err, nats.ErrAuthorization) {
		return fmt.Sprintf("it does not know the key of %s; a new one comes from: assay hub add %s %[1]s   on the hub's computer", j.Name, j.Role)
	}
	return explain(err)
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
const answerTime = 5 * time.Second

// ErrNotFound means that a stream has nothing on a subject.
var ErrNotFound = errors.New("the hub has no such message")

// Get returns the last message on a subject of a stream, and when the hub got it. Of a
// cluster it may be a server that has it a little later than others.
func (c *Conn) Get(ctx context.Context, stream, subject string) (data []byte, at time.Time, err error) {
	ctx, cancel := Bound(ctx)
	defer cancel()
	m, err := c.RequestWithContext(ctx, "$JS.API.DIRECT.GET."+stream+"."+subject, nil)
	if err != nil {
		return nil, at, fmt.Errorf("read from the hub: %w", err)
	}
	switch status := m.Header.Get("Status"); status {
	case "":
	case "404":
		return nil, at, ErrNotFound
	default:
		return nil, at, fmt.Errorf("read from the hub: status %s %s", printable.Line(status, 20), printable.Line(m.Header.Get("Description"), 200))
	}
	at, err = time.Parse(time.RFC3339Nano, m.Header.Get("Nats-Time-Stamp"))
	if err != nil {
		return nil, at, fmt.Errorf("read from the hub: %w", err)
	}
	if m.Header.Get("KV-Operation") != "" { // a key that was deleted
		return nil, at, ErrNotFound
	}
	return m.Data, at, nil
}

// Put publishes on a subject of a stream, and returns when the hub has it on disk.
func (c *Conn) Put(ctx context.Context, subject string, data []byte) error {
	ctx, cancel := Bound(ctx)
	defer cancel()
	_, err := c.JS.Publish(ctx, subject, data)
	return explained(err)
}

// ErrTaken means that a subject has a message already.
var ErrTaken = errors.New("the hub has such a message already")

// Create is Put where there must be nothing on the subject: of several the first one
// wins, the others get ErrTaken.
func (c *Conn) Create(ctx context.Context, subject string, data []byte) error {
	ctx, cancel := Bound(ctx)
	defer cancel()
	_, err := c.JS.Publish(ctx, subject, data, jetstream.WithExpectLastSequencePerSubject(0))
	if e, ok := errors.AsType[*jetstream.APIError](err); ok && e.ErrorCode == jetstream.JSErrCodeStreamWrongLastSequence {
		return ErrTaken
	}
	return explained(err)
}

// Enqueue is Put of a job; ErrTaken means that the ticket has one that is not done yet.
func (c *Conn) Enqueue(ctx context.Context, machine, ticket string, data []byte) error {
	ctx, cancel := Bound(ctx)
	defer cancel()
	_, err := c.JS.Publish(ctx, SubjectJob(machine, ticket), data)
	if e, ok := errors.AsType[*jetstream.APIError](err); ok && e.ErrorCode == tooManyPerSubject {
		return ErrTaken
	}
	return explained(err)
}

// tooManyPerSubject is the error of a stream whose subjects have one message each.
const tooManyPerSubject = 10077

// explained says of an error of a publish what it means.
func explained(err error) error {
	var e *jetstream.APIError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &e) && (e.ErrorCode == 10047 || e.ErrorCode == 10023 || strings.Contains(e.Description, "no space left")):
		return fmt.Errorf("the hub's disk is full: %w", err)
	case errors.Is(err, nats.ErrMaxPayload):
		return fmt.Errorf("a message is larger than the hub takes: %w", err)
	}
	return err
}

// SetKey sets a key of a bucket, and DeleteKey removes it.
func (c *Conn) SetKey(ctx context.Context, bucket, key string, value []byte) error {
	return c.Put(ctx, subjectKey(bucket, key), value)
}

// DeleteKey removes a key of a bucket.
func (c *Conn) DeleteKey(ctx context.Context, bucket, key string) error {
	ctx, cancel := Bound(ctx)
	defer cancel()
	_, err := c.JS.PublishMsg(ctx, &nats.Msg{Subject: subjectKey(bucket, key), Header: nats.Header{"KV-Operation": {"DEL"}}})
	return explained(err)
}

// noMessage is the error of a stream that has nothing on a subject.
const noMessage = 10037

// Sure is Get, but that the leader decides where the server that answered has nothing: a
// server of a cluster that was away gets what it missed little by little.
func (c *Conn) Sure(ctx context.Context, stream, subject string) (data []byte, at time.Time, err error) {
	data, at, err = c.Get(ctx, stream, subject)
	if errors.Is(err, ErrNotFound) {
		return c.ofLeader(ctx, stream, subject)
	}
	return data, at, err
}

func (c *Conn) ofLeader(ctx context.Context, stream, subject string) (data []byte, at time.Time, err error) {
	ctx, cancel := Bound(ctx)
	defer cancel()
	question, err := json.Marshal(map[string]string{"last_by_subj": subject})
	if err != nil {
		return nil, at, err
	}
	m, err := c.RequestWithContext(ctx, "$JS.API.STREAM.MSG.GET."+stream, question)
	if err != nil {
		return nil, at, fmt.Errorf("read from the hub: %w", err)
	}
	var answer struct {
		Error   *jetstream.APIError
		Message struct {
			Data   []byte
			Header []byte `json:"hdrs"`
			Time   time.Time
		}
	}
	err = json.Unmarshal(m.Data, &answer)
	switch {
	case err != nil:
		return nil, at, fmt.Errorf("read from the hub: %w", err)
	case answer.Error == nil && !bytes.Contains(answer.Message.Header, []byte("KV-Operation")):
		return answer.Message.Data, answer.Message.Time, nil
	case answer.Error == nil || answer.Error.ErrorCode == noMessage:
		return nil, at, ErrNotFound
	}
	return nil, at, fmt.Errorf("read from the hub: %w", answer.Error)
}

// Key returns the value of a key of a bucket, and when it was set.
func (c *Conn) Key(ctx context.Context, bucket, key string) ([]byte, time.Time, error) {
	return c.Sure(ctx, "KV_"+bucket, subjectKey(bucket, key))
}
