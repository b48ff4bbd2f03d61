package local

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/pprof/profile"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/build"
	"github.com/seed-1318a441/assay/internal/collect/load"
	"github.com/seed-1318a441/assay/internal/lab"
	"github.com/seed-1318a441/assay/internal/survey"
)

// TestMain lets the test binary stand for assay as the load generator: it asks
// the server of testdata/server a few times and prints the result.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == "load" {
		if err := ask(os.Args[len(os.Args)-1]); err != nil {
			fmt.Fprintln(os.Stderr, err)
			time.Sleep(time.Hour) // the end of the server ends the load
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}

// ask asks the server at a URL, whose path it sends, 100 times.
func ask(where string) error {
	u, err := url.Parse(where)
	if err != nil {
		return err
	}
	begin := time.Now()
	var latencies []float64
	for range 100 {
		start := time.Now()
		conn, err := net.Dial("tcp4", u.Host)
		if err != nil {
			return err
		}
		fmt.Fprintln(conn, strings.TrimPrefix(u.Path, "/"))
		line, err := bufio.NewReader(conn).ReadString('\n')
		conn.Close()
		if line != "ok\n" {
			return fmt.Errorf("got %q, %v", line, err)
		}
		latencies = append(latencies, time.Since(start).Seconds())
	}
	s := time.Since(begin).Seconds()
	return json.NewEncoder(os.Stdout).Encode(load.Result{Latency: assay.NewHistogram(latencies), Requests: 100, Seconds: s, Rate: 100 / s, Intended: 50})
}

// serverStudy is a study of testdata/server whose load sends a word.
func serverStudy(t *testing.T, word string) *assay.Study {
	t.Helper()
	dir, err := filepath.Abs("testdata/server")
	if err != nil {
		t.Fatal(err)
	}
	s := &assay.Study{Name: "server", Dir: dir, Variants: []assay.Variant{{Name: "50", Env: map[string]string{"GOGC": "50"}}, {Name: "400", Env: map[string]string{"GOGC": "400"}}},
		Measure: assay.Measure{Collect: []string{assay.CollectGC}},
		Workloads: []assay.Workload{{Kind: assay.KindService, Names: []string{"srv"}, Env: map[string]string{"WHERE": "{tmp} for {name}"}, Service: &assay.Service{
			Prepare: [][]string{{"{bin}", "fill", "{tmp}/data"}},
			Start:   []string{"{bin}", "{port}"},
			Ready:   assay.Ready{Log: "^serving .*/tmp-[0-9]+ for srv$", Within: time.Hour},
			HTTP:    &assay.HTTPLoad{URL: "http://127.0.0.1:{port}/" + word, Rate: 50, Duration: time.Second},
			Stop:    assay.StopKill,
		}}}}
	s.SetDefaults()
	return s
}

// here is a workshop and the machine that it builds for.
func here(t *testing.T) (*Workshop, *Machine) {
	t.Helper()
	b := build.New(t.TempDir())
	l, err := NewMachine(b.Cache)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	if l.Assay, err = os.Executable(); err != nil {
		t.Fatal(err)
	}
	return NewWorkshop(b, l), l
}

