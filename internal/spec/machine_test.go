package spec

import (
	"reflect"
	"testing"

	"github.com/seed-1318a441/assay"
)

func TestHosts(t *testing.T) {
	got, err := Hosts([]string{"local", "mini.1", "ssh:bench1", "ssh:me@bench1:2022", "ssh:[::1]:22", `ssh:CORP\me@box`, "agent:m4", "pool:quiet,x86"})
	if err != nil {
		t.Fatal(err)
	}
	want := []assay.Host{
		{Label: "local", Address: "local"}, {Label: "mini.1", Address: "mini.1"}, {Label: "bench1", Address: "ssh:bench1"},
		{Label: "bench1-2022", Address: "ssh:me@bench1:2022"}, {Label: "::1", Address: "ssh:[::1]:22"}, {Label: "box", Address: `ssh:CORP\me@box`},
		{Label: "m4", Address: "agent:m4"}, {Label: "quiet-x86", Address: "pool:quiet,x86", Pool: assay.Pool{Labels: []string{"quiet", "x86"}}},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
	for _, test := range []struct {
		words []string
		want  string
	}{
		{[]string{""}, `"" is neither "local" nor a name of machines.toml, "ssh:[USER@]HOST[:PORT]", "agent:NAME" or "pool:LABEL"`},
		{[]string{"a", "ssh:b", "a"}, `a is named twice`},
		{[]string{"../x"}, `../x is neither "local" nor a name of machines.toml, "ssh:[USER@]HOST[:PORT]", "agent:NAME" or "pool:LABEL"`},
		{[]string{"ssh:"}, `ssh: is neither "local" nor a name of machines.toml, "ssh:[USER@]HOST[:PORT]", "agent:NAME" or "pool:LABEL"`},
		{[]string{"root@box"}, `root@box is no machine; write "ssh:root@box"`},
		{[]string{"agent:M_4"}, `agent:M_4 is no name of a machine of a hub: it has at most 32 of a to z, 0 to 9 and "-", with no "-" at its ends; write "agent:m-4"`},
		{[]string{"agent:"}, `agent: is no name of a machine of a hub: it has at most 32 of a to z, 0 to 9 and "-", with no "-" at its ends`},
		{[]string{"pool:quiet,Fast"}, `pool:quiet,Fast is no label: it has at most 32 of a to z, 0 to 9 and "-", with no "-" at its ends; write "pool:quiet,fast"`},
		{[]string{"agents:m4"}, `agents:m4 is neither "local" nor a name of machines.toml, "ssh:[USER@]HOST[:PORT]", "agent:NAME" or "pool:LABEL"`},
		{[]string{"agent:m4", "m4"}, `m4 is named twice`},
		{[]string{"ssh:-x@box"}, `ssh:-x@box is neither "local" nor a name of machines.toml, "ssh:[USER@]HOST[:PORT]", "agent:NAME" or "pool:LABEL"`},
	} {
		if _, err := Hosts(test.words); err == nil || err.Error() != test.want {
			t.Errorf("%q: got %v, want %s", test.words, err, test.want)
		}
	}
}

func TestMachines(t *testing.T) {
	got, err := Machines("machines.toml", []byte(`
[bench1]
host = "ssh:me@10.0.0.7:2222"

[mini]
host    = "ssh:mini.lan"
goarch  = "arm64"
require = { power = "mains", noise = "1.5%" }

[m4]
agent     = "m4"
exclusive = true

[any]
pool = { labels = ["quiet"], goos = "darwin", goarch = "arm64", cpus = 8, tools = ["wrk"] }
`))
	want := []assay.Host{
		{Label: "bench1", Address: "ssh:me@10.0.0.7:2222"},
		{Label: "mini", Address: "ssh:mini.lan", GOARCH: "arm64", Require: assay.Require{Power: "mains", Noise: 0.015}},
		{Label: "m4", Address: "agent:m4", Exclusive: true},
		{Label: "any", Address: "pool:quiet", Pool: assay.Pool{Labels: []string{"quiet"}, GOOS: "darwin", GOARCH: "arm64", CPUs: 8, Tools: []string{"wrk"}}},
	}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, %v, want %+v", got, err, want)
	}
	for _, test := range []struct{ name, text, want string }{
		{"syntax", "[a\n", ""},
		{"no table", "bench1 = \"ssh:bench1\"", `m.toml:1:1: "bench1" is no table: a machine is written [bench1], and host = "ssh:..." below it   [machines-file]`},
		{"list", "[[a]]\nhost = \"ssh:a\"", `m.toml:1:3: "a" is no table: a machine is written [a], and host = "ssh:..." below it   [machines-file]`},
		{"path", "[\"../x\"]\nhost = \"ssh:a\"", `m.toml:1:2: "../x" is no name of a machine: it has letters, digits, "-", "_" and ".", and begins with a letter or a digit   [machines-file]`},
		{"local", "[local]\nhost = \"ssh:a\"", `m.toml:1:2: "local" is the computer that assay runs on, and no name for another   [machines-file]`},
		{"no host", "[a]\ngoarch = \"386\"", `m.toml:1:2: [a] has no host, agent or pool   [machines-file]`},
		{"chain", "[a]\nhost = \"b\"", `m.toml:2:8: host = "b" is neither "local" nor "ssh:[USER@]HOST[:PORT]"; write "ssh:b"   [machines-file]`},
		{"key", "[a]\nhosts = \"ssh:b\"", `m.toml:2:1: unknown key "hosts" in [a]; did you mean "host"?   [machines-file]`},
		{"unknown key", "[a]\nuser = \"b\"", `m.toml:2:1: unknown key "user" in [a]; it has agent, exclusive, goarch, host, pool, require   [machines-file]`},
		{"two places", "[a]\nhost = \"ssh:b\"\nagent = \"b\"", `m.toml:3:1: [a] has "host" and "agent": a machine is one of them   [machines-file]`},
		{"exclusive", "[a]\nhost = \"ssh:b\"\nexclusive = true", `m.toml:3:13: exclusive = true is for machines of a hub: this one serves one run at a time anyway   [machines-file]`},
		{"empty pool", "[a]\npool = {}", `m.toml:2:8: pool = {…} says nothing of its machines; write labels, goos, goarch, cpus or tools   [machines-file]`},
		{"arch", "[a]\nhost = \"ssh:b\"\ngoarch = \"x64\"", `m.toml:3:10: goarch = "x64" is not a GOARCH; write "amd64"   [machines-file]`},
	} {
		_, err := Machines("m.toml", []byte(test.text))
		if test.want == "" {
			checkExit(t, err)
			continue
		}
		t.Run(test.name, func(t *testing.T) { checkUsage(t, err, test.want) })
	}
}
