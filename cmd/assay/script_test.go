package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/record"
	"github.com/seed-1318a441/assay/internal/slow"
)

var update = flag.Bool("update", false, "write what the scripts' cmp commands got into the scripts")

func TestMain(m *testing.M) {
	// An executable that was sent to another machine has a name that testscript does not
	// know.
	if len(os.Args) == 3 && os.Args[1] == "agent" && os.Args[2] == "--stdio" {
		main()
		return
	}
	testscript.Main(ownLock{m}, map[string]func(){"assay": main})
}

// ownLock runs the tests with a lock of their own for the machine: they neither wait for
// somebody's measurement nor keep anybody from measuring.
type ownLock struct{ *testing.M }

func (m ownLock) Run() int {
	dir, err := os.MkdirTemp("", "assay-test-lock-")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	os.Setenv(lockVariable, dir)
	testCache = filepath.Join(dir, "cache")
	return m.M.Run()
}

// testCache is the XDG_CACHE_HOME of all scripts and documents: what one of them has built,
// or computed of a published record, no other does again.
var testCache string

// lockVariable names the folder of the machine's lock.
const lockVariable = "ASSAY_LOCK_DIR"

// TestScript runs testdata/script. Beside testscript's own commands there are
// those of scriptCommands.
func TestScript(t *testing.T) { testScripts(t, "testdata/script") }

// TestSlowScript runs the scripts that take long and rarely break.
func TestSlowScript(t *testing.T) {
	slow.Test(t)
	testScripts(t, "testdata/slow")
}

// testScripts runs the scripts of a folder, beside those of other folders. set changes the
// environment of each.
func testScripts(t *testing.T, dir string, set ...func(*testscript.Env)) {
	t.Parallel()
	env := goSettings(t)
	benchstat := sync.OnceValues(func() (string, error) { return buildBenchstat(t.TempDir()) })
	env["XDG_CACHE_HOME"] = testCache
	env["HOME"] = t.TempDir()
	env["STUDIES"] = filepath.Join(repository(), "studies")
	env["AUTOMATION"] = filepath.Join(repository(), "docs", "automation")
	testscript.Run(t, testscript.Params{
		Dir:                 dir,
		UpdateScripts:       *update,
		RequireExplicitExec: true,
		Cmds:                scriptCommands(benchstat),
		Condition: func(cond string) (bool, error) {
			if cond != "benchstat" {
				return false, fmt.Errorf("unknown condition %q", cond)
			}
			_, err := benchstat()
			return err == nil, nil
		},
		Setup: func(e *testscript.Env) error {
			for k, v := range env {
				e.Setenv(k, v)
			}
			e.Setenv(lockVariable, filepath.Join(e.WorkDir, ".tmp")) // each script is a machine of its own
			e.Values[envKey{}] = e
			for _, f := range set {
				f(e)
			}
			// What assay and the go command leave in TMPDIR is none of a repository's files.
			return os.WriteFile(filepath.Join(e.WorkDir, ".tmp", ".gitignore"), []byte("*\n"), 0o666)
		},
	})
}

// envKey is the key of a script's environment among its values.
type envKey struct{}

// goSettings lets the scripts share what the go command has fetched and
// compiled, and pins what would change the texts: language, colour, width and
// git's configuration.
func goSettings(t *testing.T) map[string]string {
	t.Helper()
	out, err := exec.Command("go", "env", "-json", "GOCACHE", "GOMODCACHE", "GOPATH", "GOPROXY", "GOSUMDB", "GONOSUMDB", "GOPRIVATE").Output()
	if err != nil {
		t.Fatalf("go env: %v", err)
	}
	env := map[string]string{}
	if err := json.Unmarshal(out, &env); err != nil {
		t.Fatal(err)
	}
	for _, kv := range []string{
		"GOTELEMETRY=off", "GOFLAGS=", "LC_ALL=C.UTF-8", "NO_COLOR=", "COLUMNS=120", "CI=", "TERM=xterm",
		"GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_COUNT=1", "GIT_CONFIG_KEY_0=init.defaultBranch", "GIT_CONFIG_VALUE_0=main",
		"GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@example.com", "GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@example.com",
	} {
		k, v, _ := strings.Cut(kv, "=")
		env[k] = v
	}
	// The certificates and proxies of a machine are not the scripts' business.
	for _, kv := range os.Environ() {
		k, v, _ := strings.Cut(kv, "=")
		if strings.HasPrefix(k, "SSL_CERT_") || strings.HasSuffix(strings.ToLower(k), "_proxy") {
			env[k] = v
		}
	}
	return env
}

