package ssh

import (
	"strings"
	"testing"

	"github.com/seed-1318a441/assay"
)

// What is written wrong is shown as it should be where that is known.
func TestParseAddress(t *testing.T) {
	for text, want := range map[string]string{
		"ssh://bench1/":            "try: --on ssh:bench1",
		"ssh:::1":                  "try: --on 'ssh:[::1]'",
		"ssh:-oProxyCommand=touch": `machine "ssh:-oProxyCommand=touch": "-oProxyCommand=touch" is no host name`,
	} {
		_, err := parseAddress(text)
		if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "[ssh-address]") {
			t.Errorf("%q: got %v, want an error with %q", text, err, want)
		}
	}
}

func TestTyped(t *testing.T) {
	a := address{assay.SSHAddress{User: "me", Host: "bench1", Port: 2222}}
	if got, want := a.typed("ssh-copy-id"), "ssh-copy-id -p 2222 me@bench1"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
