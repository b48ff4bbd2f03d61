package knobs

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// What the program prints is what its runtime has made of the variables.
const runtimeProgram = `package main

import (
	"fmt"
	"runtime"
	"runtime/debug"
)

func main() {
	fmt.Println(debug.SetGCPercent(100), debug.SetMemoryLimit(-1), runtime.GOMAXPROCS(0))
}
`

// A value is accepted just where the runtime of a real program does something else
// with it than without any.
func TestRunVariablesAsTheRuntimeReadsThem(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "main.go"), []byte(runtimeProgram), 0o666); err != nil {
		t.Fatal(err)
	}
	program := filepath.Join(dir, "program")
	if out, err := exec.Command("go", "build", "-o", program, filepath.Join(dir, "main.go")).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	run := func(setting string) string {
		cmd := exec.Command(program)
		cmd.Env = slices.DeleteFunc(os.Environ(), func(kv string) bool { return strings.HasPrefix(kv, "GO") })
		cmd.Env = append(cmd.Env, setting)
		out, err := cmd.Output()
		if err != nil {
			return "ended: " + err.Error()
		}
		return string(bytes.TrimSpace(out))
	}
	without := run("X=")
	for name, values := range map[string][]string{
		"GOGC": {"1", "50", "400", "off", "1OO", "100%", "5e1", "0x10", "99999999999", "on", " 50"},
		// A limit that the runtime takes differs from none at all.
		"GOMEMLIMIT": {"1000000000", "1000000000B", "512MiB", "1TiB", "2KiB", "1GB", "1G", "512mib", "MiB", "-1MiB", "9000000TiB", "1.5GiB", "all"},
		"GOMAXPROCS": {"3", "17", "zwei", "0", "-3", "3.0", "0x3", "4000000000"},
	} {
		for _, value := range values {
			got := run(name + "=" + value)
			taken := got != without && !strings.HasPrefix(got, "ended")
			if err := CheckRunVariable(name, value); (err == nil) != taken {
				t.Errorf("%s=%s: the runtime has %s, without it %s; got %v", name, value, got, without, err)
			}
		}
	}
}

func TestCheckRunVariable(t *testing.T) {
	for _, test := range []struct{ name, value, want string }{
		{"GOGC", "1OO", `is no value of GOGC, which is a percentage without its sign, such as 200, or "off": the Go runtime would take 100`},
		{"GOGC", "-1", `is no value of GOGC, which is a percentage without its sign, such as 200, or "off": the Go runtime would take 100`},
		{"GOMEMLIMIT", "1GB", `is no value of GOMEMLIMIT, which is a number of bytes, such as 512MiB, or "off": a Go program would not start`},
		{"GOMAXPROCS", "zwei", "is no value of GOMAXPROCS, which is a whole number from 1: the Go runtime would take all CPUs"},
		{"GOTRACEBACK", "full", "is no value of GOTRACEBACK, which is none, single, all, system, crash or a number: the Go runtime would take another"},
		{"GOGC", "", ""}, {"GOGC", "0", ""}, {"GOMEMLIMIT", "off", ""}, {"GOTRACEBACK", "crash", ""}, {"GOTRACEBACK", "2", ""},
		{"GODEBUG", "anything", ""}, {"MINE", "zwei", ""},
	} {
		got := ""
		if err := CheckRunVariable(test.name, test.value); err != nil {
			got = err.Error()
		}
		if got != test.want {
			t.Errorf("%s=%s: got %q, want %q", test.name, test.value, got, test.want)
		}
	}
}
