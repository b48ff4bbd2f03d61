package local

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/google/pprof/profile"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/build"
	"github.com/seed-1318a441/assay/internal/lab"
	"github.com/seed-1318a441/assay/internal/trial"
)

// runProfiled runs one trial of a program that profiles itself: a command from its start to
// its end, a server under its load.
func (m *Machine) runProfiled(ctx context.Context, r lab.RunRequest) (trial.Outcome, error) {
	dir, err := m.cache.TempDir("profile-")
	if err != nil {
		return trial.Outcome{}, err
	}
	defer os.RemoveAll(dir)
	file := filepath.Join(dir, "profile")
	run := m.profileCommand
	if r.Study.Workloads[r.Workload].Kind == assay.KindService {
		run = m.profileService
	}
	out, err := run(ctx, r, file)
	if err != nil || out.Status != assay.StatusOK {
		return out, err
	}
	if out.Profile, err = mergedFiles(file); err != nil {
		out.Status, out.Reason = assay.StatusNoResult, "it left no profile: "+err.Error()
	}
	return out, nil
}

// profileCommand runs a command whose processes write their profiles when they end.
func (m *Machine) profileCommand(ctx context.Context, r lab.RunRequest, file string) (trial.Outcome, error) {
	p, drop, err := m.program(r)
	if err != nil {
		return trial.Outcome{}, err
	}
	defer drop()
	if r.Profile == assay.CollectMem {
		p.Env = trial.EveryObject(append(p.Env, build.MemProfileVariable+"="+file))
	} else {
		p.Env = append(p.Env, build.ProfileVariable+"="+file)
	}
	return p.Run(ctx)
}

// profileService runs a service whose server writes a CPU profile of its load.
func (m *Machine) profileService(ctx context.Context, r lab.RunRequest, file string) (trial.Outcome, error) {
	s, drop, err := m.service(r)
	if err != nil {
		return trial.Outcome{}, err
	}
	defer drop()
	s.Env = append(s.Env, build.ProfileVariable+"="+file, build.LoadVariable+"=1")
	s.AroundLoad = func(ctx context.Context, load func()) error { return build.ProfileLoad(ctx, file, load) }
	return s.Run(ctx)
}

// Limits on the profiles of a command's processes.
const (
	maxProcesses = 1000
	maxParts     = 4 * trial.MaxProfile // bytes in total
)

// mergedFiles adds up the profiles of a program's processes. Profiles without samples
// count, since they show that nothing was sampled; those of killed processes are empty
// files.
func mergedFiles(file string) ([]byte, error) {
	names, err := build.Profiles(file)
	if err != nil {
		return nil, err
	}
	var all []*profile.Profile
	size := 0
	for _, name := range names[:min(len(names), maxProcesses)] {
		if st, err := os.Stat(name); err != nil || st.Size() == 0 {
			continue
		}
		data, err := trial.ReadProfile(name)
		if err != nil {
			return nil, err
		}
		if size += len(data); size > maxParts {
			return nil, fmt.Errorf("the profiles of its processes have more than %d MiB", maxParts>>20)
		}
		p, err := profile.ParseData(data)
		if err != nil {
			return nil, fmt.Errorf("read profile: %w", err)
		}
		all = append(all, p)
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("no process of it ended by itself")
	}
	merged, err := profile.Merge(all)
	if err != nil {
		return nil, fmt.Errorf("merge profiles: %w", err)
	}
	var buf bytes.Buffer
	err = merged.Write(&buf)
	return buf.Bytes(), err
}
