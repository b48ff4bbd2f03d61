package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// What runs side by side does not outlive an assay that is killed in a block: neither a
// variant that waits for its slice, nor a command that is stopped between its turns.
func TestKillSideBySide(t *testing.T) {
	for _, test := range []struct {
		gear, program string
		args          []string
	}{
		{"slices", ".test", []string{"GOGC=100", "GOGC=200", "--", "-bench=X"}},
		{"turns", "spin", []string{"--cmd-a=./spin 1", "--cmd-b=./spin 2", "--timeout=10m"}},
	} {
		t.Run(test.gear, func(t *testing.T) {
			dir, err := filepath.EvalSymlinks(t.TempDir())
			if err != nil {
				t.Fatal(err)
			}
			write(t, dir, "go.mod", "module killed\n\ngo 1.24\n")
			write(t, dir, "x_test.go", "package killed\n\nimport \"testing\"\n\nfunc BenchmarkX(b *testing.B) {\n\tfor i := 0; i < b.N; i++ {\n\t}\n}\n")
			// It takes long once it runs beside another, and not when it is timed before.
			write(t, dir, "spin", "#!/bin/sh\nif [ -e slow ]; then while :; do :; done; fi\ni=0; while [ $i -lt 30000 ]; do i=$((i+1)); done\n")
			if err := os.Chmod(filepath.Join(dir, "spin"), 0o755); err != nil {
				t.Fatal(err)
			}
			args := append([]string{"compare", "--pair=" + test.gear, "--layouts=1", "--trial=2ms", "--blocks=100000", "--budget=10h"}, test.args...)
			cmd := exec.Command(asAssay(t), args...)
			cmd.Dir, cmd.Env = dir, append(os.Environ(), "XDG_CACHE_HOME="+filepath.Join(dir, "cache"))
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
			if test.gear == "turns" {
				write(t, dir, "slow", "")
			}
			until(t, "three at once", func() bool { return len(within(dir, test.program)) >= 3 })
			_ = cmd.Process.Kill()
			<-ended
			until(t, "the end of all", func() bool { return len(within(dir, "")) == 0 })
		})
	}
}

// plans are those of the runs in a folder.
func plans(dir string) []string {
	names, _ := filepath.Glob(filepath.Join(dir, ".assay", "*", "plan.json"))
	return names
}

// until waits for something, a long time.
func until(t *testing.T, what string, is func() bool) {
	t.Helper()
	for range 6000 {
		if is() {
			return
		}
		time.Sleep(20 * time.Millisecond)
	}
	t.Fatalf("waited for %s in vain", what)
}

// within are the processes that run in or below a folder, and have a text in their
// command line.
func within(dir, text string) (pids []string) {
	names, _ := filepath.Glob("/proc/[0-9]*/cwd")
	for _, name := range names {
		cwd, err := os.Readlink(name)
		line, _ := os.ReadFile(filepath.Join(filepath.Dir(name), "cmdline"))
		if err == nil && strings.HasPrefix(cwd, dir) && strings.Contains(string(line), text) {
			pids = append(pids, filepath.Dir(name))
		}
	}
	return pids
}
