package remote

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/build"
	"github.com/seed-1318a441/assay/internal/collect"
	"github.com/seed-1318a441/assay/internal/disk/disktest"
	"github.com/seed-1318a441/assay/internal/errortest"
	"github.com/seed-1318a441/assay/internal/host"
	"github.com/seed-1318a441/assay/internal/lab"
	"github.com/seed-1318a441/assay/internal/local"
	"github.com/seed-1318a441/assay/internal/record"
	"github.com/seed-1318a441/assay/internal/remote/wire"
	"github.com/seed-1318a441/assay/internal/survey"
	"github.com/seed-1318a441/assay/internal/trial"
)

// agentArg makes the test binary an agent.
const agentArg = "agent-of-a-test"

func TestMain(m *testing.M) {
	if len(os.Args) == 2 && os.Args[1] == agentArg {
		self, _ := os.Executable()
		if err := Serve(context.Background(), os.Stdin, os.Stdout, self); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	dir, err := os.MkdirTemp("", "assay-test-lock-")
	if err != nil {
		panic(err)
	}
	os.Setenv(host.LockVariable, dir) // whoever measures here is not disturbed
	status := m.Run()
	os.RemoveAll(dir)
	os.Exit(status)
}

// A process is an agent as a process of its own, with its standard input and output.
type process struct {
	io.Reader
	io.WriteCloser
	cmd *exec.Cmd
}

// startAgent starts an agent whose home is dir, and reads up to its first frame.
func startAgent(dir string) (*process, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	cmd := exec.Command(self, agentArg)
	cmd.Env = append(os.Environ(), "HOME="+dir, "XDG_CACHE_HOME="+filepath.Join(dir, "cache"), "OF_THE_LOGIN=shell")
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	_, err = wire.Await(out)
	return &process{out, in, cmd}, err
}

// Close ends an agent, and kills one that does not end.
func (p *process) Close() error {
	p.WriteCloser.Close()
	late := time.AfterFunc(5*time.Second, func() { p.cmd.Process.Kill() })
	defer late.Stop()
	return p.cmd.Wait()
}

// An agent clears what killed agents left on its machine.
func TestAgentSweeps(t *testing.T) {
	home := t.TempDir()
	c := filepath.Join(home, "cache", "assay")
	left := filepath.Join(c, "tmp", "deadbeefdeadbeef.remote-1")
	for _, dir := range []string{left, filepath.Join(c, "alive")} {
		if err := os.MkdirAll(dir, 0o777); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(c, "alive", "deadbeefdeadbeef"), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	p, err := startAgent(home)
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Close(); err != nil {
		t.Fatal(err)
	}
	for _, gone := range []string{left, filepath.Join(c, "alive", "deadbeefdeadbeef")} {
		if _, err := os.Stat(gone); err == nil {
			t.Errorf("%s is still there", gone)
		}
	}
}

// A bench is a machine elsewhere, with a workshop here, and the agents that it had.
type bench struct {
	*Machine
	builder *build.Builder
	shop    *local.Workshop

	mu     sync.Mutex
	agents []*process
	said   []string
}

// agent returns the agent of the present connection.
func (b *bench) agent() *process {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.agents[len(b.agents)-1]
}

// connectTo connects to an agent whose home is dir.
func connectTo(t testing.TB, dir string) *bench {
	t.Helper()
	b := &bench{builder: build.New(t.TempDir())}
	m, err := Connect(t.Context(), Options{Name: "bench1", Builder: b.builder, Patience: time.Minute,
		Say: func(text string) {
			b.mu.Lock()
			defer b.mu.Unlock()
			b.said = append(b.said, text)
		},
		Link: OverStream(func(context.Context) (io.ReadWriteCloser, error) {
			p, err := startAgent(dir)
			if err != nil {
				return nil, err
			}
			b.mu.Lock()
			defer b.mu.Unlock()
			b.agents = append(b.agents, p)
			return p, nil
		})})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { m.Close() })
	b.Machine, b.shop = m, local.NewWorkshop(b.builder, m)
	return b
}

// subject has a package whose benchmarks read files of other folders and write, and a
// program that reads a file of the study.
var subject = map[string]string{
	"go.mod": "module example.com/far\n\ngo 1.24\n", "testdata/shared.txt": "shared", "input.txt": "of the study",
	"w/w_test.go": `package w

import (
	"os"
	"testing"
)

func BenchmarkRead(b *testing.B) {
	for b.Loop() {
		if _, err := os.ReadFile("../testdata/shared.txt"); err != nil {
			b.Fatal(err)
		}
	}
	if os.Getenv("OF_THE_LOGIN") != "" {
		b.Fatal("it has the variables of the login")
	}
}

var sink uint64

func BenchmarkSum(b *testing.B) {
	for i := range b.N {
		sink += sink*31 + uint64(i)
	}
}
`,
	"main.go": `package main

import (
	"fmt"
	"os"
)

func main() {
	text, err := os.ReadFile(os.Args[1])
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	fmt.Println(len(text))
}
`}

func subjectStudy(t testing.TB) *assay.Study {
	t.Helper()
	dir := t.TempDir()
	disktest.Write(t, dir, subject)
	s := &assay.Study{Name: "far", Dir: dir, Variants: []assay.Variant{{Name: "one"}, {Name: "two", Env: map[string]string{"GOGC": "400"}}},
		Workloads: []assay.Workload{{Kind: assay.KindGoTest, Packages: []string{"./w"}},
			{Kind: assay.KindCommand, Names: []string{"count"}, Run: []string{assay.PlaceBin, "input.txt"}}}}
	s.SetDefaults()
	s.Measure.Trial = time.Millisecond
	return s
}

// planned builds and plans a study for a machine.
func planned(t testing.TB, shop lab.Builder, m lab.Machine, s *assay.Study) (*assay.Plan, map[string][]lab.Artifact) {
	t.Helper()
	if err := m.Check(t.Context(), s); err != nil {
		t.Fatal(err)
	}
	builds, err := lab.Build(t.Context(), shop, s, func(lab.Event) {})
	if err != nil {
		t.Fatal(err)
	}
	p, err := m.Platform(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	plan, err := survey.Prepare(t.Context(), survey.Setup{Study: s, Machine: m, Builds: builds, Platform: host.For(p, "", 0),
		Events: func(lab.Event) {}, Run: "r", Created: time.Now(), Seed: 7})
	if err != nil {
		t.Fatal(err)
	}
	as := map[string][]lab.Artifact{}
	for _, v := range plan.Variants {
		as[v.Name] = builds.Of(v.Name)
	}
	return plan, as
}

// requestOf requests a block of everything.
func requestOf(p *assay.Plan, as map[string][]lab.Artifact, index int) lab.BlockRequest {
	next := assay.NextBlock{}
	for _, b := range p.Benchmarks {
		next.Turns = append(next.Turns, assay.Turn{Benchmark: b.Benchmark, Inner: 1})
	}
	return lab.BlockRequest{Plan: p, Next: next, Index: index, Attempt: 1, Artifacts: as}
}

// runBlock runs a block and returns its trials without what was measured.
func runBlock(t testing.TB, m lab.Machine, r lab.BlockRequest) (out []string) {
	t.Helper()
	err := m.Block(t.Context(), r, func(tr assay.Trial, _ record.Raw) error {
		if tr.Status != assay.StatusOK || len(tr.Observations) == 0 || tr.Start.IsZero() || tr.Duration <= 0 {
			t.Errorf("%s of %s: %s: %s", tr.Benchmark.Name, tr.Variant, tr.Status, tr.Reason)
		}
		tr.Start, tr.Duration, tr.Link, tr.Observations, tr.Slices = time.Time{}, 0, 0, nil, nil
		data, err := json.Marshal(tr)
		out = append(out, string(data))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// A block elsewhere is the block that it is here, but for what it measures: the same
// trials in the same order, of files with the same digests.
func TestBlockAsHere(t *testing.T) {
	b := connectTo(t, t.TempDir())
	s := subjectStudy(t)
	plan, as := planned(t, b.shop, b, s)
	if len(plan.Benchmarks) != 3 {
		t.Fatalf("%d benchmarks planned", len(plan.Benchmarks))
	}
	here, err := local.NewMachine(b.builder.Cache)
	if err != nil {
		t.Fatal(err)
	}
	defer here.Close()
	if _, err := lab.Build(t.Context(), local.NewWorkshop(b.builder, here), s, func(lab.Event) {}); err != nil {
		t.Fatal(err)
	}
	for index := 1; index <= 2; index++ {
		before, got := b.Traffic()
		there := runBlock(t, b, requestOf(plan, as, index))
		after, received := b.Traffic()
		if want := runBlock(t, here, requestOf(plan, as, index)); strings.Join(there, "\n") != strings.Join(want, "\n") {
			t.Errorf("block %d there:\n%s\nhere:\n%s", index, strings.Join(there, "\n"), strings.Join(want, "\n"))
		}
		if bytes := after - before + received - got; index > 1 && bytes > 64<<10 {
			t.Errorf("block %d: %d bytes travelled", index, bytes)
		}
	}
}

// When the agent is killed in a block, the block is lost and nothing else; the next agent
// has what it needs.
func TestAgentKilled(t *testing.T) {
	b := connectTo(t, t.TempDir())
	plan, as := planned(t, b.shop, b, subjectStudy(t))
	r := requestOf(plan, as, 1)
	got := 0
	err := b.Block(t.Context(), r, func(assay.Trial, record.Raw) error {
		if got++; got == 1 {
			return b.agent().cmd.Process.Kill()
		}
		return nil
	})
	if !errors.Is(err, lab.ErrLost) {
		t.Fatalf("after %d trials: %v", got, err)
	}
	if err := b.Recover(t.Context(), err); err != nil {
		t.Fatal(err)
	}
	r.Attempt = 2
	runBlock(t, b, r)
	if len(b.agents) != 2 {
		t.Errorf("%d agents", len(b.agents))
	}
}

// What is cancelled here ends there, and the connection goes on.
func TestCancel(t *testing.T) {
	b := connectTo(t, t.TempDir())
	plan, as := planned(t, b.shop, b, subjectStudy(t))
	enough := errors.New("enough")
	err := b.Block(t.Context(), requestOf(plan, as, 1), func(assay.Trial, record.Raw) error { return enough })
	if !errors.Is(err, enough) {
		t.Errorf("a keeper that fails: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	err = b.Block(ctx, requestOf(plan, as, 2), func(assay.Trial, record.Raw) error { cancel(); return nil })
	if !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	runBlock(t, b, requestOf(plan, as, 3))
}

// Errors of the other end are the errors that they are here.
func TestFaults(t *testing.T) {
	for _, err := range []error{lab.ErrNoMemory, trial.ErrPrints, trial.ErrNoSlices} {
		if got := FaultOf(fmt.Errorf("run: %w", err)).Err(); !errors.Is(got, err) || got.Error() != "run: "+err.Error() {
			t.Errorf("%v arrives as %v", err, got)
		}
	}
	sent := assay.NewError(assay.ExitUsage, assay.CodeNoLoadTool, "sysbench\x1b[31m is not installed", []string{"fact"}, "apt install sysbench")
	got, ok := errors.AsType[*assay.Error](FaultOf(fmt.Errorf("check: %w", sent)).Err())
	if !ok || got.Exit != sent.Exit || got.Code != sent.Code || got.Try != sent.Try || strings.Contains(got.Text, "\x1b") {
		t.Errorf("arrives as %+v", got)
	}
}

// Trials there find the files that the study names, get secrets of that computer, and
// print none of them.
func TestFilesAndSecrets(t *testing.T) {
	dir := t.TempDir()
	b := connectTo(t, dir)
	s := subjectStudy(t)
	disktest.Write(t, s.Dir, map[string]string{"data/a.json": "{}", "data/b.txt": "no", "deep/er/c.txt": "yes", "main.go": `package main

import (
	"fmt"
	"io/fs"
	"os"
)

func main() {
	fs.WalkDir(os.DirFS("."), ".", func(path string, _ fs.DirEntry, err error) error {
		fmt.Print(path, " ")
		return err
	})
	fmt.Println(os.Getenv("PGPASSWORD"), os.Getenv("OF_THE_LOGIN"), os.Getenv("XDG_CACHE_HOME") != "")
}
`})
	s.Files = []string{"data/*.json", "deep/"}
	s.Workloads = []assay.Workload{{Kind: assay.KindCommand, Names: []string{"list"}, Run: []string{assay.PlaceBin, "input.txt"}, Secrets: map[string]string{"PGPASSWORD": "pg"}}}
	err := b.Check(t.Context(), s)
	if text := errortest.Want(t, err, assay.CodeSecret, assay.ExitUsage); !strings.Contains(text, ".config/assay/secrets/pg") {
		t.Errorf("without the secret: %s", text)
	}
	disktest.Write(t, dir, map[string]string{".config/assay/secrets/pg": "hunter2-there\n"})
	if err := os.Chmod(filepath.Join(dir, ".config/assay/secrets/pg"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := b.Check(t.Context(), s); err != nil {
		t.Fatal(err)
	}
	builds, err := lab.Build(t.Context(), b.shop, s, func(lab.Event) {})
	if err != nil {
		t.Fatal(err)
	}
	out, err := b.Run(t.Context(), lab.RunRequest{Study: s, Artifact: builds.Of("one")[0], Variant: s.Variants[0], Names: []string{"list"}, N: 1})
	const want = ". data data/a.json deep deep/er deep/er/c.txt input.txt [secret pg]  true\n"
	if err != nil || string(out.Stdout) != want {
		t.Errorf("got %q (%s), %v, want %q", out.Stdout, out.Reason, err, want)
	}
}

// Of the variables of a login trials get a few, and those that are named.
func TestEnvironment(t *testing.T) {
	before := os.Environ()
	t.Cleanup(func() {
		for _, kv := range before {
			name, value, _ := strings.Cut(kv, "=")
			os.Setenv(name, value)
		}
	})
	for _, name := range []string{"PATH", "HOME", "LANG", "TMPDIR", "USER", "LOGNAME", "ASSAY_LOCK_DIR", "XDG_RUNTIME_DIR", "OF_MINE", "PGPASSWORD", "GOFLAGS"} {
		t.Setenv(name, "x")
	}
	if err := KeepEnvironment([]string{"OF_MINE", "MISSING"}); err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, kv := range os.Environ() {
		if name, _, _ := strings.Cut(kv, "="); !strings.HasPrefix(name, "XDG_") || name == "XDG_RUNTIME_DIR" {
			got = append(got, name)
		}
	}
	slices.Sort(got)
	if want := "ASSAY_LOCK_DIR HOME LANG LOGNAME OF_MINE PATH TMPDIR USER XDG_RUNTIME_DIR"; strings.Join(got, " ") != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// An agent cannot end this program with success, or write to a terminal through a code or
// a name.
func TestHostileTexts(t *testing.T) {
	e, _ := errors.AsType[*assay.Error]((&Fault{Error: &assay.Error{Exit: assay.ExitOK, Warning: assay.Warning{Code: "\x1b[2J", Text: "a\x1b[2Jb"}}}).Err())
	if e == nil || e.Exit != assay.ExitRefused || e.Code != assay.CodeAgentReport || e.Text != "ab" {
		t.Errorf("arrives as %+v", e)
	}
	m := &Machine{}
	good := trial.Outcome{Status: assay.StatusOK, RuntimeFault: "a\x1b[2Jb", Broken: map[string]string{"A/b": "it\x1b[31m failed"}, Better: map[string]assay.Better{"hits/op": assay.BetterHigher},
		Readings: []collect.Reading{{Name: "A/b=ü", N: 1, Values: map[string]float64{"sec/op": 1}}}}
	if err := m.checkOutcome(&good); err != nil || good.Broken["A/b"] != "it failed" || good.RuntimeFault != "ab" {
		t.Errorf("a good one: %q, %q, %v", good.Broken, good.RuntimeFault, err)
	}
	for name, out := range map[string]trial.Outcome{
		"benchmark": {Readings: []collect.Reading{{Name: "a\x1b[2J"}}},
		"long name": {Readings: []collect.Reading{{Name: strings.Repeat("a", 5000)}}},
		"broken":    {Broken: map[string]string{"a\nb": ""}},
		"skipped":   {Skipped: map[string]string{"a\x00": ""}},
		"direction": {Better: map[string]assay.Better{"x": "sideways"}},
		"slices":    {Slices: map[string][]float64{"\u202e": {1}}},
	} {
		out.Status = assay.StatusOK
		t.Run(name, func(t *testing.T) { errortest.Want(t, m.checkOutcome(&out), assay.CodeAgentReport, assay.ExitRefused) })
	}
}
