package ssh

import (
	"cmp"
	"fmt"
	"regexp"
	"strings"
	"time"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/disk"
	"github.com/seed-1318a441/assay/internal/printable"
	"github.com/seed-1318a441/assay/internal/remote/wire"
	"github.com/seed-1318a441/assay/internal/shell"
)

// refuse returns an error of this package. try may be empty.
func refuse(code assay.Code, text string, facts []string, try string) error {
	return assay.NewError(assay.ExitRefused, code, text, facts, try)
}

// saidLines are the last lines of an output, at most three, fit to print.
func saidLines(text string) []string {
	var lines []string
	for line := range strings.Lines(text) {
		if line = printable.Short(strings.Trim(line, "@ \t\r\n"), 200); line != "" {
			lines = append(lines, line)
		}
	}
	return lines[max(0, len(lines)-3):]
}

// has reports whether a text has one of the words.
func has(text string, words ...string) bool {
	for _, w := range words {
		if strings.Contains(text, w) {
			return true
		}
	}
	return false
}

var (
	// offending matches what ssh says of a key that differs from the one it knows.
	offending = regexp.MustCompile(`Offending .* key in (.*):\d+`)
	// changed matches the name under which ssh knows the machine.
	changed = regexp.MustCompile(`Host key for (\S+) has changed`)
	// methods matches the ways in which a machine would let a user in.
	methods = regexp.MustCompile(`Permission denied \(([^)]*)\)`)
)

// connectFailure explains, from what ssh wrote, why there is no connection.
func (c *client) connectFailure(stderr string) error {
	name, said := c.address.Name(), saidLines(stderr)
	switch {
	case has(stderr, "REMOTE HOST IDENTIFICATION HAS CHANGED", "HOST IDENTIFICATION HAS CHANGED"):
		facts := []string{"if it was installed anew, remove the key that ssh knows, then log in once by hand; if not, ask who runs it"}
		if s := offending.FindString(stderr); s != "" {
			facts = append(facts, printable.Short(s, 200))
		}
		return refuse(assay.CodeHostKey, name+" has another host key than the one that ssh knows: it may not be the same machine", facts, c.forgetKey(stderr))
	case has(stderr, "Host key verification failed"):
		return refuse(assay.CodeHostKey, "ssh does not know the host key of "+name+" yet",
			[]string{"log in once by hand, and compare the key that ssh shows before you say yes"}, c.address.typed("ssh"))
	case has(stderr, "Permission denied", "Too many authentication failures"):
		return c.loginFailure(stderr, said)
	case has(stderr, "Temporary failure in name resolution"):
		return refuse(assay.CodeUnreachable, fmt.Sprintf("the address of %q could not be asked for: DNS does not answer", c.address.Host), said, "")
	case has(stderr, "Could not resolve hostname"):
		return refuse(assay.CodeUnreachable, fmt.Sprintf("no machine is called %q: neither DNS nor ssh_config knows it", c.address.Host), said, "")
	case has(stderr, "Connection refused"):
		return refuse(assay.CodeUnreachable, name+" refuses connections: no ssh server listens there",
			append(said, "start it there: sudo systemctl start ssh"), "")
	case has(stderr, "timed out", "No route to host", "Network is unreachable", "not responding"):
		return refuse(assay.CodeUnreachable, name+" does not answer: it is off, or the network does not lead there", said, c.address.typed("ssh"))
	}
	return refuse(assay.CodeUnreachable, "ssh could not connect to "+name, said, c.address.typed("ssh"))
}

// loginFailure explains why the machine did not let the user in.
func (c *client) loginFailure(stderr string, said []string) error {
	name, text := c.address.Name(), ""
	if m := methods.FindStringSubmatch(stderr); m != nil && has(m[1], "password", "keyboard-interactive") {
		text = name + " asks for a password, which assay does not: it needs a key"
	} else {
		text = name + " accepts none of your keys"
	}
	return refuse(assay.CodeLogin, text, said, c.address.typed("ssh-copy-id"))
}

// forgetKey is the command that removes a host key: ssh may know it under another name, in
// another file than its own.
func (c *client) forgetKey(stderr string) string {
	words := []string{"ssh-keygen"}
	if m := offending.FindStringSubmatch(stderr); m != nil && !strings.HasSuffix(m[1], "/.ssh/known_hosts") {
		words = append(words, "-f", m[1])
	}
	host := c.address.Host
	if m := changed.FindStringSubmatch(stderr); m != nil {
		host = m[1]
	}
	return shell.Join(append(words, "-R", host))
}

// tooSlow says that the machine took too long.
func (c *client) tooSlow(what string, limit time.Duration, x *command) error {
	return refuse(assay.CodeUnreachable, fmt.Sprintf("%s took longer than %s to %s", c.address.Name(), printable.Duration(limit), what),
		saidLines(x.stderr.String()), c.address.typed("ssh"))
}

