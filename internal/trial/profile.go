package trial

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	assay "github.com/seed-1318a441/assay"
)

// MaxProfile is the maximum size of a trial's profile, in bytes. That of a large program
// with every allocation has some hundred thousand.
const MaxProfile = 64 << 20

// runProfiled runs the trial with the flags that make package testing profile it, into a
// separate folder. They follow the workload's flags, and so override them.
func (g GoTest) runProfiled(ctx context.Context) (Outcome, error) {
	dir, err := os.MkdirTemp("", "assay-profile-")
	if err != nil {
		return Outcome{}, fmt.Errorf("profile trial: %w", err)
	}
	defer os.RemoveAll(dir)
	file := filepath.Join(dir, g.Profile+".pprof")
	flags := []string{"-cpuprofile=" + file}
	switch g.Profile {
	case assay.CollectCPU:
	case assay.CollectMem:
		flags = []string{"-memprofile=" + file, "-memprofilerate=1"}
		g.Env = EveryObject(g.Env)
	default:
		return Outcome{}, fmt.Errorf("profile trial: there is no profile of %q", g.Profile)
	}
	g.TestFlags = slices.Concat(g.TestFlags, flags)
	o, err := g.run(ctx)
	if err != nil || o.Status != assay.StatusOK {
		return o, err
	}
	if o.Profile, err = ReadProfile(file); err != nil {
		o.Status, o.Reason = assay.StatusNoResult, "it left no profile: "+err.Error()
	}
	return o, nil
}

// EveryObject returns env with a setting that makes the Go runtime profile every object
// from the start of the process. Package testing, and a program that profiles itself, set
// the rate after packages have been initialised. By then it is left to chance, one sample
// in 512 KiB, which allocations of those are in the profile, and the difference of two
// trials would not be exact.
func EveryObject(env []string) []string { return withGODEBUG(env, "memprofilerate=1") }

// ReadProfile reads a profile written by a trial. The error names no folder, and says
// that the file is missing, empty, or larger than MaxProfile.
func ReadProfile(name string) ([]byte, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, fmt.Errorf("there is no file %s", filepath.Base(name))
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, MaxProfile+1))
	switch {
	case err != nil:
		return nil, fmt.Errorf("read %s: it cannot be read to its end", filepath.Base(name))
	case len(data) == 0:
		return nil, fmt.Errorf("%s is empty", filepath.Base(name))
	case len(data) > MaxProfile:
		return nil, fmt.Errorf("%s has more than %d MiB", filepath.Base(name), MaxProfile>>20)
	}
	return data, nil
}
