package hub

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"io/fs"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/gofrs/flock"
	"github.com/nats-io/nkeys"

	"github.com/seed-1318a441/assay/internal/disk"
	"github.com/seed-1318a441/assay/internal/printable"
	"github.com/seed-1318a441/assay/internal/secret"
)

// A Folder is where a hub keeps what must outlive it: who its members are, and its keys.
//
//	hub.json    URLs and members, with their public keys
//	hub.seed    the key by which the hub itself makes streams, and the keys of agents are
//	            signed
//	ca.pem      the certificate that join files pin, ca.key its key
//	store/      what NATS keeps: it may be lost
//
// Seeds of members are in their join files alone.
type Folder struct{ dir string }

// A Member is who may connect to a hub.
type Member struct {
	Name string `json:"name"`
	Role Role   `json:"role"`
	// Key is the public key.
	Key   string    `json:"key"`
	Added time.Time `json:"added"`
}

// settings are the content of hub.json.
type settings struct {
	URLs    []string `json:"urls,omitempty"`
	Members []Member `json:"members"`
}

// OpenFolder returns the folder of a hub, with its keys, which are made if it is new.
func OpenFolder(dir string) (*Folder, error) {
	if err := disk.MakePrivate(dir); err != nil {
		return nil, fmt.Errorf("make the hub's folder: %w", err)
	}
	f := &Folder{dir: dir}
	unlock, err := f.lock()
	if err != nil {
		return nil, err
	}
	defer unlock()
	if !disk.IsFile(f.file("hub.seed")) {
		kp, err := nkeys.CreateUser()
		if err != nil {
			return nil, fmt.Errorf("make the hub's key: %w", err)
		}
		defer kp.Wipe()
		seed, err := kp.Seed()
		if err == nil {
			err = disk.WritePrivate(f.file("hub.seed"), seed)
		}
		if err != nil {
			return nil, err
		}
	}
	if !disk.IsFile(f.file("ca.pem")) {
		return f, f.makeCA()
	}
	return f, nil
}

func (f *Folder) file(name string) string { return filepath.Join(f.dir, name) }

// lock keeps other commands from changing the folder until unlock.
func (f *Folder) lock() (unlock func(), err error) {
	l := flock.New(f.file("lock"))
	if err := l.Lock(); err != nil {
		return nil, fmt.Errorf("lock the hub's folder: %w", err)
	}
	return func() { l.Unlock() }, nil
}

// read reads hub.json; a folder without one has no members.
func (f *Folder) read() (s settings, err error) {
	data, err := os.ReadFile(f.file("hub.json"))
	if errors.Is(err, fs.ErrNotExist) {
		return s, nil
	}
	if err == nil {
		err = json.Unmarshal(data, &s)
	}
	if err != nil {
		return s, fmt.Errorf("read the hub's members: %w", err)
	}
	return s, nil
}

// change changes hub.json.
func (f *Folder) change(do func(*settings) error) error {
	unlock, err := f.lock()
	if err != nil {
		return err
	}
	defer unlock()
	s, err := f.read()
	if err != nil {
		return err
	}
	if err := do(&s); err != nil {
		return err
	}
	data, err := json.MarshalIndent(s, "", "\t")
	if err != nil {
		return fmt.Errorf("write the hub's members: %w", err)
	}
	return disk.WritePrivate(f.file("hub.json"), append(data, '\n'))
}

// Members returns the members in the order of their names.
func (f *Folder) Members() ([]Member, error) {
	s, err := f.read()
	slices.SortFunc(s.Members, func(a, b Member) int { return strings.Compare(a.Name, b.Name) })
	return s.Members, err
}

// SetURLs sets where members reach the hub.
func (f *Folder) SetURLs(urls []string) error {
	return f.change(func(s *settings) error { s.URLs = urls; return nil })
}

// URLs returns where members reach the hub: what SetURLs was last called with, else the
// default.
func (f *Folder) URLs() ([]string, error) {
	s, err := f.read()
	if len(s.URLs) == 0 {
		s.URLs = []string{"nats://" + DefaultListen}
	}
	return s.URLs, err
}

// Errors of Add and Remove.
var (
	ErrMember   = errors.New("the hub has a member of that name already")
	ErrNoMember = errors.New("the hub has no member of that name")
)

// Add adds a member and returns what it joins with. urls are where it reaches the hub and
// ca is the certificate that its servers are signed with; nil and "" are the hub's own.
func (f *Folder) Add(role Role, name string, urls []string, ca string, now time.Time) (j Join, err error) {
	kp, err := nkeys.CreateUser()
	if err != nil {
		return j, fmt.Errorf("make key: %w", err)
	}
	defer kp.Wipe()
	public, err := kp.PublicKey()
	if err != nil {
		return j, fmt.Errorf("make key: %w", err)
	}
	seed, err := kp.Seed()
	if err != nil {
		return j, fmt.Errorf("make key: %w", err)
	}
	own, ownSeed, err := f.own()
	if err != nil {
		return j, err
	}
	j = Join{Name: name, Role: role, URLs: urls, Seed: string(seed), CA: ca, Hub: own.Key}
	if role == RoleAgent {
		if j.Badge, err = sign(ownSeed, badgeText(name, public)); err != nil {
			return j, fmt.Errorf("sign key: %w", err)
		}
	}
	if len(urls) == 0 {
		if j.URLs, err = f.URLs(); err != nil {
			return j, err
		}
	}
	if ca == "" && slices.ContainsFunc(j.URLs, func(u string) bool { return strings.HasPrefix(u, "tls:") }) {
		data, err := os.ReadFile(f.file("ca.pem"))
		if err != nil {
			return j, fmt.Errorf("read the hub's certificate: %w", err)
		}
		j.CA = string(data)
	}
	if err := j.check(); err != nil {
		return j, err
	}
	return j, f.change(func(s *settings) error {
		if slices.ContainsFunc(s.Members, func(m Member) bool { return m.Name == name }) {
			return ErrMember
		}
		s.Members = append(s.Members, Member{Name: name, Role: role, Key: public, Added: now.UTC().Round(time.Second)})
		return nil
	})
}

