package spec

import (
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/seed-1318a441/assay"
)

// greentea is the study of case 003, with every key of a service that stands
// beside an external load.
const greentea = `base = "classic"

[[variant]]
name = "classic"

[[variant]]
name       = "greentea"
experiment = ["greenteagc"]

[[workload]]
name        = "oltp_read_write"
kind        = "service"
package     = "./cmd/dolt"
build_flags = ["-trimpath"]
start       = ["{bin}", "sql-server", "--port", "{port}", "--data-dir", "{tmp}"]
prepare     = [["{bin}", "init"], ["cp", "{study}/config.yaml", "{tmp}"]]
ready       = { log = 'listening on \S+:{port}$', within = "30s" }
setup       = ["sysbench", "--mysql-port={port}", "{name}", "prepare"]
warmup      = [["sysbench", "--time=5", "run"]]
load        = ["sysbench", "--histogram=on", "run"]
parse       = "assay"
results     = "{tmp}/out*.json"
stop        = "interrupt"
stop_within = "20s"
cpus        = 0
load_cpus   = "1-3,6"
cleanup     = ["rm", "-rf", "{tmp}/x"]
env         = { DOLT_ROOT_PATH = "{tmp}/root", GOGC = 200 }
fresh       = true

[decide]
min_effect = { "latency.p99" = "2%", default = "1%" }
tradeoff   = ["latency.p99.9", "peak-RSS-bytes"]

[measure]
collect = ["gc", "rss"]
`

func TestParseService(t *testing.T) {
	s, err := Parse("s.toml", []byte(greentea))
	if err != nil {
		t.Fatal(err)
	}
	want := assay.Workload{
		Name: "oltp_read_write", Kind: "service", Names: []string{"oltp_read_write"}, Package: "./cmd/dolt", BuildFlags: []string{"-trimpath"},
		Env: map[string]string{"DOLT_ROOT_PATH": "{tmp}/root", "GOGC": "200"},
		Service: &assay.Service{
			Start:   []string{"{bin}", "sql-server", "--port", "{port}", "--data-dir", "{tmp}"},
			Prepare: [][]string{{"{bin}", "init"}, {"cp", "{study}/config.yaml", "{tmp}"}},
			Ready:   assay.Ready{Log: `listening on \S+:{port}$`, Within: 30 * time.Second},
			Setup:   [][]string{{"sysbench", "--mysql-port={port}", "{name}", "prepare"}},
			Warmup:  [][]string{{"sysbench", "--time=5", "run"}},
			Load:    []string{"sysbench", "--histogram=on", "run"}, Parse: "assay", Results: "{tmp}/out*.json",
			Stop: "interrupt", StopWithin: 20 * time.Second, CPUs: "0", LoadCPUs: "1-3,6",
			Cleanup: [][]string{{"rm", "-rf", "{tmp}/x"}},
		},
	}
	if len(s.Workloads) != 1 || !reflect.DeepEqual(s.Workloads[0], want) {
		t.Errorf("got  %+v\nwant %+v", s.Workloads, want)
	}
	if got := s.Measure.Collect; !reflect.DeepEqual(got, []string{"gc"}) {
		t.Errorf("got %q collected, want what is not collected anyway", got)
	}
	if got, want := s.Decide.Metrics, []string{"latency.p50", "latency.p99", "tx/s"}; !reflect.DeepEqual(got, want) {
		t.Errorf("got metrics %q, want %q", got, want)
	}
	if s.Decide.Confidence != 0.95 || s.Measure.Timeout != 15*time.Minute {
		t.Errorf("got confidence %v, timeout %v, want the defaults of services", s.Decide.Confidence, s.Measure.Timeout)
	}
	roundTrip(t, s)
}

// served is a small service up to its load; lines behind it are the ninth and
// on.
const served = "[[variant]]\nname = \"a\"\n[[workload]]\nkind = \"service\"\nstart = [\"{bin}\", \"{port}\"]\n"

