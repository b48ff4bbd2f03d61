package ssh

import (
	"fmt"
	"net/netip"
	"regexp"
	"strconv"
	"strings"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/shell"
)

// An Address is where another machine is reached.
type Address struct {
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

// ParseAddress reads "ssh:[USER@]HOST[:PORT]"; an IPv6 address stands in brackets. The
// error is an *assay.Error with exit status 2 [ssh-address].
func ParseAddress(text string) (Address, error) {
	wrong := func(why, try string) (Address, error) {
		return Address{}, assay.NewError(assay.ExitUsage, assay.CodeSSHAddress, fmt.Sprintf("machine %q: %s", text, why),
			[]string{"an address is written ssh:[USER@]HOST[:PORT]"}, try)
	}
	rest, ok := strings.CutPrefix(text, assay.SSHScheme)
	switch {
	case !ok:
		return wrong("no address of ssh", "")
	case strings.HasPrefix(rest, "//"):
		return wrong("there are no slashes in an address", "--on "+shell.Quote(assay.SSHScheme+strings.Trim(rest, "/")))
	}
	var a Address
	if i := strings.LastIndexByte(rest, '@'); i >= 0 {
		a.User, rest = rest[:i], rest[i+1:]
		if !userName.MatchString(a.User) {
			return wrong(fmt.Sprintf("%q is no user name", a.User), "")
		}
	}
	host, port, hasPort := cutPort(rest)
	if ip, ok := strings.CutPrefix(host, "["); ok {
		ip, closed := strings.CutSuffix(ip, "]")
		if addr, err := netip.ParseAddr(ip); !closed || err != nil || !addr.Is6() || !zoned.MatchString(ip) {
			return wrong(fmt.Sprintf("%q is no IPv6 address in brackets", host), "")
		}
		host = ip
	} else if _, err := netip.ParseAddr(rest); err == nil && strings.Contains(rest, ":") {
		return wrong("an IPv6 address stands in brackets", "--on "+shell.Quote(assay.SSHScheme+"["+rest+"]"))
	} else if !hostName.MatchString(host) {
		return wrong(fmt.Sprintf("%q is no host name", host), "")
	}
	a.Host = host
	if hasPort {
		n, err := strconv.Atoi(port)
		if err != nil || n < 1 || n > 65535 || strconv.Itoa(n) != port {
			return wrong(fmt.Sprintf("%q is no port: one is a number from 1 to 65535", port), "")
		}
		a.Port = n
	}
	return a, nil
}

// cutPort splits at the colon behind the host, which is not inside brackets.
func cutPort(s string) (host, port string, ok bool) {
	i := strings.LastIndexByte(s, ':')
	if i < 0 || i < strings.LastIndexByte(s, ']') {
		return s, "", false
	}
	return s[:i], s[i+1:], true
}

// String returns the address as ParseAddress reads it.
func (a Address) String() string { return assay.SSHScheme + a.Name() }

// Name returns the address without its scheme, as messages name the machine.
func (a Address) Name() string {
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

// args returns the arguments of ssh that name the machine. The dashes end the options.
func (a Address) args() []string {
	var args []string
	if a.User != "" {
		args = append(args, "-l", a.User)
	}
	if a.Port != 0 {
		args = append(args, "-p", strconv.Itoa(a.Port))
	}
	return append(args, "--", a.Host)
}

// typed returns the address for a program such as ssh or ssh-copy-id, to be typed.
func (a Address) typed(program string) string {
	words := []string{program}
	if a.Port != 0 {
		words = append(words, "-p", strconv.Itoa(a.Port))
	}
	if a.User != "" {
		return shell.Join(append(words, a.User+"@"+a.Host))
	}
	return shell.Join(append(words, a.Host))
}
