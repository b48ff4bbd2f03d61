package build

import (
	"context"
	"fmt"
	"os"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/cache"
	"github.com/seed-1318a441/assay/internal/disk"
	"github.com/seed-1318a441/assay/internal/process"
)

// A runner runs go commands, at most one per slot at a time.
type runner struct {
	cache *cache.Cache // for the logs of those that fail
	slots chan struct{}
}

// acquire waits for one of the slots; release gives it back.
func (r *runner) acquire(ctx context.Context) error {
	select {
	case r.slots <- struct{}{}:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

func (r *runner) release() { <-r.slots }

// build runs go test -c or go build, with its output going to log.
func (r *runner) build(ctx context.Context, j job, flags, env []string, out, log string) error {
	if err := r.acquire(ctx); err != nil {
		return err
	}
	defer r.release()
	f, err := os.Create(log)
	if err != nil {
		return fmt.Errorf("make build log: %w", err)
	}
	defer f.Close()
	err = process.Run(ctx, j.tree.Dir, append(j.env[:len(j.env):len(j.env)], env...), f, f, j.tc.Go(), j.buildArgs(out, flags)...)
	switch {
	case ctx.Err() != nil:
		return fmt.Errorf("build %s for %q: %w", j.Package, j.Variant.Name, context.Cause(ctx))
	case err != nil:
		data, _ := os.ReadFile(log) // without it the cause is told
		return r.failed(j, "build of "+j.Package, data, err)
	case !disk.IsFile(out): // go test -c succeeds where there is nothing to test
		return assay.NewError(assay.ExitBuild, assay.CodeNoTests, fmt.Sprintf("variant %q: package %s has no test files", j.Variant.Name, j.Package), nil, "")
	}
	return nil
}

// buildArgs are the arguments of the go command that builds a job's binary.
func (j job) buildArgs(out string, flags []string) []string {
	args := []string{"test", "-c", "-vet=off", "-o", out}
	if j.Program {
		args = []string{"build", "-o", out}
	}
	return append(append(args, flags...), j.Package)
}

// failed keeps the output of a failed command as a log and returns the error that quotes
// it.
func (r *runner) failed(j job, doing string, output []byte, cause error) error {
	log, err := r.cache.KeepLog(output)
	if err != nil {
		return err
	}
	return buildFailed(j, doing, log, cause)
}
