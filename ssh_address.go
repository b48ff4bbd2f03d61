package assay

import (
	"errors"
	"fmt"
	"net/netip"
	"regexp"
	"strconv"
	"strings"
)

// An SSHAddress is where ssh reaches another machine.
type SSHAddress struct {
	// User is empty for the one of ssh_config.
	User string
	// Host is a name of DNS or of ssh_config, or an IP address without brackets.
	Host string
	// Port is 0 for the one of ssh_config.
	Port int
}

var (
	// hostName matches names. The first character is no dash, which would begin an option
	// of ssh.
	hostName = regexp.MustCompile(`^[\p{L}\p{N}_][\p{L}\p{N}._-]*$`)
	// userName allows names of directories, such as DOMAIN\me and me@example.com.
	userName = regexp.MustCompile(`^[\p{L}\p{N}_][\p{L}\p{N}._@\\+-]*$`)
	// zoned matches the characters of an IPv6 address with its zone.
	zoned = regexp.MustCompile(`^[0-9A-Fa-f:.]+(%[A-Za-z0-9._-]+)?$`)
)

// ParseSSHAddress reads "ssh:[USER@]HOST[:PORT]"; an IPv6 address stands in brackets. The
// error says what is wrong with the text, without repeating it.
func ParseSSHAddress(text string) (a SSHAddress, err error) {
	rest, ok := strings.CutPrefix(text, SSHScheme)
	switch {
	case !ok:
		return a, errors.New("no address of ssh")
	case strings.HasPrefix(rest, "//"):
		return a, errors.New("there are no slashes in an address")
	}
	if i := strings.LastIndexByte(rest, '@'); i >= 0 {
		a.User, rest = rest[:i], rest[i+1:]
		if !userName.MatchString(a.User) {
			return SSHAddress{}, fmt.Errorf("%q is no user name", a.User)
		}
	}
	host, port, hasPort := cutPort(rest)
	if a.Host, err = sshHost(host, rest); err != nil {
		return SSHAddress{}, err
	}
	if hasPort {
		n, err := strconv.Atoi(port)
		if err != nil || n < 1 || n > 65535 || strconv.Itoa(n) != port {
			return SSHAddress{}, fmt.Errorf("%q is no port: one is a number from 1 to 65535", port)
		}
		a.Port = n
	}
	return a, nil
}

// sshHost checks a host; rest is the host with its port.
func sshHost(host, rest string) (string, error) {
	if ip, ok := strings.CutPrefix(host, "["); ok {
		ip, closed := strings.CutSuffix(ip, "]")
		if addr, err := netip.ParseAddr(ip); !closed || err != nil || !addr.Is6() || !zoned.MatchString(ip) {
			return "", fmt.Errorf("%q is no IPv6 address in brackets", host)
		}
		return ip, nil
	}
	if _, err := netip.ParseAddr(rest); err == nil && strings.Contains(rest, ":") {
		return "", errors.New("an IPv6 address stands in brackets")
	}
	if !hostName.MatchString(host) {
		return "", fmt.Errorf("%q is no host name", host)
	}
	return host, nil
}

// cutPort splits at the colon behind the host, which is not inside brackets.
func cutPort(s string) (host, port string, ok bool) {
	i := strings.LastIndexByte(s, ':')
	if i < 0 || i < strings.LastIndexByte(s, ']') {
		return s, "", false
	}
	return s[:i], s[i+1:], true
}

// String returns the address as ParseSSHAddress reads it.
func (a SSHAddress) String() string { return SSHScheme + a.Name() }

// Name returns the address without its scheme, as messages name the machine.
func (a SSHAddress) Name() string {
	s := a.Host
	if strings.Contains(s, ":") {
		s = "[" + s + "]"
	}
	if a.User != "" {
		s = a.User + "@" + s
	}
	if a.Port != 0 {
		s += ":" + strconv.Itoa(a.Port)
	}
	return s
}
