package assay

import (
	"strings"
	"testing"
)

func TestParseSSHAddress(t *testing.T) {
	for text, want := range map[string]SSHAddress{
		"ssh:bench1":               {Host: "bench1"},
		"ssh:me@bench1:2222":       {User: "me", Host: "bench1", Port: 2222},
		"ssh:bench_1.example.com":  {Host: "bench_1.example.com"},
		"ssh:127.0.0.1:22":         {Host: "127.0.0.1", Port: 22},
		"ssh:[::1]":                {Host: "::1"},
		"ssh:me@[fe80::1%eth0]:22": {User: "me", Host: "fe80::1%eth0", Port: 22},
		`ssh:CORP\me@bench1`:       {User: `CORP\me`, Host: "bench1"},
		"ssh:me@corp.com@bench1":   {User: "me@corp.com", Host: "bench1"},
	} {
		got, err := ParseSSHAddress(text)
		if err != nil || got != want || got.String() != text {
			t.Errorf("%s: got %+v (%s), %v, want %+v", text, got, got, err, want)
		}
	}
	for text, want := range map[string]string{
		"bench1":                      "no address of ssh",
		"ssh:":                        `"" is no host name`,
		"ssh://bench1/":               "no slashes in an address",
		"ssh:-oProxyCommand=touch":    "is no host name",
		"ssh:-l":                      "is no host name",
		"ssh:-x@bench1":               "is no user name",
		"ssh:me@-oProxyCommand=touch": "is no host name",
		"ssh:bench1 -oProxyCommand=x": "is no host name",
		"ssh:bench1\n":                "is no host name",
		"ssh:@bench1":                 `"" is no user name`,
		"ssh:a b@bench1":              "is no user name",
		"ssh:me;id@bench1":            "is no user name",
		"ssh:bench1:":                 `"" is no port`,
		"ssh:bench1:0":                `"0" is no port`,
		"ssh:bench1:65536":            "is no port",
		"ssh:bench1:+22":              "is no port",
		"ssh:bench1:022":              "is no port",
		"ssh:::1":                     "stands in brackets",
		"ssh:[::1":                    "is no IPv6 address in brackets",
		"ssh:[bench1]":                "is no IPv6 address in brackets",
		"ssh:[127.0.0.1]":             "is no IPv6 address in brackets",
		"ssh:[fe80::1]x":              "is no IPv6 address in brackets",
		"ssh:[fe80::1%a b]":           "is no IPv6 address in brackets",
		"ssh:bench1/../x":             "is no host name",
	} {
		_, err := ParseSSHAddress(text)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: got %v, want an error with %q", text, err, want)
		}
	}
}