func TestParseHTTPLoad(t *testing.T) {
	s, err := Parse("s.toml", []byte(served+`
[workload.http]
url = "http://127.0.0.1:{port}/x?a=b"
rate = 1_500.5
duration = "10s"
warmup = "2s"
method = "POST"
body = '{"a": 1}'
headers = { Accept = "text/html", X-Level = 3 }
connections = 100
timeout = "5s"

[workload.ready]
http = "http://127.0.0.1:{port}/healthz"

[decide]
metric = ["latency.p50", "latency.p99.99", "own"]
confidence = "99%"
[measure]
timeout = "2m"
`))
	if err != nil {
		t.Fatal(err)
	}
	want := &assay.Service{
		Start: []string{"{bin}", "{port}"}, Ready: assay.Ready{HTTP: "http://127.0.0.1:{port}/healthz"},
		HTTP: &assay.HTTPLoad{
			URL: "http://127.0.0.1:{port}/x?a=b", Rate: 1500.5, Arrivals: assay.ArrivalsPoisson, Duration: 10 * time.Second, Warmup: 2 * time.Second, Method: "POST",
			Body: `{"a": 1}`, Headers: map[string]string{"Accept": "text/html", "X-Level": "3"}, Connections: 100, Timeout: 5 * time.Second,
		},
	}
	if got := s.Workloads[0]; !reflect.DeepEqual(got.Service, want) || !reflect.DeepEqual(got.Names, []string{"service"}) {
		t.Errorf("got  %+v %+v\nwant %+v", got.Names, got.Service, want)
	}
	if s.Decide.Confidence != 0.99 || s.Measure.Timeout != 2*time.Minute {
		t.Errorf("got confidence %v, timeout %v, want what the file says", s.Decide.Confidence, s.Measure.Timeout)
	}
	// Defaults of other kinds have to be written of a service.
	roundTrip(t, s)
}

func TestServiceNames(t *testing.T) {
	const rest = "http = { url = \"http://127.0.0.1:{port}\", rate = 1, duration = \"1s\" }\n"
	for _, test := range []struct{ lines, want string }{
		{"start = [\"{bin}\", \"{port}\"]", "service"},
		{"start = [\"{bin}\", \"{port}\"]\npackage = \"example.com/x/cmd/fileserver\"", "fileserver"},
		{"start = [\"/usr/bin/redis-server\", \"--port\", \"{port}\"]", "redis-server"},
		{"start = [\"{bin}\", \"{port}\"]\nname = \"two words\"", "two_words"},
	} {
		s, err := Parse("s.toml", []byte("[[variant]]\nname = \"a\"\n[[workload]]\nkind = \"service\"\n"+test.lines+"\n"+rest))
		if err != nil {
			t.Errorf("%s: %v", test.lines, err)
			continue
		}
		if got := s.Workloads[0].Names; !reflect.DeepEqual(got, []string{test.want}) {
			t.Errorf("%s: got %q, want %q", test.lines, got, test.want)
		}
		roundTrip(t, s)
	}
}

