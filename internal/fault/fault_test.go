package fault

import (
	"errors"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/seed-1318a441/assay"
)

// panics names the kind of goroutine that panics in a copy of the test.
const panics = "ASSAY_TEST_PANICS"

// A panic in any goroutine, main or not, ends the program as a fault of assay.
func TestExit(t *testing.T) {
	var list []int
	switch os.Getenv(panics) {
	case "own":
		defer Exit()
		list[7]++
	case "another":
		go func() {
			defer Exit()
			list[7]++
		}()
		select {}
	}
	for _, kind := range []string{"own", "another"} {
		cmd := exec.Command(os.Args[0], "-test.run=^TestExit$")
		cmd.Env = append(os.Environ(), panics+"="+kind)
		out, err := cmd.CombinedOutput()
		if e, ok := errors.AsType[*exec.ExitError](err); !ok || e.ExitCode() != assay.ExitFault {
			t.Errorf("%s: got %v, want exit status %d\n%s", kind, err, assay.ExitFault, out)
		}
		for _, want := range []string{"this is a fault of assay", "[fault]", "panic: runtime error: index out of range [7]", "fault_test.go:"} {
			if !strings.Contains(string(out), want) {
				t.Errorf("%s: no %q in\n%s", kind, want, out)
			}
		}
	}
}
