package hub

import (
	"bytes"
	"crypto/x509"
	"encoding/base64"
	"errors"
	"fmt"
	"net"
	"net/url"
	"path/filepath"
	"strings"

	"github.com/nats-io/nkeys"
	"github.com/pelletier/go-toml/v2"

	"github.com/seed-1318a441/assay/internal/disk"
	"github.com/seed-1318a441/assay/internal/printable"
	"github.com/seed-1318a441/assay/internal/secret"
)

// A Join is what a member needs to reach a hub: the content of a join file.
type Join struct {
	Name string `toml:"name"`
	Role Role   `toml:"role"`
	// URLs are the servers of the hub: nats://HOST:PORT on this computer, tls://HOST:PORT
	// elsewhere.
	URLs []string `toml:"urls"`
	// Seed is the member's secret key.
	Seed string `toml:"seed"`
	// CA is the certificate of who signed that of the servers, as PEM; "" is for the
	// authorities that the system trusts.
	CA string `toml:"ca,multiline,omitempty"`
	// Hub is the public key of the hub. Badge is its signature of an agent's key, which
	// proves to users whose results they read.
	Hub   string `toml:"hub"`
	Badge Badge  `toml:"badge,omitempty"`
}

// A Badge is the hub's signature of an agent's key; base64 in a join file.
type Badge []byte

// MarshalText implements encoding.TextMarshaler.
func (b Badge) MarshalText() ([]byte, error) {
	return []byte(base64.StdEncoding.EncodeToString(b)), nil
}

// UnmarshalText implements encoding.TextUnmarshaler.
func (b *Badge) UnmarshalText(text []byte) (err error) {
	if len(text) > 0 {
		*b, err = base64.StdEncoding.DecodeString(string(text))
	}
	return err
}

// JoinSuffix ends the name of a join file.
const JoinSuffix = ".join"

// WriteJoin writes a join file, which only its owner can read.
func WriteJoin(file string, j Join) error {
	data, err := j.encode()
	if err != nil {
		return fmt.Errorf("write join file: %w", err)
	}
	return disk.WritePrivate(file, data)
}

func (j Join) encode() ([]byte, error) {
	data, err := toml.Marshal(j)
	head := fmt.Sprintf("# The key of the %s %q of an assay hub. Who has this file is that %[1]s: keep it to yourself.\n", j.Role, j.Name)
	return append([]byte(head), data...), err
}

// ReadJoin reads a join file. It refuses one that others can read.
func ReadJoin(file string) (j Join, err error) {
	if real, err := filepath.EvalSymlinks(file); err == nil { // as a cluster mounts its secrets
		file = real
	}
	data, err := secret.ReadFile(file, "the join file")
	if err != nil {
		return j, err
	}
	if j, err = parseJoin(data); err != nil {
		return j, fmt.Errorf("the join file %s is none: %s", disk.Tilde(file), printable.OneLine(err))
	}
	return j, nil
}

func parseJoin(data []byte) (j Join, err error) {
	if err := toml.NewDecoder(bytes.NewReader(data)).DisallowUnknownFields().Decode(&j); err != nil {
		return j, err
	}
	return j, j.check()
}

func (j Join) check() error {
	switch {
	case !IsName(j.Name):
		return fmt.Errorf("name = %q is no name of a member, which has lower case letters, digits and hyphens, at most 32", j.Name)
	case j.Role != RoleAgent && j.Role != RoleUser:
		return fmt.Errorf("role = %q is neither %q nor %q", string(j.Role), RoleAgent, RoleUser)
	case len(j.URLs) == 0:
		return errors.New("it has no urls")
	}
	for _, u := range j.URLs {
		if err := CheckURL(u); err != nil {
			return err
		}
	}
	kp, err := nkeys.FromSeed([]byte(j.Seed))
	if err != nil {
		return errors.New("its seed is no key")
	}
	defer kp.Wipe()
	public, err := kp.PublicKey()
	switch {
	case err != nil || !nkeys.IsValidPublicUserKey(public):
		return errors.New("its seed is no key of a user")
	case !nkeys.IsValidPublicUserKey(j.Hub):
		return fmt.Errorf("it has no key of the hub: an older assay has written it; on the hub: assay hub remove %s, assay hub add %s %[1]s", j.Name, j.Role)
	case j.Role == RoleAgent && !signed(j.Hub, badgeText(j.Name, public), j.Badge):
		return errors.New("its badge is not by the hub")
	}
	if j.CA != "" && !x509.NewCertPool().AppendCertsFromPEM([]byte(j.CA)) {
		return errors.New("its ca is no certificate")
	}
	return nil
}

// CheckURL returns an error for a text that is no address of a hub. What is not on this
// computer must be encrypted.
func CheckURL(s string) error {
	u, err := url.Parse(s)
	switch {
	case err != nil || u.Host == "" || u.Scheme != "nats" && u.Scheme != "tls":
		return fmt.Errorf("%q is no address of a hub, such as tls://HOST:4222", printable.Line(s, 200))
	case u.User != nil || u.Path != "" || u.RawQuery != "" || u.Fragment != "":
		return fmt.Errorf("%q has more than a host and a port", printable.Line(s, 200))
	case u.Scheme == "nats" && !isLoopback(u.Hostname()):
		return fmt.Errorf("%q is not encrypted, and on another computer: tls://%s", printable.Line(s, 200), u.Host)
	}
	return nil
}

// isLoopback reports whether a host is this computer, whatever its name service says.
func isLoopback(host string) bool {
	if strings.EqualFold(host, "localhost") {
		return true
	}
	ip := net.ParseIP(host)
	return ip != nil && ip.IsLoopback()
}
