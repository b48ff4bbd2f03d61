package local

import (
	"context"
	"fmt"
	"maps"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"

	"golang.org/x/sync/errgroup"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/build"
	"github.com/seed-1318a441/assay/internal/fault"
	"github.com/seed-1318a441/assay/internal/lab"
	"github.com/seed-1318a441/assay/internal/printable"
	"github.com/seed-1318a441/assay/internal/scratch"
	"github.com/seed-1318a441/assay/internal/trial"
)

// allCopies is the maximum size of all copies of a run together.
var allCopies = scratch.Room{Bytes: 4 << 30, Files: 60_000}

// A copyKey names a copy: one of each tree for each variant, including the control.
type copyKey struct{ variant, root string }

// A place is the source of a copy.
type place struct {
	artifact build.Artifact
	dirs     []string // the folders of the packages
}

// copies are the folders in which the trials of Go benchmarks run, separate for each
// variant. All are made when the first trial needs one, and removed by Close. Their
// paths have the same length, since the environment is on the stack and moves it.
type copies struct {
	copier scratch.Copier
	dir    string // of all copies
	// unpacked is set by Machine.TakeParcels.
	unpacked bool

	mu      sync.Mutex
	wanted  map[copyKey]place
	made    map[copyKey]*scratch.Copy
	number  int
	room    scratch.Room // of each copy; fixed by the first, so that they are alike
	written map[string]bool
	// surveyed means that trials outside of blocks have run in the copies since they were
	// made or restored.
	surveyed bool
}

func newCopies(dir string) *copies {
	return &copies{dir: dir, wanted: map[copyKey]place{}, made: map[copyKey]*scratch.Copy{}, written: map[string]bool{}}
}

// want notes that the trials of a variant, and of the base's control, will need a copy
// for an artifact.
func (c *copies) want(s *assay.Study, variant string, a build.Artifact) {
	if a.Root == "" {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.add(variant, a)
	if variant == s.Base && s.By == nil && !s.Measure.NoControl {
		c.add(assay.ControlName, a)
	}
}

func (c *copies) add(variant string, a build.Artifact) {
	k := copyKey{variant, a.Root}
	p := c.wanted[k]
	if p.artifact.Root == "" {
		p.artifact = a
	}
	if !slices.Contains(p.dirs, a.Dir) {
		p.dirs = append(slices.Clip(p.dirs), a.Dir)
		slices.Sort(p.dirs)
		delete(c.made, k) // it lacks the files of this package
	}
	c.wanted[k] = p
}

// copyFor returns the copy for a trial. Before the first trial of a block all copies are
// restored: the survey's trials may have written to them, but the control had none.
func (c *copies) copyFor(ctx context.Context, r lab.RunRequest, a build.Artifact) (*scratch.Copy, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	k := copyKey{r.Variant.Name, a.Root}
	if p, ok := c.wanted[k]; !ok || !slices.Contains(p.dirs, a.Dir) {
		c.add(k.variant, a) // a variant found inside one binary
	}
	if c.made[k] == nil {
		if err := c.makeAll(ctx); err != nil {
			return nil, err
		}
	}
	switch {
	case r.Block == 0:
		c.surveyed = true
	case c.surveyed:
		if err := c.undo(); err != nil {
			return nil, err
		}
		c.surveyed = false
	}
	return c.made[k], nil
}

// makeAll makes the missing copies.
func (c *copies) makeAll(ctx context.Context) error {
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(runtime.GOMAXPROCS(0))
	if n := len(c.wanted); c.room.Files == 0 {
		c.room = scratch.Room{Bytes: min(scratch.DefaultRoom.Bytes, allCopies.Bytes/int64(n)), Files: min(scratch.DefaultRoom.Files, allCopies.Files/n)}
	}
	var missing []copyKey
	for k := range c.wanted {
		if c.made[k] == nil {
			missing = append(missing, k)
		}
	}
	var mu sync.Mutex
	for _, k := range missing {
		p := c.wanted[k]
		c.number++
		dir := filepath.Join(c.dir, fmt.Sprintf("tree-%06d", c.number))
		g.Go(func() error {
			defer fault.Exit()
			one, err := c.copier.Copy(ctx, dir, scratch.Origin{Root: p.artifact.Root, Standard: p.artifact.Standard, Unpacked: c.unpacked}, p.dirs, c.room)
			if err != nil {
				return fmt.Errorf("copy the source of variant %q: %w", k.variant, err)
			}
			mu.Lock()
			defer mu.Unlock()
			c.made[k] = one
			return nil
		})
	}
	return g.Wait()
}

// undo restores all copies.
func (c *copies) undo() error {
	for _, one := range c.made {
		written, err := one.Undo()
		if err != nil {
			return err
		}
		c.note(written)
	}
	return nil
}

func (c *copies) note(written []string) {
	for _, name := range written {
		c.written[name] = true
	}
}

// Written warns about benchmarks that write into their folder; nil if none has.
func (m *Machine) Written() []assay.Warning {
	c := m.copies
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, one := range c.made {
		written, _ := one.Written() // an unreadable copy has nothing to report
		c.note(written)
	}
	if len(c.written) == 0 {
		return nil
	}
	names := slices.Sorted(maps.Keys(c.written))
	for i, name := range names {
		names[i] = m.secrets.mask.Name(name)
	}
	return []assay.Warning{{Code: assay.CodeWritesFiles, Text: "benchmarks write into their folder: " + printable.Few(names, maxWritten),
		Facts: []string{"each variant ran in a copy of its own, so none has seen the files of another, and yours are as they were",
			"what a trial leaves there, the next one of the variant finds"},
		Advice: "b.TempDir() in the benchmark"}}
}

// maxWritten is the maximum number of written files named.
const maxWritten = 3

// explainMissing adds to a failure what the copy lacks, which may be the cause.
func explainMissing(out *trial.Outcome, left []string) {
	if len(left) == 0 || out.Status == assay.StatusOK && len(out.Broken) == 0 {
		return
	}
	said := string(out.Stdout) + string(out.Stderr)
	var named []string
	for _, name := range left {
		if strings.Contains(said, filepath.Base(strings.TrimSuffix(name, "/"))) {
			named = append(named, name)
		}
	}
	if len(named) == 0 && !strings.Contains(said, "no such file or directory") && !strings.Contains(said, "cannot find the ") {
		return
	}
	if len(named) == 0 {
		named = left
	}
	why := fmt.Sprintf(" (the copy that it ran in is without %s)", printable.Few(named, maxWritten))
	if out.Status != assay.StatusOK {
		out.Reason += why
	}
	for name, reason := range out.Broken {
		out.Broken[name] = reason + why
	}
}
