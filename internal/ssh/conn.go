package ssh

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"regexp"
	"sync"
	"sync/atomic"

	"github.com/seed-1318a441/assay/internal/remote/wire"
)

// magic matches the first line of an agent of any version, such as wire.Magic.
var magic = regexp.MustCompile(`assay-agent (\d{1,9})\n`)

// mostNoise is how much a login script may print in front of wire.Magic, in bytes.
const mostNoise = 64 << 10

// A Conn is the stream to the agent on another machine. One goroutine may read while
// another writes.
type Conn struct {
	client *client
	system System
	ssh    *command
	// rest is what came with wire.Magic and has not been read.
	rest   []byte
	closed atomic.Bool
	once   sync.Once
}

// connect starts the agent and reads up to its first line. e is what has been put there.
func (d dialer) connect(ctx context.Context, s System, e executable) (*Conn, error) {
	x, err := d.start(`sh -c 'f="` + binDir + "/" + e.name() + `"; touch -c "$f" 2>/dev/null; exec "$f" agent --stdio'`)
	if err != nil {
		return nil, err
	}
	limited, cancel := context.WithTimeout(ctx, startTime)
	defer cancel()
	stop := context.AfterFunc(limited, x.abort)
	seen, err := readMagic(x.stdout)
	if !stop() && err == nil { // killed, though it had just answered
		err = context.Cause(limited)
	}
	if err == nil {
		at := magic.FindIndex(seen)
		d.logNoise(string(seen[:at[0]]))
		if line := string(seen[at[0]:at[1]]); line != wire.Magic {
			x.end()
			return nil, d.otherProtocol(line)
		}
		return &Conn{client: d.client, system: s, ssh: x, rest: seen[at[1]:]}, nil
	}
	x.end()
	switch {
	case ctx.Err() != nil:
		return nil, fmt.Errorf("connect to %s: %w", d.address.Name(), context.Cause(ctx))
	case limited.Err() != nil:
		return nil, d.tooSlow("start assay there", startTime, x)
	case errors.Is(err, errNoise):
		return nil, d.noisy(seen)
	}
	return nil, d.startFailure(s, e, seen, x)
}

// errNoise says that there was no first line of an agent within mostNoise bytes.
var errNoise = errors.New("no agent")

// readMagic reads until the line of an agent has come, and returns all that it has read.
func readMagic(r io.Reader) ([]byte, error) {
	var seen []byte
	buf := make([]byte, 32<<10)
	for {
		n, err := r.Read(buf)
		seen = append(seen, buf[:n]...)
		if at := magic.FindIndex(seen); at != nil && at[0] <= mostNoise {
			return seen, nil
		}
		if len(seen) > mostNoise+len(wire.Magic) {
			return seen, errNoise
		}
		if err != nil {
			return seen, err
		}
	}
}

// System returns what the machine said of itself. It is empty if the machine starts the
// agent whatever the command (a forced command of sshd).
func (c *Conn) System() System { return c.system }

// Read implements io.Reader. Once the connection is lost the error is an *assay.Error
// [connection-lost]; it is io.EOF if the agent has ended as it should.
func (c *Conn) Read(p []byte) (int, error) {
	if len(c.rest) > 0 {
		n := copy(p, c.rest)
		c.rest = c.rest[n:]
		return n, nil
	}
	n, err := c.ssh.stdout.Read(p)
	if err != nil {
		err = c.ended(err)
	}
	return n, err
}

// Write implements io.Writer. The errors are those of Read.
func (c *Conn) Write(p []byte) (int, error) {
	n, err := c.ssh.stdin.Write(p)
	if err != nil {
		err = c.ended(err)
	}
	return n, err
}

// ended says why the stream has ended, which err does not know.
func (c *Conn) ended(err error) error {
	if c.closed.Load() {
		return os.ErrClosed
	}
	c.ssh.end()
	if errors.Is(err, io.EOF) && c.ssh.status() == 0 {
		return io.EOF
	}
	return c.client.lost(c.ssh)
}

// Stderr returns the end of what ssh and the agent have written to their stderr.
func (c *Conn) Stderr() string { return string(bytes.ToValidUTF8([]byte(c.ssh.stderr.String()), nil)) }

// Close ends the agent by closing its input, and the connection, by force after two
// seconds. It unblocks Read and Write.
func (c *Conn) Close() error {
	c.once.Do(func() {
		c.closed.Store(true)
		c.ssh.end()
		c.client.close()
	})
	return nil
}
