package runs

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/cache"
)

// Errors of the system have a code, and say what the system said.
func TestNamed(t *testing.T) {
	at := func(name string, err error) error {
		return fmt.Errorf("link the binary of p in %q: %w", "new", &os.PathError{Op: "open", Path: name, Err: err})
	}
	inCache := cache.New("").Dir + "/artifact/x"
	for _, test := range []struct {
		err       error
		code      assay.Code
		text, try string
	}{
		{at("/a/b", syscall.ENOSPC), assay.CodeDisk, "/a/b", "go clean -cache"},
		{at("/a/b", syscall.EACCES), assay.CodeUnwritable, "/a/b", ""},
		{at(inCache, syscall.EROFS), assay.CodeUnwritable, inCache, "export XDG_CACHE_HOME=$(mktemp -d)"},
	} {
		e, ok := errors.AsType[*assay.Error](Named(test.err))
		if !ok || e.Code != test.code || e.Try != test.try || !strings.Contains(strings.Join(e.Facts, " "), test.text) || !strings.Contains(strings.Join(e.Facts, " "), `in "new"`) {
			t.Errorf("%v: got %+v", test.err, e)
		}
	}
	for _, err := range []error{errors.New("other"), assay.UsageError(assay.CodeFlags, "x", "")} {
		if got := Named(err); got != err {
			t.Errorf("got %v, want %v as it is", got, err)
		}
	}
	if runtime.GOOS == "windows" {
		return
	}
	cmd := exec.Command("sleep", "60")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	if e, ok := errors.AsType[*assay.Error](Named(fmt.Errorf("link: %w", cmd.Wait()))); !ok || e.Code != assay.CodeKilled {
		t.Errorf("a tool that was killed: got %v", e)
	}
}