func scriptCommands(benchstat func() (string, error)) map[string]func(*testscript.TestScript, bool, []string) {
	return map[string]func(*testscript.TestScript, bool, []string){
		"exits":     exits,
		"tiny":      tiny,
		"told":      told,
		"commit":    commit,
		"await":     await,
		"interrupt": interrupt,
		"field":     field,
		"ascii":     ascii,
		"longest":   longest,
		"result":    result,
		"verdicts":  verdicts,
		"serve":     serve,
		"tries":     tries,
		"whole":     whole,
		"forge":     forge,
		"disjoint":  disjoint,
		// benchstat ARGS... runs benchstat.
		"benchstat": func(ts *testscript.TestScript, neg bool, args []string) {
			bin, err := benchstat()
			ts.Check(err)
			ts.Check(ts.Exec(bin, args...))
		},
	}
}

// buildBenchstat builds the benchstat of the version in our go.mod.
func buildBenchstat(dir string) (string, error) {
	bin := filepath.Join(dir, "benchstat")
	if runtime.GOOS == "windows" {
		bin += ".exe"
	}
	out, err := exec.Command("go", "build", "-o", bin, "golang.org/x/perf/cmd/benchstat").CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("%w\n%s", err, out)
	}
	return bin, nil
}

// exits CODE PROGRAM ARGS... runs a program that must end with that exit
// status. Its output is for stdout, stderr and cmp.
func exits(ts *testscript.TestScript, neg bool, args []string) {
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	checkExit(ts, ts.Exec(args[1], args[2:]...), want)
}

func checkExit(ts *testscript.TestScript, err error, want int) {
	got := 0
	if e, ok := errors.AsType[*exec.ExitError](err); ok {
		got = e.ExitCode()
	} else if err != nil {
		ts.Fatalf("%v", err)
	}
	if got != want {
		ts.Fatalf("exit status %d, want %d", got, want)
	}
}

// tiny [DIR] copies the module of testdata/tiny, which has two benchmarks, so
// that many scripts share its artifacts.
func tiny(ts *testscript.TestScript, neg bool, args []string) { copyModule(ts, "tiny", args) }

// told [DIR] copies the module of testdata/told, for scripts that need a verdict:
// how fast real code is depends on what else the machine does, and no script may ask.
func told(ts *testscript.TestScript, neg bool, args []string) { copyModule(ts, "told", args) }

func copyModule(ts *testscript.TestScript, name string, args []string) {
	dir := ts.MkAbs(".")
	if len(args) > 0 {
		dir = ts.MkAbs(args[0])
	}
	ts.Check(os.CopyFS(dir, os.DirFS(filepath.Join(repository(), "cmd/assay/testdata", name))))
}

// disjoint STORE makes sure that no trial of one run was measured inside a block of
// another.
func disjoint(ts *testscript.TestScript, neg bool, args []string) {
	type span struct {
		run      string
		from, to time.Time
	}
	var blocks []span
	runs, err := record.List(ts.MkAbs(args[0]))
	ts.Check(err)
	for _, e := range runs {
		run, err := record.Read(record.Folder(e.Dir))
		ts.Check(err)
		for _, b := range run.Blocks() {
			s := span{run: e.Run, from: b[0].Start, to: b[0].Start}
			for _, t := range b {
				if end := t.Start.Add(t.Duration); end.After(s.to) {
					s.to = end
				}
			}
			blocks = append(blocks, s)
		}
	}
	if len(runs) < 2 || len(blocks) < 4 {
		ts.Fatalf("%d runs with %d blocks are too few", len(runs), len(blocks))
	}
	for _, a := range blocks {
		for _, b := range blocks {
			if a.run != b.run && a.from.Before(b.to) && b.from.Before(a.to) {
				ts.Fatalf("a block of %s ran inside one of %s", a.run, b.run)
			}
		}
	}
}