// Remove removes a member. A running hub closes its connections.
func (f *Folder) Remove(name string) error {
	return f.change(func(s *settings) error {
		n := len(s.Members)
		s.Members = slices.DeleteFunc(s.Members, func(m Member) bool { return m.Name == name })
		if len(s.Members) == n {
			return ErrNoMember
		}
		return nil
	})
}

// ErrServed means that another server uses the folder.
var ErrServed = errors.New("another hub is served from this folder")

// occupy keeps other servers from using the folder until leave.
func (f *Folder) occupy() (leave func(), err error) {
	l := flock.New(f.file("serving"))
	ok, err := l.TryLock()
	if err != nil {
		return nil, fmt.Errorf("lock the hub's folder: %w", err)
	}
	if !ok {
		return nil, fmt.Errorf("%w: %s", ErrServed, disk.Tilde(f.dir))
	}
	return func() { l.Unlock() }, nil
}

// taken notes that the server has taken the members.
func (f *Folder) taken(members []Member) error {
	return disk.WriteJSON(f.file("taken"), members)
}

// takenTime is how long a server may need to take a change of its members.
const takenTime = 5 * time.Second

// AwaitServer waits until the server of the folder, if it runs, has taken its members.
func (f *Folder) AwaitServer() {
	for began := time.Now(); time.Since(began) < takenTime; time.Sleep(20 * time.Millisecond) {
		if leave, err := f.occupy(); err == nil {
			leave()
			return
		}
		var has []Member
		members, err := f.Members()
		if err != nil || disk.ReadJSON(f.file("taken"), &has) && slices.Equal(has, members) {
			return
		}
	}
}

// own returns the hub as a member, with its seed.
func (f *Folder) own() (m Member, seed []byte, err error) {
	if seed, err = secret.ReadFile(f.file("hub.seed"), "the hub's key"); err != nil {
		return m, nil, err
	}
	m = Member{Name: "hub", Role: roleHub}
	m.Key, err = publicKey(seed)
	return m, seed, err
}

// lifetime is how long certificates hold. A hub makes its own anew at each start.
const lifetime = 10 * 365 * 24 * time.Hour

// makeCA makes the authority that signs the servers' certificates.
func (f *Folder) makeCA() error {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return fmt.Errorf("make the hub's certificate: %w", err)
	}
	c := template("assay hub")
	c.IsCA, c.BasicConstraintsValid, c.KeyUsage = true, true, x509.KeyUsageCertSign
	der, err := x509.CreateCertificate(rand.Reader, c, c, key.Public(), key)
	if err != nil {
		return fmt.Errorf("make the hub's certificate: %w", err)
	}
	private, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		return fmt.Errorf("make the hub's certificate: %w", err)
	}
	if err := disk.WritePrivate(f.file("ca.key"), pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: private})); err != nil {
		return err
	}
	return disk.WritePrivate(f.file("ca.pem"), pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}))
}

// template returns a certificate to be filled in.
func template(name string) *x509.Certificate {
	serial, err := rand.Int(rand.Reader, new(big.Int).Lsh(big.NewInt(1), 120))
	if err != nil {
		panic(err) // the system's random numbers never fail
	}
	now := time.Now()
	return &x509.Certificate{SerialNumber: serial, Subject: pkix.Name{CommonName: name}, NotBefore: now.Add(-time.Hour), NotAfter: now.Add(lifetime)}
}

// certificates returns the TLS settings of a server that is called by the names, by the
// name of this computer and by its addresses.
func (f *Folder) certificates(names []string) (*tls.Config, error) {
	ca, err := tls.LoadX509KeyPair(f.file("ca.pem"), f.file("ca.key"))
	if err != nil {
		return nil, fmt.Errorf("read the hub's certificate: %w", err)
	}
	parent, err := x509.ParseCertificate(ca.Certificate[0])
	if err != nil {
		return nil, fmt.Errorf("read the hub's certificate: %w", err)
	}
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, fmt.Errorf("make the server's certificate: %w", err)
	}
	c := template("assay hub")
	c.KeyUsage, c.ExtKeyUsage = x509.KeyUsageDigitalSignature, []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth}
	for _, n := range append(ownNames(), names...) {
		if ip := net.ParseIP(n); ip != nil {
			c.IPAddresses = append(c.IPAddresses, ip)
		} else {
			c.DNSNames = append(c.DNSNames, n)
		}
	}
	der, err := x509.CreateCertificate(rand.Reader, c, parent, key.Public(), ca.PrivateKey)
	if err != nil {
		return nil, fmt.Errorf("make the server's certificate: %w", err)
	}
	pool := x509.NewCertPool()
	pool.AddCert(parent)
	return &tls.Config{MinVersion: tls.VersionTLS13, RootCAs: pool, ClientCAs: pool,
		Certificates: []tls.Certificate{{Certificate: [][]byte{der, ca.Certificate[0]}, PrivateKey: key}}}, nil
}

// ownNames are the names and addresses of this computer.
func ownNames() []string {
	names := []string{"localhost"}
	if h, err := os.Hostname(); err == nil && h != "" && h == printable.Line(h, 253) {
		names = append(names, h)
	}
	addrs, _ := net.InterfaceAddrs()
	for _, a := range addrs {
		if ip, _, err := net.ParseCIDR(a.String()); err == nil {
			names = append(names, ip.String())
		}
	}
	return names
}