// TestParseServiceErrors: the lines after head start on line 5, those after
// served on line 6, those after ok on line 7.
func TestParseServiceErrors(t *testing.T) {
	const head = "[[variant]]\nname = \"a\"\n[[workload]]\nkind = \"service\"\n"
	const web = "http = { url = \"http://127.0.0.1:{port}\", rate = 1, duration = \"1s\" }\n"
	const ok = served + web
	const value, key = "   [study-value]", "   [study-key]"
	for _, test := range []struct{ name, text, want string }{
		{"no start", head + web, `3:3: [[workload]] has no start: the command line of the server` + key},
		{"start as a line", head + "start = \"{bin} -x\"", `5:9: start = "{bin} -x" is not a list: write ["{bin}", "-x"]` + value},
		{"mark nearly", head + "start = [\"{bin}\", \"{prot}\"]", `5:19: start = "{prot}" has {prot} in it; did you mean {port}?` + value},
		{"no port", head + "start = [\"{bin}\"]\n" + web, `5:1: ["{bin}"] has no {port} in it, and the service is ready when it listens there: give it to the server, or say what makes it ready: ready = { tcp = "127.0.0.1:{port}", within = "30s" }` + value},
		{"port in env", head + "start = [\"{bin}\"]\nenv = { PORT = \"{port}\" }\n" + web, ""},
		{"port in what is prepared", head + "start = [\"{bin}\"]\nprepare = [\"mkconfig\", \"{port}\"]\n" + web, ""},
		{"ready without port", head + "start = [\"{bin}\"]\nready = { log = \"up\" }\n" + web, ""},
		{"only how long", ok + "ready = { within = \"1m\" }", ""},

		{"ready as text", ok + "ready = \"tcp\"", `7:9: ready = "tcp" is not a table such as { tcp = "127.0.0.1:{port}", within = "30s" }` + value},
		{"ready twice", ok + "ready = { tcp = \"x:{port}\", log = \"up\" }", `7:29: ready has tcp and log: a service is ready by one of tcp, http and log` + key},
		{"ready key", ok + "ready = { lgo = \"up\" }", `7:11: unknown key "lgo" in ready; did you mean "log"?` + key},
		{"ready timeout", ok + "ready = { timeout = \"1s\" }", `7:11: unknown key "timeout" in ready; it has http, log, tcp, within` + key},
		{"ready regexp", ok + "ready = { log = \"(\" }", "7:17: log = \"(\" is not a regular expression: missing closing ): `(`" + value},
		{"ready always", ok + "ready = { log = \"\" }", `7:17: log = "" matches every line` + value},
		{"ready address", ok + "ready = { tcp = \"{port}\" }", `7:17: tcp = "{port}" is not an address such as "127.0.0.1:{port}"` + value},
		{"ready mark", ok + "ready = { tcp = \"x:{bin}\" }", `7:17: tcp = "x:{bin}" has {bin} in it, and only {port} is filled in here` + value},
		{"ready URL", ok + "ready = { http = \"127.0.0.1:{port}/\" }", `7:18: http = "127.0.0.1:{port}/" is not a URL such as "http://127.0.0.1:{port}/"` + value},
		{"ready within", ok + "ready = { within = 30 }", `7:20: within = 30 needs a unit: "30s" or "30m"` + value},

		{"no load", served, `3:3: [[workload]] has no load: write load and parse, or http = { url = "http://127.0.0.1:{port}/", rate = 500, duration = "10s" }` + key},
		{"two loads", ok + "load = [\"wrk\"]\nparse = \"assay\"", `6:1: load and http cannot stand together: http is the load that is built in` + key},
		{"parse of http", ok + "parse = \"assay\"", `7:9: parse = "assay" cannot be combined with http, whose result is known` + value},
		{"results of http", ok + "results = \"{tmp}/x\"", `7:11: results = "{tmp}/x" cannot be combined with http, whose result is known` + value},
		{"format nearly", served + "parse = \"asay\"", `6:9: parse = "asay" is not a format that assay reads; did you mean "assay"?` + value},
		{"results", served + "results = \"\"", `6:11: results = "" names no file` + value},
		{"results of the program", served + "results = \"{bin}.out\"", `6:11: results = "{bin}.out" has {bin} in it, and only {tmp} {study} {name} {port} is filled in here` + value},

		{"http as text", served + "http = \"http://x\"", `6:8: http = "http://x" is not a table such as { url = "http://127.0.0.1:{port}/", rate = 500, duration = "10s" }` + value},
		{"http without rate", served + "http = { url = \"http://x\" }", `6:1: http has no rate: write { url = "http://127.0.0.1:{port}/", rate = 500, duration = "10s" }` + key},
		{"rate of nothing", served + "http = { rate = 0 }", `6:17: rate = 0 is not a number of requests a second, 0.001 to 1000000` + value},
		{"rate of no number", served + "http = { rate = nan }", `6:17: rate = nan is not a number of requests a second, 0.001 to 1000000` + value},
		{"rate with a unit", served + "http = { rate = \"500/s\" }", `6:17: rate = "500/s" is not a number of requests a second, 0.001 to 1000000` + value},
		{"arrivals", served + "http = { arrivals = \"random\" }", `6:21: arrivals = "random" is neither "poisson" nor "even"` + value},
		{"method", served + "http = { method = \"get\" }", `6:19: method = "get" is written "GET"` + value},
		{"no method", served + "http = { method = \"A B\" }", `6:19: method = "A B" is not a method of HTTP` + value},
		{"header", served + "http = { headers = { \"A:\" = \"x\" } }", `6:22: "A:" is not the name of a header` + key},
		{"header value", strings.Replace(ok, "rate = 1", `rate = 1, headers = { A = "x\r\nB: y" }`, 1), "6:69: A = \"x\\r\\nB: y\" has a control character in it" + value},
		{"http key", served + "http = { connection = 1 }", `6:10: unknown key "connection" in http; did you mean "connections"?` + key},

		{"stop", ok + "stop = \"SIGTERM\"", `7:8: stop = "SIGTERM" is called "terminate" here` + value},
		{"stop by nothing", ok + "stop = \"quit\"", `7:8: stop = "quit" is none of "interrupt", "terminate", "kill"` + value},
		{"cpus", ok + "cpus = \"0,\"", `7:8: cpus = "0," is not a list of processors such as "0" or "0-3,6"` + value},
		{"cpus turned", ok + "cpus = \"3-1\"", `7:8: cpus = "3-1" has a range that ends before it begins: 3-1` + value},
		{"cpus of nowhere", ok + "load_cpus = \"0-99999999\"", `7:13: load_cpus = "0-99999999" is not a list of processors such as "0" or "0-3,6"` + value},
		{"env", ok + "env = { X = \"{tpm}\" }", `7:13: X = "{tpm}" has {tpm} in it; did you mean {tmp}?` + value},
		{"env of the build", ok + "env = { GOAMD64 = \"v3\" }", `7:9: GOAMD64 is a build variable: it belongs in build` + key},
		{"not fresh", ok + "fresh = false", `7:9: fresh = false cannot be: assay always starts every trial with a new process and an empty folder` + value},

		{"empty step", ok + "setup = []", `7:9: setup = […] names no program` + value},
		{"empty one of many", ok + "setup = [[\"a\"], []]", `7:9: setup = […] names no program` + value},
		{"one beside many", ok + "setup = [[\"a\"], \"b\"]", `7:17: setup = "b" is not a list: write ["b"]` + value},
		{"names", ok + "names = [\"a\", \"b\"]", `7:1: 2 names are as many runs of the same: no command has {name} in it` + value},
		{"name and names", ok + "name = \"a\"\nnames = [\"b\"]", `8:1: names cannot be combined with name: a service has one or the other` + key},
		{"no name", ok + "name = \"\"", `7:8: name = "" is no name` + value},
		{"key of a command", ok + "stdin = \"x\"", `7:1: unknown key "stdin" in [[workload]] of a service; it belongs to kind = "command"` + key},
		{"key nearly", ok + "load_cpu = \"1\"", `7:1: unknown key "load_cpu" in [[workload]] of a service; did you mean "load_cpus"?` + key},
		{"twice", ok + strings.TrimPrefix(ok, "[[variant]]\nname = \"a\"\n"), `7:3: service "service" is named twice: give this one other names` + value},
		{"beside benchmarks", ok + "[[workload]]\nbench = \".\"", `7:3: a go-test cannot be combined with a service: what they measure has other names; make two studies` + value},
		{"behind benchmarks", "[[workload]]\nbench = \".\"\n" + ok, `5:3: a service cannot be combined with a go-test: what they measure has other names; make two studies` + value},
		{"with by", "[by]\nkey = \"/x\"\n" + strings.TrimPrefix(ok, "[[variant]]\nname = \"a\"\n"), `4:8: kind = "service" cannot be combined with [by]: a service has no sub-benchmarks` + value},
		{"run of a variant", strings.Replace(ok, "[[work", "run = [\"x\"]\n[[work", 1), `6:1: ["x"] has no {port} in it, and the service is ready when it listens there: give it to the server, or say what makes it ready: ready = { tcp = "127.0.0.1:{port}", within = "30s" }` + value},
		{"other server", strings.Replace(ok, "[[work", "run = [\"x\", \"{port}\"]\n[[work", 1), ""},
		{"server that is not built", strings.Replace(ok, "[[work", "run = [\"x\", \"{port}\"]\ngo = \"go1.26.8\"\n[[work", 1), `4:1: "go" changes nothing: no command of variant "a" has {bin} in it, so nothing is built` + key},
		{"build of nothing", strings.NewReplacer("[[work", "go = \"go1.26.8\"\n[[work", "{bin}", "redis").Replace(ok), `3:1: "go" changes nothing: no command of variant "a" has {bin} in it, so nothing is built` + key},
		{"package of nothing", strings.Replace(ok, "{bin}", "redis", 1) + "package = \"./x\"", `7:11: package = "./x" changes nothing: no command has {bin} in it` + value},
		{"built to prepare", strings.NewReplacer("[[work", "go = \"go1.26.8\"\n[[work", "{bin}", "redis").Replace(ok) + "prepare = [\"{bin}\"]", ""},

		{"quantile", ok + "[decide]\nmetric = \"latency.p95\"", `8:10: metric = "latency.p95" is not a quantile that assay gives; it has latency.p50, latency.p90, latency.p99, latency.p99.9, latency.p99.99` + value},
		{"fixed rate", ok + "[decide]\nmetric = [\"latency.p99\", \"tx/s\"]", `8:26: metric = "tx/s" is fixed by the load, so that it is the same with every server that keeps up; ask for latency.p99 or cpu-sec/ktx` + value},
		{"mean", ok + "[decide]\nmetric = [\"errors/tx\", \"latency.mean\"]", `8:24: metric = "latency.mean" is not a quantile that assay gives; it has latency.p50, latency.p90, latency.p99, latency.p99.9, latency.p99.99` + value},
		{"time", ok + "[decide]\ntradeoff = [\"errors/tx\", \"time\"]", `8:26: tradeoff = "time" is not measured of a service; it has latency.p50, latency.p90, latency.p99, latency.p99.9, latency.p99.99, tx/s, errors/tx, mean-RSS-bytes, peak-RSS-bytes, cpu-sec/ktx` + value},
		{"effect of a quantile", ok + "[decide]\nmin_effect = { \"latency.p98\" = \"1%\" }", `8:16: min_effect = "latency.p98" is not a quantile that assay gives; it has latency.p50, latency.p90, latency.p99, latency.p99.9, latency.p99.99` + value},
		{"collector", ok + "[decide]\nmetric = \"gc.mark\"", `8:10: metric = "gc.mark" is not collected: add collect = ["gc"] to [measure]` + value},
		{"collected", ok + "[decide]\nmetric = \"gc.mark\"\n[measure]\ncollect = [\"gc\"]", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			s, err := Parse("s.toml", []byte(test.text))
			if test.want == "" && err == nil {
				roundTrip(t, s)
				return
			}
			checkUsage(t, err, "s.toml:"+test.want)
		})
	}
}

