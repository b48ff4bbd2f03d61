package lab

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/google/pprof/profile"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/build"
	"github.com/seed-1318a441/assay/internal/trial"
)

// runProfiled runs one trial of a command with a profile. It is not the program
// that is measured but one with the same functions that profiles itself.
func (l *Local) runProfiled(ctx context.Context, r RunRequest, w assay.Workload) (trial.Outcome, error) {
	if err := unprofiled(r, w); err != nil {
		return trial.Outcome{}, err
	}
	variable := build.ProfileVariable
	if r.Profile == assay.CollectMem {
		variable = build.MemProfileVariable
	}
	b, err := l.profiledProgram(ctx, r, w)
	if err != nil {
		return trial.Outcome{}, err
	}
	dir, err := l.builder.Cache.TempDir("evidence-")
	if err != nil {
		return trial.Outcome{}, err
	}
	defer os.RemoveAll(dir)
	file := filepath.Join(dir, "profile")
	out, err := l.runWith(ctx, r, w, b, variable+"="+file)
	if err != nil || out.Status != assay.StatusOK {
		return out, err
	}
	if out.Profile, err = mergedFiles(file); err != nil {
		out.Status, out.Reason = assay.StatusNoResult, "it left no profile: "+err.Error()
	}
	return out, nil
}

// unprofiled is the error of what cannot be made to profile itself.
func unprofiled(r RunRequest, w assay.Workload) error {
	why := ""
	switch {
	case w.Kind == assay.KindService:
		why = "services are not profiled"
	case !slices.ContainsFunc(w.Command(r.Variant), func(word string) bool { return strings.Contains(word, assay.PlaceBin) }):
		why = fmt.Sprintf("variant %q runs a program that assay did not build", r.Variant.Name)
	default:
		return nil
	}
	return &assay.Error{Exit: assay.ExitRefused, Warning: assay.Warning{Code: "no-profile",
		Text: "cannot collect a profile of " + r.Names[0], Facts: []string{why}}}
}

// profiledProgram builds what a variant's profiles are collected from, or finds it
// in the cache.
func (l *Local) profiledProgram(ctx context.Context, r RunRequest, w assay.Workload) (build.Artifact, error) {
	q, err := l.ownProfile(ctx, BuildRequest{Study: r.Study, Workload: r.Workload, Variant: forTarget(r.Study, r.Variant)})
	if err != nil {
		return build.Artifact{}, err
	}
	return l.builder.ProfiledProgram(ctx, request(q, cmp.Or(w.Package, r.Study.Source.Package, ".")))
}

// Bounds on the profiles of the processes of a command.
const (
	maxProcesses = 1000
	maxParts     = 4 * trial.MaxProfile // bytes altogether
)

// mergedFiles adds up the profiles that the processes of a program left. Those
// without samples count, since they tell that nothing was seen; those of
// processes that were killed are empty files.
func mergedFiles(file string) ([]byte, error) {
	names, err := build.Profiles(file)
	if err != nil {
		return nil, err
	}
	var all []*profile.Profile
	size := 0
	for _, name := range names[:min(len(names), maxProcesses)] {
		if !written(name) {
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