// A whole service on this machine: built, prepared in a folder of its own,
// loaded by this program, traced, ended, and nothing left behind.
func TestServiceOnThisMachine(t *testing.T) {
	w, l := here(t)
	s := serverStudy(t, "ask")
	if err := l.Check(t.Context(), s); err != nil {
		t.Fatal(err)
	}
	builds, err := lab.Build(t.Context(), w, s, func(lab.Event) {})
	if err != nil {
		t.Fatal(err)
	}
	a := builds.Of("50")[0]
	if same, _ := builds.Same(nil); a.Package != "example.com/server" || len(same) != 0 {
		t.Errorf("built %q; the same code with another GOGC is called the same: %v", a.Package, same)
	}
	out, err := l.Run(t.Context(), lab.RunRequest{Study: s, Artifact: a, Variant: s.Variants[0], Names: []string{"srv"}, N: 1})
	if err != nil {
		t.Fatal(err)
	}
	o := out.Observations("srv", 1)
	if out.Status != assay.StatusOK || o["latency.p50"] <= 0 || o[assay.MetricRequests] <= 0 || out.Intended != 50 {
		t.Errorf("status %s (%s), intended %g, observed %v", out.Status, out.Reason, out.Intended, o)
	}
	if o[assay.MetricGCMark] <= 0 || out.Collected == nil || out.Collected.Latency.Total() != 100 || len(out.Collected.GC) == 0 {
		t.Errorf("observed %v, collected %+v: want a collector at work and 100 latencies", o, out.Collected)
	}
	if left, err := os.ReadDir(l.links); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

// A server that dies on the base ends the study with its last words.
func TestServiceThatDies(t *testing.T) {
	w, l := here(t)
	s := serverStudy(t, "die")
	builds, err := lab.Build(t.Context(), w, s, func(lab.Event) {})
	if err != nil {
		t.Fatal(err)
	}
	_, err = survey.Prepare(t.Context(), survey.Setup{Study: s, Machine: l, Builds: builds, Events: func(lab.Event) {}, Platform: assay.Platform{CPUs: 2}})
	var e *assay.Error
	if !errors.As(err, &e) || e.Code != "service-failed" || e.Exit != assay.ExitBuild {
		t.Fatalf("got %v, want service-failed with exit 4", err)
	}
	if text := strings.Join(e.Facts, "\n"); !strings.Contains(text, "panic: asked to") {
		t.Errorf("facts do not say why it died:\n%s", text)
	}
}

// A profile is of the load: not of what the server does before it, and also of a server
// that is killed. It is collected until there are enough samples.
func TestServiceProfile(t *testing.T) {
	w, _ := here(t)
	s := serverStudy(t, "work")
	s.Workloads[0].Env["BOOT"] = "1"
	v := s.Variants[1]
	v.PGO = assay.PGOAuto
	r, err := w.ownProfile(t.Context(), lab.BuildRequest{Study: s, Variant: v})
	if err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(r.Variant.PGO)
	if err != nil {
		t.Fatal(err)
	}
	p, err := profile.ParseData(data)
	if err != nil {
		t.Fatal(err)
	}
	if n := countSamples([]*profile.Profile{p}); n < assay.EnoughSamples {
		t.Errorf("got %d samples, want %d", n, assay.EnoughSamples)
	}
	if work, boot := samplesIn(p, "main.work"), samplesIn(p, "main.boot"); work == 0 || boot > 0 {
		t.Errorf("%d samples are in the work under load, %d in the time before it", work, boot)
	}
}

// samplesIn counts the samples below a function.
func samplesIn(p *profile.Profile, function string) (n int64) {
	for _, s := range p.Sample {
		if slices.ContainsFunc(s.Location, func(l *profile.Location) bool {
			return slices.ContainsFunc(l.Line, func(l profile.Line) bool { return l.Function.Name == function })
		}) {
			n += s.Value[0]
		}
	}
	return n
}

// A server that is no program of assay's has no profile, and the message says why.
func TestServiceWithoutProfile(t *testing.T) {
	w, _ := here(t)
	s := serverStudy(t, "ask")
	s.Variants[0].Run = []string{"sleep", "60"}
	v := s.Variants[1]
	v.PGO = assay.PGOAuto
	_, err := w.ownProfile(t.Context(), lab.BuildRequest{Study: s, Variant: v})
	var e *assay.Error
	if !errors.As(err, &e) || e.Code != "no-profile" || !strings.Contains(strings.Join(e.Facts, ""), "runs a program that assay did not build") {
		t.Errorf("got %v", err)
	}
}

func TestServicePlaceholders(t *testing.T) {
	l := &Machine{Assay: "/opt/assay", links: t.TempDir(), files: map[string]holding{"server": {Artifact: build.Artifact{Path: "/bin/server"}}}}
	t.Setenv("GOGC", "7")
	study := t.TempDir()
	w := assay.Workload{Kind: assay.KindService, Env: map[string]string{"DATA": "{tmp}/d", "GODEBUG": "x={port}"}, Service: &assay.Service{
		Prepare: [][]string{{"{bin}", "init", "{tmp}"}, {"{study}/p"}}, Start: []string{"{bin}", "--port={port}"},
		Setup: [][]string{{"a", "{name}"}}, Warmup: [][]string{{"w", "{port}"}}, Cleanup: [][]string{{"c", "{tmp}"}},
		Ready: assay.Ready{TCP: "127.0.0.1:{port}", HTTP: "http://h:{port}/", Log: "{port}$"},
		Load:  []string{"sysbench", "--p={port}"}, Parse: "sysbench", Results: "{tmp}/r", LoadCPUs: "0"}}
	s := &assay.Study{Dir: study, Workloads: []assay.Workload{w}}
	v := assay.Variant{Name: "v", Env: map[string]string{"GOGC": "50", "LOG": "{tmp}/log"}}
	got, drop, err := l.service(lab.RunRequest{Study: s, Variant: v, Names: []string{"n"}, Artifact: lab.Artifact{ID: "server"}})
	if err != nil {
		t.Fatal(err)
	}
	if left, err := os.ReadDir(got.Dir); err != nil || len(left) > 0 || got.Port == 0 {
		t.Errorf("port %d, folder with %v, %v; want one that is empty", got.Port, left, err)
	}
	port, tmp := fmt.Sprint(got.Port), got.Dir
	x := got.Service
	have := fmt.Sprint(x.Prepare, x.Start, x.Setup, x.Warmup, x.Cleanup, x.Ready, x.Load, x.Results)
	want := fmt.Sprint([][]string{{"/bin/server", "init", tmp}, {study + "/p"}}, []string{"/bin/server", "--port=" + port}, [][]string{{"a", "n"}},
		[][]string{{"w", port}}, [][]string{{"c", tmp}}, assay.Ready{TCP: "127.0.0.1:" + port, HTTP: "http://h:" + port + "/", Log: port + "$"},
		[]string{"sysbench", "--p=" + port}, tmp+"/r")
	if have != want {
		t.Errorf("got  %s\nwant %s", have, want)
	}
	for _, kv := range []string{"GOGC=50", "LOG=" + tmp + "/log", "DATA=" + tmp + "/d", "GODEBUG=x=" + port} {
		if !slices.Contains(got.Env, kv) {
			t.Errorf("the server lacks %s", kv)
		}
	}
	if !slices.Contains(got.LoadEnv, "DATA="+tmp+"/d") || !slices.Contains(got.LoadEnv, "GOMAXPROCS=1") ||
		slices.ContainsFunc(got.LoadEnv, func(kv string) bool {
			return strings.HasPrefix(kv, "GOGC=") || strings.HasPrefix(kv, "GODEBUG=") || strings.HasPrefix(kv, "LOG=")
		}) {
		t.Errorf("the others get %q: want DATA and what the load's CPUs mean, and nothing that is the server's alone", got.LoadEnv)
	}
	drop()
	if _, err := os.Stat(tmp); !os.IsNotExist(err) {
		t.Errorf("the folder is still there: %v", err)
	}
	if w.Service.Start[1] != "--port={port}" || w.Service.Prepare[0][0] != "{bin}" {
		t.Error("the study itself was filled in")
	}
}

// The built-in load is this program, run as any other; a variant's own command
// line starts its server.
func TestServiceHTTPLoad(t *testing.T) {
	l := &Machine{Assay: "/opt/assay", links: t.TempDir(), files: map[string]holding{"server": {Artifact: build.Artifact{Path: "/opt/assay/server"}}}}
	w := assay.Workload{Kind: assay.KindService, Service: &assay.Service{Start: []string{"no-such-server"},
		HTTP: &assay.HTTPLoad{URL: "http://h:{port}/{name}", Body: "{name}", Headers: map[string]string{"Host": "{name}"}, Rate: 10, Duration: time.Second}}}
	s := &assay.Study{Dir: t.TempDir(), Workloads: []assay.Workload{w}}
	own := assay.Variant{Run: []string{l.Assay + "/server", "{port}"}}
	got, drop, err := l.service(lab.RunRequest{Study: s, Variant: own, Names: []string{"n"}, Artifact: lab.Artifact{ID: "server"}})
	if err != nil {
		t.Fatal(err)
	}
	drop()
	line := strings.Join(got.Service.Load, " ")
	if !strings.HasPrefix(line, "/opt/assay load ") || !strings.HasSuffix(line, fmt.Sprintf("http://h:%d/n", got.Port)) || !strings.Contains(line, "Host:n") || !strings.Contains(line, "body=n") ||
		got.Service.Parse != "assay" || got.Service.HTTP != nil {
		t.Errorf("load is %q, read as %q", line, got.Service.Parse)
	}
	if got.Service.Start[0] != own.Run[0] || w.Service.HTTP.Headers["Host"] != "{name}" {
		t.Errorf("started by %q; headers of the study: %v", got.Service.Start, w.Service.HTTP.Headers)
	}
}

// checkCode reports what code an error has, "" for none.
func checkCode(t *testing.T, err error, want string, parts ...string) {
	t.Helper()
	var e *assay.Error
	if want == "" && err == nil {
		return
	}
	if !errors.As(err, &e) || string(e.Code) != want || e.Exit != assay.ExitUsage {
		t.Errorf("got %v, want %q with exit 2", err, want)
		return
	}
	for _, part := range parts {
		if !strings.Contains(e.Text+"|"+e.Remedy(), part) {
			t.Errorf("%q, %q: want %q in it", e.Text, e.Remedy(), part)
		}
	}
}

// Programs are looked for before anything is built, and told with their packages.
func TestServiceToolsAreLookedFor(t *testing.T) {
	bin, study := t.TempDir(), t.TempDir()
	name := "here"
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	for _, file := range []string{filepath.Join(bin, name), filepath.Join(study, name)} {
		if err := os.WriteFile(file, nil, 0o777); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("PATH", bin)
	for _, tc := range []struct {
		load, setup string
		run         []string
		code        string
		parts       []string
	}{
		{load: "here", setup: "{bin}"},
		{load: "{study}/here", setup: "{tmp}/made"},
		{load: "bin/made", setup: "here"},
		{load: "sysbench", setup: "here", code: "no-load-tool", parts: []string{"sysbench is not installed", "apt install sysbench", "brew install sysbench"}},
		{load: "oha", setup: "here", code: "no-load-tool", parts: []string{"brew install oha"}},
		{load: "here", setup: "mysql", code: "no-load-tool", parts: []string{"mysql is not installed"}},
		{load: "{study}/gone", setup: "here", code: "no-load-tool", parts: []string{"gone"}},
		{load: "here", setup: "here", run: []string{"no-server"}, code: "no-load-tool", parts: []string{"no-server"}},
	} {
		w := assay.Workload{Kind: assay.KindService, Names: []string{"srv"},
			Service: &assay.Service{Start: []string{"{bin}"}, Setup: [][]string{{tc.setup}}, Load: []string{tc.load}, Parse: "sysbench"}}
		s := &assay.Study{Dir: study, Workloads: []assay.Workload{w}, Variants: []assay.Variant{{Name: "a"}, {Name: "b", Run: tc.run}}}
		checkCode(t, checkServices(s), tc.code, tc.parts...)
	}
}

func TestServiceCPUs(t *testing.T) {
	usable := []int{0, 1, 2, 5}
	for _, tc := range []struct {
		cpus, goos, code string
		parts            []string
	}{
		{"", "darwin", "", nil},
		{"0-2,5", "linux", "", nil},
		{"0-3", "linux", "no-cpus", []string{"no CPU 3", "4 CPUs", "0-2,5"}},
		{"7", "linux", "no-cpus", []string{"no CPU 7"}},
		{"0-", "linux", "no-cpus", []string{"is not a list of processors"}},
		{"0", "darwin", "no-cpus", []string{"only Linux", "darwin"}},
	} {
		checkCode(t, checkCPUs("cpus", tc.cpus, tc.goos, usable), tc.code, tc.parts...)
	}
}

func TestUsableCPUs(t *testing.T) {
	for in, want := range map[string]string{"0": "0", "0,1,2": "0-2", "5,0-2,1": "0-2,5", "3-3": "3"} {
		list, err := assay.CPUList(in)
		if got := assay.FormatCPUs(list); err != nil || got != want {
			t.Errorf("%q is %q, %v; want %q", in, got, err, want)
		}
	}
	if runtime.GOOS == "linux" && len(usableCPUs()) != runtime.NumCPU() {
		t.Errorf("usable are %v of %d", usableCPUs(), runtime.NumCPU())
	}
}

// A process that is bound to CPUs has as many Ps, unless the variant says so.
func TestProcsOfBoundProcess(t *testing.T) {
	for _, tc := range []struct {
		cpus string
		v    assay.Variant
		want int
	}{
		{"", assay.Variant{}, 4}, {"0", assay.Variant{}, 1}, {"0-7", assay.Variant{}, 4},
		{"0", assay.Variant{Env: map[string]string{"GOMAXPROCS": "4"}}, 4},
	} {
		if got := procsOn(4, tc.cpus, tc.v); got != tc.want {
			t.Errorf("cpus %q, env %v: %d, want %d", tc.cpus, tc.v.Env, got, tc.want)
		}
	}
}
