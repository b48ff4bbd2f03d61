package session

import (
	"slices"
	"strings"
	"testing"

	"github.com/seed-1318a441/assay"
)

// A reader sees every program, address, machine and variable of a study once, and of a
// secret its name alone.
func TestPrograms(t *testing.T) {
	s := &assay.Study{
		Hosts: []assay.Host{{Label: "here"}, {Label: "bench1", Address: "ssh:bench1"}},
		Variants: []assay.Variant{
			{Name: "old", Go: "go1.25.7", Rev: "v1.0.0", Env: map[string]string{"GOGC": "50"}, Secrets: map[string]string{"TOKEN": "api"}},
			{Name: "new", Go: "go1.25.7", Module: "example.com/m@v1.2.0", Build: map[string]string{"GOAMD64": "v3", "CC": "my cc"}},
			{Name: "given", Run: []string{"./given", "a b"}, Env: map[string]string{"X": "1"}},
		},
		Workloads: []assay.Workload{
			{Kind: assay.KindGoTest, Bench: "Decode", Packages: []string{"./codec"}},
			{Kind: assay.KindGoTest},
			{Kind: assay.KindCommand, Prepare: []string{"cp", "in", "{tmp}"}, Run: []string{"{bin}", "x"}, Cleanup: []string{"rm", "-r", "{tmp}"},
				Env: map[string]string{"B": "2", "A": "1"}, Secrets: map[string]string{"KEY": "db"}},
			{Kind: assay.KindService, Service: &assay.Service{Start: []string{"{bin}", "serve"}, Prepare: [][]string{{"initdb"}}, Setup: [][]string{{"fill"}},
				Warmup: [][]string{{"fill"}}, Load: []string{"wrk"}, Cleanup: [][]string{{"dropdb"}}, Ready: assay.Ready{TCP: "127.0.0.1:{port}"}}},
		},
		Measure: assay.Measure{Pass: []string{"NPM_TOKEN"}},
	}
	want := []string{
		"measured on: ssh:bench1",
		"toolchain: go1.25.7",
		"source: v1.0.0",
		"toolchain: 'CC=my cc' GOAMD64=v3 go1.25.7",
		"source: example.com/m@v1.2.0",
		"toolchain: go",
		"benchmarks: Decode ./codec",
		"benchmarks: .",
		"prepare: cp in '{tmp}'",
		"run: A=1 B=2 'KEY=[secret db]' '{bin}' x",
		"cleanup: rm -r '{tmp}'",
		"prepare: initdb",
		"start: '{bin}' serve",
		"set-up: fill",
		"load: wrk",
		"requests to: '127.0.0.1:{port}'",
		"cleanup: dropdb",
		"run: GOGC=50 'TOKEN=[secret api]'",
		"variables of old: GOGC=50 'TOKEN=[secret api]'",
		"run: X=1 ./given 'a b'",
		"credentials: NPM_TOKEN",
	}
	if got := Programs(s); !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// Text of a study of unknown origin cannot write to the terminal.
func TestProgramsArePrintable(t *testing.T) {
	s := &assay.Study{Workloads: []assay.Workload{{Kind: assay.KindCommand, Run: []string{"\x1b[2J{bin}", "two\nlines"}}}}
	if got := Programs(s); len(got) != 1 || strings.ContainsAny(got[0], "\x1b\n") || !strings.Contains(got[0], "lines") {
		t.Errorf("got %q, want one line without control characters", got)
	}
}

// Load goes to this machine only, unless the user allows others: the names of a loopback
// are known, and nothing else is taken for one.
func TestLoopback(t *testing.T) {
	for address, want := range map[string]bool{
		"127.0.0.1:{port}": true, "127.8.8.8:80": true, "[::1]:{port}": true, "localhost:8080": true, ":{port}": true,
		"http://127.0.0.1:{port}/a": true, "http://localhost/": true, "https://[::1]:8443/": true,
		"10.0.0.7:80": false, "bench1:80": false, "http://bench1/": false, "http://localhost.example.com/": false,
		"http://127.0.0.1@bench1/": false, "http:///": false, "http://0.0.0.0/": false, "http://%zz/": false, "127.0.0.1.example.com:80": false,
	} {
		if got := loopback(address); got != want {
			t.Errorf("%s: got %t, want %t", address, got, want)
		}
	}
}

// Each address that assay itself connects to is looked at, that of the load and those that
// tell when the server is ready. --remote-load allows all.
func TestCheckAddresses(t *testing.T) {
	const far = "http://bench1/"
	for _, c := range []struct {
		name    string
		service *assay.Service
		allowed bool
		refused bool
	}{
		{"no service", nil, false, false},
		{"external load", &assay.Service{Load: []string{"wrk", far}}, false, false},
		{"here", &assay.Service{HTTP: &assay.HTTPLoad{URL: "http://127.0.0.1:{port}/"}, Ready: assay.Ready{TCP: "127.0.0.1:{port}"}}, false, false},
		{"load", &assay.Service{HTTP: &assay.HTTPLoad{URL: far}}, false, true},
		{"ready by HTTP", &assay.Service{Ready: assay.Ready{HTTP: far}}, false, true},
		{"ready by TCP", &assay.Service{Ready: assay.Ready{TCP: "bench1:80"}}, false, true},
		{"allowed", &assay.Service{HTTP: &assay.HTTPLoad{URL: far}}, true, false},
	} {
		s := &assay.Study{Workloads: []assay.Workload{{Kind: assay.KindGoTest}, {Service: c.service}}, Measure: assay.Measure{RemoteLoad: c.allowed}}
		err := checkAddresses(s)
		if (err != nil) != c.refused || err != nil && !strings.Contains(err.Error(), "bench1") {
			t.Errorf("%s: got %v, want refused %t", c.name, err, c.refused)
		}
	}
}