// lost says that a connection that was there has ended.
func (c *client) lost(x *command) error {
	x.end()
	facts := saidLines(x.stderr.String())
	if status := x.status(); status > 0 && status != sshFailed {
		facts = append(facts, fmt.Sprintf("assay ended there with status %d", status))
	}
	if len(facts) == 0 {
		facts = []string{"ssh does not say why: the machine went away, or assay was killed there"}
	}
	return refuse(assay.CodeConnectionLost, "the connection to "+c.address.Name()+" was lost", facts, "")
}

// noShell says that the machine runs no sh for the user.
func (c *client) noShell(out string, x *command) error {
	name, said := c.address.Name(), saidLines(x.stderr.String()+"\n"+out)
	if has(x.stderr.String()+out, "is not recognized as", "operable program", "CommandNotFoundException", "Microsoft") {
		return c.windows(said)
	}
	if len(out) == mostNoise {
		return c.noisy([]byte(out))
	}
	return refuse(assay.CodeNoShell, name+" does not run sh for you", said, c.address.typed("ssh")+" sh")
}

// windows says that assay measures on no Windows machine elsewhere.
func (c *client) windows(facts []string) error {
	return refuse(assay.CodeNoShell, c.address.Name()+" runs Windows, where assay cannot measure from elsewhere",
		append(facts, "start assay on it, or give the address of its WSL"), "")
}

// noisy says that too much was printed in front of the agent's first line.
func (c *client) noisy(seen []byte) error {
	return refuse(assay.CodeNoShell, fmt.Sprintf("%s prints more than %s before it runs a command", c.address.Name(), printable.Int(mostNoise>>10)+" kB"),
		[]string{"a login script prints it, such as ~/.bashrc; it begins: " + printable.Short(string(seen), 100)}, "")
}

// installFailure explains why an executable could not be put there.
func (c *client) installFailure(s System, e executable, x *command) error {
	name, stderr := c.address.Name(), x.stderr.String()
	said := saidLines(stderr)
	switch {
	case has(stderr, "No space left", "quota exceeded", "File too large", "File size limit", "not enough space"):
		return refuse(assay.CodeRemoteDisk, fmt.Sprintf("the disk of %s is full: assay needs %s MB in %s", name, printable.Int(e.size>>20+1), s.Bin),
			said, c.address.typed("ssh")+" df -h "+s.Bin)
	case has(stderr, "Permission denied", "Read-only file system", "cannot create", "Not a directory", "File exists", "Operation not permitted"):
		return refuse(assay.CodeRemoteDisk, fmt.Sprintf("assay cannot be put on %s: you cannot write to %s", name, s.Bin), said, "")
	}
	return refuse(assay.CodeRemoteDisk, fmt.Sprintf("assay did not arrive whole in %s on %s", s.Bin, name), said, "")
}

// startFailure explains why the agent said nothing before it ended.
func (c *client) startFailure(s System, e executable, seen []byte, x *command) error {
	stderr, status := x.stderr.String(), x.status()
	if status == sshFailed && !has(stderr, "assay") {
		return c.lost(x)
	}
	said := saidLines(string(seen) + "\n" + stderr)
	text := fmt.Sprintf("assay does not start on %s: status %d", c.address.Name(), status)
	try := ""
	switch {
	case status == 126 && has(stderr, "Permission denied"):
		text = fmt.Sprintf("%s allows no programs to run in %s", c.address.Name(), s.Bin)
		said = append(said, "the file system is mounted with noexec, or a policy forbids it; make ~/.cache/assay there a link to a folder on another one")
		try = c.address.typed("ssh") + " findmnt -T " + s.Bin
	case status == 126:
		said = append(said, fmt.Sprintf("%s is not for %s on %s", disk.Tilde(e.path), s.Kernel, s.Machine))
	case e.usesC() && (status == 127 || has(stderr, "GLIBC")):
		said = append(said, "it needs the C library of the machine where it was built; one built with CGO_ENABLED=0 needs none")
		try = "CGO_ENABLED=0 go install " + mainPackage + "@" + cmp.Or(released(), "latest")
	}
	return refuse(assay.CodeAgentFailed, text, said, try)
}

// otherProtocol says that the agent there does not speak this version's protocol.
func (c *client) otherProtocol(line string) error {
	return refuse(assay.CodeAgentVersion, "assay on "+c.address.Name()+" has another version than this one",
		[]string{fmt.Sprintf("it says %q, this one %q", strings.TrimSpace(line), strings.TrimSpace(wire.Magic)),
			"put the same version into the place of the other one"}, "")
}
