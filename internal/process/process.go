// Package process runs a command in a process group of its own, so that a cancel
// reaches whatever the command has started. Package trial, which measures, starts
// its processes itself.
package process

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"time"
)

// Grace is how long a cancelled command may take to clean up.
const Grace = 5 * time.Second

// Run runs a command in dir until it ends. When ctx ends, Run interrupts the command and
// its children, and kills them after Grace. A nil env is the caller's. PWD names dir as
// it was written, as a shell has it: behind a link the go command would otherwise take
// the path that the link leads to, and an overlay's paths would name nothing.
func Run(ctx context.Context, dir string, env []string, stdout, stderr io.Writer, name string, args ...string) error {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir, cmd.Stdout, cmd.Stderr = dir, stdout, stderr
	if env != nil {
		cmd.Env = append(slices.Clip(env), "PWD="+dir)
	}
	if _, err := os.Stat(os.DevNull); err != nil {
		cmd.Stdin = strings.NewReader("") // there are no devices
	}
	cmd.WaitDelay = Grace
	OwnGroup(cmd)
	err := cmd.Run()
	if ctx.Err() != nil {
		return fmt.Errorf("run %s: %w", name, context.Cause(ctx))
	}
	return err
}
