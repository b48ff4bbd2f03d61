package machine

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/seed-1318a441/assay"
)

// userFile makes the user's file of machines for a test, and returns its path.
func userFile(t *testing.T, text string) string {
	t.Helper()
	dir := t.TempDir()
	t.Setenv("XDG_CONFIG_HOME", dir)
	file := filepath.Join(dir, "assay", machinesFile)
	if text == "" {
		return file
	}
	if err := os.Mkdir(filepath.Dir(file), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

const three = `
[bench1]
host    = "ssh:bench1.lan"
require = { power = "mains", noise = "2%", cpus = 4, tools = ["perf"] }

[bench2]
host = "ssh:bench2.lan"

[mini]
host   = "ssh:mini"
goarch = "arm64"

[quiet]
pool      = { labels = ["quiet"], cpus = 8 }
exclusive = true
`

func TestFind(t *testing.T) {
	file := userFile(t, three)
	got, err := Find("mini")
	if want := (assay.Host{Label: "mini", Address: "ssh:mini", GOARCH: "arm64"}); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, %v, want %+v", got, err, want)
	}
	for name, want := range map[string]string{
		"bnech1": `no machine is called "bnech1" in ` + file + `; did you mean "bench1"?   [no-machine]
  try: --on=bench1`,
		"server": `no machine is called "server" in ` + file + `   [no-machine]
  a machine has two lines there: [server] and host = "ssh:server"
  try: --on=ssh:server, which needs no file; or --on=agent:server, for a machine of a hub`,
	} {
		if _, err := Find(name); err == nil || err.Error() != want {
			t.Errorf("got %v\nwant %s", err, want)
		}
	}
}

func TestFindWithoutFile(t *testing.T) {
	file := userFile(t, "")
	if _, err := Find("bench1"); err == nil || !strings.HasPrefix(err.Error(), `no machine is called "bench1" in `+file) {
		t.Errorf("got %v, want that there is none", err)
	}
	if machines, at, err := Named(); len(machines) > 0 || at != file || err != nil {
		t.Errorf("got %v, %s, %v, want no machines of %s", machines, at, err, file)
	}
	userFile(t, "[a]\nhosts = 1")
	if _, err := Find("a"); err == nil || !strings.HasSuffix(err.Error(), `unknown key "hosts" in [a]; did you mean "host"?   [machines-file]`) {
		t.Errorf("got %v, want an error with the place", err)
	}
}

func TestLocate(t *testing.T) {
	userFile(t, three)
	given := []assay.Host{
		{Label: "local", Address: "local"},
		{Label: "a", Address: "bench1", Require: assay.Require{Power: "battery", CPUs: 8, Tools: []string{"wrk"}, Noise: 0.05}},
		{Label: "mini-amd64", Address: "mini", GOARCH: "amd64"},
		{Label: "mini", Address: "mini"},
		{Label: "x", Address: "ssh:x"},
		{Label: "quiet", Address: "quiet"},
		{Label: "any", Address: "pool:quiet", Pool: assay.Pool{Labels: []string{"quiet"}}},
	}
	got, err := Locate(given)
	want := []assay.Host{
		{Label: "local", Address: "local"},
		{Label: "a", Address: "ssh:bench1.lan", Require: assay.Require{Power: "battery", CPUs: 8, Tools: []string{"wrk", "perf"}, Noise: 0.02}},
		{Label: "mini-amd64", Address: "ssh:mini", GOARCH: "amd64"},
		{Label: "mini", Address: "ssh:mini", GOARCH: "arm64"},
		{Label: "x", Address: "ssh:x"},
		{Label: "quiet", Address: "pool:quiet", Pool: assay.Pool{Labels: []string{"quiet"}, CPUs: 8}, Exclusive: true},
		{Label: "any", Address: "pool:quiet", Pool: assay.Pool{Labels: []string{"quiet"}}},
	}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v, %v\nwant %+v", got, err, want)
	}
	if given[1].Address != "bench1" {
		t.Error("the given hosts were changed")
	}
	_, err = Locate([]assay.Host{{Label: "bench2", Address: "bench2"}, {Label: "bench2.lan", Address: "ssh:bench2.lan"}})
	if want := "bench2 and bench2.lan are one machine, ssh:bench2.lan   [no-machine]\n  try: name one of them"; err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}