// repository is the folder of our go.mod; the scripts run elsewhere.
var repository = sync.OnceValue(func() string {
	dir, err := filepath.Abs("../..")
	if err != nil {
		panic(err)
	}
	return dir
})

// commit MESSAGE commits everything in the current folder, which becomes a
// repository if it is none.
func commit(ts *testscript.TestScript, neg bool, args []string) {
	if _, err := os.Stat(ts.MkAbs(".git")); err != nil {
		ts.Check(ts.Exec("git", "init", "-q"))
	}
	ts.Check(ts.Exec("git", "add", "-A"))
	ts.Check(ts.Exec("git", "commit", "-q", "-m", args[0]))
}

// patience is how long a test waits for a program to get somewhere before it counts as
// stuck: no machine is that busy.
const patience = 15 * time.Minute

// await GLOB REGEXP waits until a file matches.
func await(ts *testscript.TestScript, neg bool, args []string) {
	awaitOf(ts, nil, args[0], args[1])
}

// awaitOf is await, as long as the program runs whose end over tells.
func awaitOf(ts *testscript.TestScript, over <-chan error, glob, text string) {
	re := regexp.MustCompile(text)
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
		if matches(ts, glob, re) {
			return
		}
		select {
		case err := <-over:
			ts.Fatalf("it ended (%v) before there was a %s with %q", err, glob, text)
		default:
		}
	}
	ts.Fatalf("no %s with %q in %v", glob, text, patience)
}

func matches(ts *testscript.TestScript, glob string, re *regexp.Regexp) bool {
	names, err := filepath.Glob(ts.MkAbs(glob))
	ts.Check(err)
	return slices.ContainsFunc(names, func(name string) bool {
		data, err := os.ReadFile(name)
		return err == nil && re.Match(data)
	})
}

// interrupt TIMES CODE GLOB REGEXP PROGRAM ARGS... starts a program, sends it
// that many interrupts when a file matches, and expects its exit status. What
// it prints goes to the files stdout.txt and stderr.txt.
func interrupt(ts *testscript.TestScript, neg bool, args []string) {
	times, err := strconv.Atoi(args[0])
	ts.Check(err)
	code, err := strconv.Atoi(args[1])
	ts.Check(err)
	program, err := exec.LookPath(args[4])
	ts.Check(err)
	cmd := exec.Command(program, args[5:]...)
	cmd.Dir, cmd.Env = ts.MkAbs("."), ts.Value(envKey{}).(*testscript.Env).Vars
	stdout, err := os.Create(ts.MkAbs("stdout.txt"))
	ts.Check(err)
	defer stdout.Close()
	stderr, err := os.Create(ts.MkAbs("stderr.txt"))
	ts.Check(err)
	defer stderr.Close()
	cmd.Stdout, cmd.Stderr = stdout, stderr
	ts.Check(cmd.Start())
	over := make(chan error, 1)
	go func() { over <- cmd.Wait() }()
	awaitOf(ts, over, args[2], args[3])
	ts.Check(cmd.Process.Signal(os.Interrupt))
	if times > 1 {
		awaitOf(ts, over, "stderr.txt", "press again to stop now")
		ts.Check(cmd.Process.Signal(os.Interrupt))
	}
	checkExit(ts, <-over, code)
}

// field FILE NAME prints the values of a key in all lines of a JSON lines file
// to stdout, one a line.
func field(ts *testscript.TestScript, neg bool, args []string) {
	names, err := filepath.Glob(ts.MkAbs(args[0]))
	ts.Check(err)
	if len(names) != 1 {
		ts.Fatalf("%s is %d files", args[0], len(names))
	}
	data, err := os.ReadFile(names[0])
	ts.Check(err)
	for line := range strings.Lines(string(data)) {
		var row map[string]json.RawMessage
		ts.Check(json.Unmarshal([]byte(line), &row))
		fmt.Fprintf(ts.Stdout(), "%s\n", row[args[1]])
	}
}

