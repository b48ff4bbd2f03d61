package milestone

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/seed-1318a441/assay/internal/process"
)

// run runs the go command of a tree in dir. When ctx ends, the command and all that it
// started are interrupted, and killed after a grace period. Processes left behind by a
// test are killed when the command ends.
func (t *task) run(ctx context.Context, tree Tree, dir string, stdout, stderr io.Writer, args ...string) error {
	cmd := exec.CommandContext(ctx, tree.Go, args...)
	cmd.Dir, cmd.Env, cmd.Stdout, cmd.Stderr = dir, environ(tree, dir), stdout, stderr
	cmd.WaitDelay = process.Grace
	process.OwnGroup(cmd)
	err := cmd.Run()
	process.EndGroup(cmd)
	if ctx.Err() != nil {
		return fmt.Errorf("run go %s: %w", args[0], context.Cause(ctx))
	}
	if errors.Is(err, exec.ErrWaitDelay) {
		return nil // it succeeded; only processes left behind held its pipes
	}
	return err
}

// environ returns the environment of a tree's commands in dir: PWD as the shell would set
// it, and the go command first in PATH, since tests run it by name.
func environ(tree Tree, dir string) []string {
	path := filepath.Dir(tree.Go)
	if users := variable(tree.Env, "PATH"); users != "" {
		path += string(filepath.ListSeparator) + users
	}
	return append(slices.Clone(tree.Env), "PATH="+path, "PWD="+dir)
}

// variable returns the value of an environment variable, the last one given. Case does
// not matter, as for PATH on Windows.
func variable(env []string, name string) string {
	value := ""
	for _, kv := range env {
		if k, v, ok := strings.Cut(kv, "="); ok && strings.EqualFold(k, name) {
			value = v
		}
	}
	return value
}

// exited reports whether an error is only the exit status of a completed command.
func exited(err error) bool {
	_, ok := errors.AsType[*exec.ExitError](err)
	return err == nil || ok
}

// maxOutput is the maximum output of a command, in bytes: "go list" of some 10,000
// packages.
const maxOutput = 64 << 20

// limited is a buffer of at most maxOutput bytes.
type limited struct {
	bytes.Buffer
	over bool
}

// Write drops what exceeds the limit.
func (l *limited) Write(p []byte) (int, error) {
	if l.Len()+len(p) > maxOutput {
		l.over = true
		return len(p), nil
	}
	return l.Buffer.Write(p)
}

// firstError returns the first line about the failure in a go command's output.
func firstError(text string) string {
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if line != "" && !strings.HasPrefix(line, "# ") && !strings.HasPrefix(line, "go: downloading ") {
			return strings.TrimPrefix(line, "go: ")
		}
	}
	return ""
}

// orNothing supplies a text for a command that failed silently.
func orNothing(said string) string { return cmp.Or(said, "it printed nothing") }
