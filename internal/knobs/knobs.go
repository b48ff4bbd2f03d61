// Package knobs knows what a given toolchain accepts: its experiments with
// their defaults and its compiler debug keys, always asked of the toolchain
// itself and never of a list kept here. It turns a knob that does not exist
// into an error with the closest right one, and tells a knob that is set to
// what it already is.
//
// It does not build, and does not decide which toolchain a variant has: package
// build finds the GOROOT and asks. Package spec uses Close for its own
// "did you mean".
package knobs

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
)

// runGo runs GOROOT's own go with args and returns its standard output. The
// settings of the user's shell and of "go env -w" are kept out, because they
// would answer for the user's choice instead of for the toolchain.
func runGo(ctx context.Context, goroot string, env []string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, goCommand(goroot), args...)
	// A folder without a go.mod, so that no go line has a say.
	cmd.Dir = goroot
	cmd.Env = append(os.Environ(), "GOROOT="+goroot, "GOTOOLCHAIN=local", "GOENV=off", "GO111MODULE=off",
		"GOFLAGS=", "GOEXPERIMENT=", "GOWORK=off")
	cmd.Env = append(cmd.Env, env...)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("run go %s in %s: %w", strings.Join(args, " "), goroot, explain(err, stderr.String()))
	}
	return string(out), nil
}

func goCommand(goroot string) string {
	name := "go"
	if runtime.GOOS == "windows" {
		name = "go.exe"
	}
	return filepath.Join(goroot, "bin", name)
}

// explain puts what a command printed in the place of "exit status 1".
func explain(err error, stderr string) error {
	line, _, _ := strings.Cut(strings.TrimSpace(stderr), "\n")
	if _, ok := errors.AsType[*exec.ExitError](err); ok && line != "" {
		return errors.New(line)
	}
	return err
}
