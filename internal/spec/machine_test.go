package spec

import (
	"reflect"
	"testing"

	"github.com/seed-1318a441/assay"
)

func TestHosts(t *testing.T) {
	got, err := Hosts([]string{"local", "mini.1", "ssh:bench1", "ssh:me@bench1:2022", "ssh:[::1]:22"})
	if err != nil {
		t.Fatal(err)
	}
	want := []assay.Host{
		{Label: "local", Address: "local"}, {Label: "mini.1", Address: "mini.1"}, {Label: "bench1", Address: "ssh:bench1"},
		{Label: "bench1-2022", Address: "ssh:me@bench1:2022"}, {Label: "::1", Address: "ssh:[::1]:22"},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
	for _, test := range []struct {
		words []string
		want  string
	}{
		{[]string{""}, `"" is neither "local" nor a name of machines.toml nor "ssh:[USER@]HOST[:PORT]"`},
		{[]string{"a", "ssh:b", "a"}, `a is named twice`},
		{[]string{"../x"}, `../x is neither "local" nor a name of machines.toml nor "ssh:[USER@]HOST[:PORT]"`},
		{[]string{"ssh:"}, `ssh: is neither "local" nor a name of machines.toml nor "ssh:[USER@]HOST[:PORT]"`},
		{[]string{"root@box"}, `root@box is no machine; write "ssh:root@box"`},
		{[]string{"ssh:-x@box"}, `ssh:-x@box is neither "local" nor a name of machines.toml nor "ssh:[USER@]HOST[:PORT]"`},
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
`))
	want := []assay.Host{
		{Label: "bench1", Address: "ssh:me@10.0.0.7:2222"},
		{Label: "mini", Address: "ssh:mini.lan", GOARCH: "arm64", Require: assay.Require{Power: "mains", Noise: 0.015}},
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
		{"no host", "[a]\ngoarch = \"386\"", `m.toml:1:2: [a] has no host   [machines-file]`},
		{"chain", "[a]\nhost = \"b\"", `m.toml:2:8: host = "b" is neither "local" nor "ssh:[USER@]HOST[:PORT]"; write "ssh:b"   [machines-file]`},
		{"key", "[a]\nhosts = \"ssh:b\"", `m.toml:2:1: unknown key "hosts" in [a]; did you mean "host"?   [machines-file]`},
		{"unknown key", "[a]\nuser = \"b\"", `m.toml:2:1: unknown key "user" in [a]; it has goarch, host, require   [machines-file]`},
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
