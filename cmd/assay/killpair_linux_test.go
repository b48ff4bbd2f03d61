package main

import (
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/record"
)

// Nothing outlives an assay that is killed in a block: neither a variant that waits for its
// slice, nor a server and its load generator. ASSAY_KILLS=100 kills each of them so often, at
// any time of a block.
func TestKillInBlock(t *testing.T) {
	t.Parallel()
	for _, test := range []killed{
		{assay.GearSlices, ".test", []string{"GOGC=100", "GOGC=200", "--", "-bench=Loop"}},
		{assay.GearProcesses, "serving", nil},
	} {
		t.Run(string(test.gear)+" of "+test.program, func(t *testing.T) {
			t.Parallel()
			dir, err := filepath.EvalSymlinks(t.TempDir())
			if err != nil {
				t.Fatal(err)
			}
			test.write(t, dir)
			for range kills(t, 1) {
				test.kill(t, dir)
			}
		})
	}
}

// A killed is an assay that runs something when it is killed.
type killed struct {
	gear    assay.Gear // where assay allows it: it finds that on this machine
	program string     // part of the name of each process
	args    []string
}

// write writes what is measured.
func (k killed) write(t *testing.T, dir string) {
	write(t, dir, "go.mod", "module killed\n\ngo 1.24\n")
	write(t, dir, "x_test.go", killedTest)
	if err := os.Mkdir(filepath.Join(dir, "serve"), 0o755); err != nil {
		t.Fatal(err)
	}
	write(t, dir, "serve/main.go", server)
	write(t, dir, "serve.toml", serverStudy)
}

// kill starts assay anew, kills it once the program runs in a block, all variants of it or
// a server under load, and waits for the end of all that it started.
func (k killed) kill(t *testing.T, dir string) {
	if err := os.RemoveAll(filepath.Join(dir, ".assay")); err != nil {
		t.Fatal(err)
	}
	args := append([]string{"compare", "--layouts=1", "--trial=2ms", "--blocks=100000", "--budget=10h"}, k.args...)
	if k.program == "serving" {
		args = []string{"run", "serve.toml"}
	}
	cmd := exec.Command(assayFile(t), args...)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), "GOCACHE="+goSettings(t)["GOCACHE"], "XDG_CACHE_HOME="+filepath.Join(dir, "cache"), lockVariable+"="+t.TempDir())
	var said strings.Builder
	cmd.Stderr = &said
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	until(t, "the first block", func() bool {
		select {
		case err := <-ended:
			t.Fatalf("it ended: %v\n%s", err, &said)
		default:
		}
		return len(plans(dir)) > 0 // blocks have begun
	})
	if k.program == "serving" {
		until(t, "a server and its load", func() bool { return len(within(dir, k.program)) > 0 && len(within(dir, "--rate=")) > 0 })
	} else {
		alive := 1
		if p, err := record.ReadPlan(record.Folder(filepath.Dir(plans(dir)[0]))); err != nil {
			t.Fatal(err)
		} else if p.HasGear(k.gear) {
			alive = len(p.Study.Variants)
		}
		until(t, "all at once", func() bool { return len(within(dir, k.program)) >= alive })
	}
	time.Sleep(time.Duration(rand.Int64N(int64(100 * time.Millisecond))))
	_ = cmd.Process.Kill()
	<-ended
	until(t, "the end of all", func() bool { return len(within(dir, "")) == 0 })
}

// killedTest has a benchmark for slices.
const killedTest = `package killed

import "testing"

func BenchmarkLoop(b *testing.B) {
	for i := 0; i < b.N; i++ {
	}
}
`

// server is what serverStudy measures.
const server = `package main

import (
	"net/http"
	"os"
)

func main() {
	panic(http.ListenAndServe(os.Args[2], http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {})))
}
`

const serverStudy = `
name = "killed"

[[variant]]
name = "a"

[[variant]]
name = "b"
env  = { GOGC = "200" }

[[workload]]
name  = "x"
kind  = "service"
package = "./serve"
start = ["{bin}", "serving", "127.0.0.1:{port}"]
http  = { url = "http://127.0.0.1:{port}/", rate = 100, duration = "1s" }

[measure]
layouts = 1

[decide]
metric = ["latency.p50"]
blocks = "100000"
budget = "10h"
`

// assayFile is this test binary as a file of its own called assay, which starts itself by
// that name: as the load generator, too.
func assayFile(t *testing.T) string {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(self)
	if err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(t.TempDir(), "assay")
	if err := os.WriteFile(name, data, 0o755); err != nil {
		t.Fatal(err)
	}
	return name
}

// plans are those of the runs in a folder.
func plans(dir string) []string {
	names, _ := filepath.Glob(filepath.Join(dir, ".assay", "*", "plan.json"))
	return names
}
