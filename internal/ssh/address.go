package ssh

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/shell"
)

// An address is where another machine is reached, as arguments of ssh.
type address struct{ assay.SSHAddress }

// parseAddress reads an address. The error is an *assay.Error with exit status 2
// [ssh-address].
func parseAddress(text string) (address, error) {
	a, err := assay.ParseSSHAddress(text)
	if err == nil {
		return address{a}, nil
	}
	rest := strings.TrimPrefix(text, assay.SSHScheme)
	try := ""
	for _, guess := range []string{strings.Trim(rest, "/"), "[" + rest + "]"} {
		if a, err := assay.ParseSSHAddress(assay.SSHScheme + guess); err == nil && try == "" {
			try = "--on " + shell.Quote(a.String())
		}
	}
	return address{}, assay.NewError(assay.ExitUsage, assay.CodeSSHAddress, fmt.Sprintf("machine %q: %v", text, err),
		[]string{"an address is written ssh:[USER@]HOST[:PORT]"}, try)
}

// args returns the arguments of ssh that name the machine. The dashes end the options.
func (a address) args() []string {
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
func (a address) typed(program string) string {
	words := []string{program}
	if a.Port != 0 {
		words = append(words, "-p", strconv.Itoa(a.Port))
	}
	if a.User != "" {
		return shell.Join(append(words, a.User+"@"+a.Host))
	}
	return shell.Join(append(words, a.Host))
}
