package build

import (
	"context"
	"fmt"
	"io"
	"os/exec"
	"slices"
	"time"
)

// grace is how long a cancelled command may take to tidy up.
const grace = 5 * time.Second

// run runs a command in dir to its end. When ctx ends, the command and its
// children are interrupted, and killed after a grace period. PWD names dir as it was
// written, as a shell has it: behind a link the go command would otherwise take the
// path that the link leads to, and an overlay's paths would name nothing.
func run(ctx context.Context, dir string, env []string, stdout, stderr io.Writer, name string, args ...string) error {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir, cmd.Stdout, cmd.Stderr = dir, stdout, stderr
	if env != nil {
		cmd.Env = append(slices.Clip(env), "PWD="+dir)
	}
	cmd.WaitDelay = grace
	ownGroup(cmd)
	err := cmd.Run()
	if ctx.Err() != nil {
		return fmt.Errorf("run %s: %w", name, context.Cause(ctx))
	}
	return err
}

// acquire waits for one of the builder's slots; release gives it back.
func (b *Builder) acquire(ctx context.Context) error {
	select {
	case b.slots <- struct{}{}:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

func (b *Builder) release() { <-b.slots }