// TestLoadWithoutParse: its message ends with the formats, which grow.
func TestLoadWithoutParse(t *testing.T) {
	_, err := Parse("s.toml", []byte(served+"load = [\"wrk\"]"))
	if want := "s.toml:6:1: load has no parse: write the format of its result, one of "; err == nil || !strings.HasPrefix(err.Error(), want) {
		t.Errorf("got %v, want %s…", err, want)
	}
	_, err = Parse("s.toml", []byte(served+"load = [\"x\"]\nparse = \"zzzzzzzz\""))
	if want := `s.toml:7:9: parse = "zzzzzzzz" is not a format that assay reads; it has `; err == nil || !strings.HasPrefix(err.Error(), want) {
		t.Errorf("got %v, want %s…", err, want)
	}
}

// Even arrivals are written, since a study without a word has the default.
func TestArrivals(t *testing.T) {
	for word, want := range map[string]assay.Arrivals{"": assay.ArrivalsPoisson, `, arrivals = "poisson"`: assay.ArrivalsPoisson, `, arrivals = "even"`: assay.ArrivalsEven} {
		s, err := Parse("s.toml", []byte(served+"http = { url = \"http://x:{port}\", rate = 5, duration = \"1s\""+word+" }"))
		if err != nil || s.Workloads[0].Service.HTTP.Arrivals != want {
			t.Fatalf("%s: %v, want %v", word, err, want)
		}
		roundTrip(t, s)
	}
}

// FuzzService: whatever is a study of services is written back as itself.
func FuzzService(f *testing.F) {
	f.Add(greentea)
	f.Add(served + "http = { url = \"http://x:{port}\", rate = 1e3, duration = \"1s\", headers = { A = \"{\\\"}\" } }")
	f.Add(served + "http = { url = \"http://x:{port}\", rate = 1e3, duration = \"1s\", arrivals = \"even\" }")
	f.Add(served + "load = [\"wrk\"]\nparse = \"assay\"\nsetup = [[\"a\"], [\"b\"]]\ncpus = \"0-1\"")
	f.Fuzz(func(t *testing.T, text string) {
		if s, err := Parse("s.toml", []byte(text)); err == nil && anyService(s) {
			roundTrip(t, s)
		} else if err != nil {
			checkExit(t, err)
		}
	})
}
