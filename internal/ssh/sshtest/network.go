//go:build unix

// Package sshtest makes machines that tests reach by ssh, all on this computer: each has
// an sshd of its own on loopback, whose sessions have their own HOME. The servers run as
// the user of the test, root or not. Nothing of the user's own ssh is read or changed.
package sshtest

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strings"
	"testing"
)

// A Network is machines that one client reaches by their names.
type Network struct {
	// Config is the client's ssh_config, for ssh -F.
	Config string
	// Bin holds an ssh that reads Config. In front of the PATH of a program under test it
	// takes the place of the system's.
	Bin string

	t        testing.TB
	dir      string
	sshd     string
	user     string
	machines []*Machine
}

// servers are the places of sshd, which is in few users' PATH and wants an absolute name.
var servers = []string{"/usr/sbin/sshd", "/usr/local/sbin/sshd", "/usr/bin/sshd"}

// New returns a network without machines, which ends with the test. Where no sshd is
// installed it skips the test.
func New(t testing.TB) *Network {
	t.Helper()
	n := &Network{t: t}
	for _, file := range servers {
		if _, err := os.Stat(file); err == nil {
			n.sshd = file
			break
		}
	}
	if n.sshd == "" {
		t.Skip("sshd is not installed: make sshd")
	}
	u, err := user.Current()
	if err != nil {
		t.Fatal(err)
	}
	n.user = u.Username
	// sshd refuses to start as root without this folder, which Debian makes at boot.
	if os.Geteuid() == 0 {
		if err := os.MkdirAll("/run/sshd", 0o755); err != nil {
			t.Fatal(err)
		}
	}
	n.dir = t.TempDir()
	n.Config, n.Bin = filepath.Join(n.dir, "ssh_config"), filepath.Join(n.dir, "bin")
	n.Key("id")
	n.write("known_hosts", "")
	ssh, err := exec.LookPath("ssh")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(n.Bin, 0o755); err != nil {
		t.Fatal(err)
	}
	n.script("bin/ssh", fmt.Sprintf("#!/bin/sh\nexec %s -F '%s' \"$@\"\n", ssh, n.Config))
	n.configure()
	return n
}

// Key makes a key pair, and returns the file of the private key. One of the same name is
// replaced.
func (n *Network) Key(name string) string {
	n.t.Helper()
	file := filepath.Join(n.dir, name)
	os.Remove(file)
	os.Remove(file + ".pub")
	if out, err := exec.Command("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", name, "-f", file).CombinedOutput(); err != nil {
		n.t.Fatalf("ssh-keygen: %v\n%s", err, out)
	}
	return file
}

// configure writes the client's ssh_config anew.
func (n *Network) configure() {
	n.t.Helper()
	var b bytes.Buffer
	for _, m := range n.machines {
		fmt.Fprintf(&b, "Host %s\n  HostName 127.0.0.1\n  Port %d\n", m.Name, m.Port)
	}
	fmt.Fprintf(&b, "Host *\n  User %s\n  IdentityFile %q\n  IdentitiesOnly yes\n  IdentityAgent none\n", n.user, filepath.Join(n.dir, "id"))
	fmt.Fprintf(&b, "  UserKnownHostsFile %q\n  GlobalKnownHostsFile /dev/null\n", n.KnownHosts())
	n.write("ssh_config", b.String())
}

// KnownHosts is the file of the client with the host keys of all machines.
func (n *Network) KnownHosts() string { return filepath.Join(n.dir, "known_hosts") }

// Forget makes the client forget all host keys.
func (n *Network) Forget() { n.write("known_hosts", "") }

// know adds the host key of a machine.
func (n *Network) know(m *Machine) {
	n.t.Helper()
	pub, err := os.ReadFile(m.hostKey + ".pub")
	if err != nil {
		n.t.Fatal(err)
	}
	words := strings.Fields(string(pub))
	old, err := os.ReadFile(n.KnownHosts())
	if err != nil {
		n.t.Fatal(err)
	}
	n.write("known_hosts", string(old)+fmt.Sprintf("[127.0.0.1]:%d %s %s\n", m.Port, words[0], words[1]))
}

// write writes a file of the network, for this user only.
func (n *Network) write(name, text string) {
	n.t.Helper()
	if err := os.WriteFile(filepath.Join(n.dir, name), []byte(text), 0o600); err != nil {
		n.t.Fatal(err)
	}
}

func (n *Network) script(name, text string) {
	n.t.Helper()
	n.write(name, text)
	if err := os.Chmod(filepath.Join(n.dir, name), 0o700); err != nil {
		n.t.Fatal(err)
	}
}