// ascii FILE... fails at the first byte outside ASCII.
func ascii(ts *testscript.TestScript, neg bool, args []string) {
	for _, name := range args {
		for i, line := range strings.Split(ts.ReadFile(name), "\n") {
			if strings.ContainsFunc(line, func(r rune) bool { return r > 126 || r < ' ' && r != '\t' }) {
				ts.Fatalf("%s:%d is not ASCII: %q", name, i+1, line)
			}
		}
	}
}

var pasteable = regexp.MustCompile(`^ *(try: |again |\(assay )`)

// longest FILE N fails where a line has more than N characters. Lines that begin with
// "try: ", "again" or a command in parentheses are for pasting and may be longer.
func longest(ts *testscript.TestScript, neg bool, args []string) {
	limit, err := strconv.Atoi(args[1])
	ts.Check(err)
	for i, line := range strings.Split(ts.ReadFile(args[0]), "\n") {
		if n := len([]rune(line)); n > limit && !pasteable.MatchString(line) {
			ts.Fatalf("%s:%d has %d characters: %q", args[0], i+1, n, line)
		}
	}
}

// result FILE checks that a file is a result as other programs may rely on: whole, every
// key known, the schema of today.
func result(ts *testscript.TestScript, neg bool, args []string) {
	r := readResult(ts, args[0])
	if r.Schema != assay.ResultSchema || len(r.Variants) < 2 || r.Answer.Verdict == "" && len(r.Answer.Text) == 0 {
		ts.Fatalf("%s is no result: schema %d, %d variants, answer %v", args[0], r.Schema, len(r.Variants), r.Answer)
	}
}

func readResult(ts *testscript.TestScript, name string) *assay.Result {
	text, err := record.OpenResult(name, []byte(ts.ReadFile(name)))
	ts.Check(err)
	r := new(assay.Result)
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	ts.Check(d.Decode(r))
	return r
}

// verdicts FILE prints the verdict of every cell of a result to stdout, one a
// line, sorted.
func verdicts(ts *testscript.TestScript, neg bool, args []string) {
	var lines []string
	for _, tab := range readResult(ts, args[0]).Tables {
		for _, row := range tab.Rows {
			for _, c := range row.Cells {
				lines = append(lines, fmt.Sprintln(tab.Metric.Name, row.Benchmark, c.Variant, c.Verdict, c.N))
			}
		}
	}
	slices.Sort(lines)
	fmt.Fprint(ts.Stdout(), strings.Join(lines, ""))
}

// whole FILE... gives results that were written by hand the digest that belongs to them.
func whole(ts *testscript.TestScript, neg bool, args []string) {
	for _, name := range args {
		var b bytes.Buffer
		ts.Check(json.Indent(&b, []byte(ts.ReadFile(name)), "", "  "))
		writeWhole(ts, name, strings.TrimSpace(b.String()))
	}
}

// forge FILE OLD NEW replaces a text in a result, wherever it stands, and gives the
// result the digest that belongs to what it is then.
func forge(ts *testscript.TestScript, neg bool, args []string) {
	data := ts.ReadFile(args[0])
	if !strings.Contains(data, args[1]) {
		ts.Fatalf("%s has no %q", args[0], args[1])
	}
	data = regexp.MustCompile(`,\s*"digest": "[0-9a-f]{64}"\s*}\s*$`).ReplaceAllString(data, "\n}")
	writeWhole(ts, args[0], strings.ReplaceAll(data, args[1], args[2]))
}

// writeWhole writes an object with its digest, as docs/format.md has it.
func writeWhole(ts *testscript.TestScript, name, object string) {
	text := strings.TrimSuffix(object, "\n}")
	data := fmt.Appendf(nil, "%s,\n  \"digest\": \"%x\"\n}\n", text, sha256.Sum256([]byte(text)))
	ts.Check(os.WriteFile(ts.MkAbs(name), data, 0o666))
}
