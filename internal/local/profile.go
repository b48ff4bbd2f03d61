package local

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/google/pprof/profile"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/binary"
	"github.com/seed-1318a441/assay/internal/build"
	"github.com/seed-1318a441/assay/internal/cache"
	"github.com/seed-1318a441/assay/internal/disk"
	"github.com/seed-1318a441/assay/internal/lab"
	"github.com/seed-1318a441/assay/internal/trial"
)

// profiledTime is the minimum time that each Go benchmark runs for a profile: a trial's
// 50 ms would give five samples.
const profiledTime = time.Second

// ownProfile returns a request with the profile collected by assay itself, if the variant
// is built with that.
func (w *Workshop) ownProfile(ctx context.Context, r lab.BuildRequest) (lab.BuildRequest, error) {
	if r.Variant.PGO != assay.PGOAuto {
		return r, nil
	}
	file, err := w.profileOf(ctx, lab.BuildRequest{Study: r.Study, Workload: r.Workload, Variant: w.plainBase(r.Study), Profiled: true})
	if err == nil {
		r.Variant.PGO = file
	}
	return r, err
}

// plainBase returns the base without a profile.
func (w *Workshop) plainBase(s *assay.Study) assay.Variant {
	i := max(slices.IndexFunc(s.Variants, func(v assay.Variant) bool { return v.Name == s.Base }), 0)
	v := w.forTarget(s, s.Variants[i])
	v.PGO = ""
	return v
}

// profileOf returns the file with the profile of a workload on the base. It is collected
// once, in separate runs, and cached under everything that it depends on, so that a
// resumed run builds the same.
func (w *Workshop) profileOf(ctx context.Context, r lab.BuildRequest) (string, error) {
	w.profiling.Lock()
	defer w.profiling.Unlock()
	made, err := w.Build(ctx, r)
	if err != nil {
		return "", err
	}
	made = slices.DeleteFunc(made, func(a lab.Artifact) bool { return a.Fault != nil })
	file := filepath.Join(w.builder.Cache.Dir, "profile", profileID(r, made)+".pprof")
	if _, err := os.Stat(file); err == nil {
		return file, nil
	}
	merged, err := w.collect(ctx, r, made)
	if err != nil {
		return "", err
	}
	var data bytes.Buffer
	if err = merged.Write(&data); err == nil {
		err = os.MkdirAll(filepath.Dir(file), 0o777)
	}
	if err != nil {
		return "", fmt.Errorf("write profile: %w", err)
	}
	return file, disk.WriteFile(file, data.Bytes())
}

func profileID(r lab.BuildRequest, made []lab.Artifact) string {
	var ids []string
	for _, a := range made {
		ids = append(ids, a.ID)
	}
	parts := []any{assay.EnoughSamples, r.Study.Workloads[r.Workload], r.Variant.Env, trial.Procs(r.Study.Measure, r.Variant), ids}
	if len(r.Variant.Secrets) > 0 {
		parts = append(parts, r.Variant.Secrets)
	}
	data, err := json.Marshal(parts)
	if err != nil {
		panic("local: a workload always marshals: " + err.Error())
	}
	return cache.KeyOf(data)
}

// maxCollecting limits the time in which a workload is run again for more samples. One
// that mostly waits has few, however often it runs.
const maxCollecting = 30 * time.Second

// collect runs the whole workload until its profiles have enough samples, and merges them.
func (w *Workshop) collect(ctx context.Context, r lab.BuildRequest, made []lab.Artifact) (*profile.Profile, error) {
	var all []*profile.Profile
	var samples int64
	for start := time.Now(); samples < assay.EnoughSamples && (all == nil || time.Since(start) < maxCollecting); {
		parts, err := w.collectOnce(ctx, r, made)
		if err != nil {
			return nil, err
		}
		all = append(all, parts...)
		samples = countSamples(all)
	}
	if samples == 0 {
		return nil, fmt.Errorf("collect profile of %q: it has no samples: the workload is over too soon", r.Variant.Name)
	}
	merged, err := profile.Merge(slices.DeleteFunc(all, func(p *profile.Profile) bool { return len(p.Sample) == 0 }))
	if err != nil {
		return nil, fmt.Errorf("collect profile of %q: %w", r.Variant.Name, err)
	}
	return merged, nil
}

// countSamples returns how often the profiler looked.
func countSamples(all []*profile.Profile) (n int64) {
	for _, p := range all {
		for _, s := range p.Sample {
			if len(s.Value) > 0 {
				n += s.Value[0]
			}
		}
	}
	return n
}

// collectOnce runs the whole workload once, a program once for each of its names.
func (w *Workshop) collectOnce(ctx context.Context, r lab.BuildRequest, made []lab.Artifact) (parts []*profile.Profile, err error) {
	workload := r.Study.Workloads[r.Workload]
	for _, a := range made {
		run := lab.RunRequest{Study: r.Study, Workload: r.Workload, Artifact: a, Variant: r.Variant, Profile: assay.CollectCPU}
		if !workload.IsProgram() {
			run.Pattern, run.Time = cmp.Or(workload.Bench, "."), max(profiledTime, r.Study.Measure.Trial)
			p, err := w.profileOne(ctx, run, a.Package)
			if err != nil {
				return nil, err
			}
			parts = append(parts, p)
		}
		for _, name := range workload.Names {
			run.Names = []string{name}
			p, err := w.profileOne(ctx, run, name)
			if err != nil {
				return nil, err
			}
			parts = append(parts, p)
		}
	}
	return parts, nil
}

// profileOne collects the profile of one run.
func (w *Workshop) profileOne(ctx context.Context, r lab.RunRequest, name string) (*profile.Profile, error) {
	out, err := w.machine.Run(ctx, r)
	if err != nil {
		return nil, err
	}
	if out.Status != assay.StatusOK {
		return nil, assay.NewError(assay.ExitBuild, assay.CodeNoProfile, fmt.Sprintf("cannot collect a profile: %s ended as %s in %q", name, out.Status, r.Variant.Name),
			[]string{out.Reason}, "pgo = FILE, with a profile that was collected before")
	}
	return profile.ParseData(out.Profile)
}

// matchName is the name of the profile's match kept with an artifact.
const matchName = "profile-2"

// match returns how well the profile of a build matches its code; nil without a profile.
func (w *Workshop) match(v assay.Variant, b build.Artifact, p *binary.Print, file string) (*assay.ProfileInfo, error) {
	if v.PGO == "" || p == nil {
		return nil, nil
	}
	info := new(assay.ProfileInfo)
	if w.builder.Cache.Load(b.ID, matchName, info) {
		return info, nil
	}
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("read profile: %w", err)
	}
	prof, err := profile.ParseData(data)
	if err != nil {
		return nil, fmt.Errorf("read profile: %w", err)
	}
	*info = matched(prof, p)
	info.Path = v.PGO
	return info, w.builder.Cache.Store(b.ID, matchName, info)
}

// matched counts the samples whose function is in the binary. For an inlined function,
// one that it was inlined into is enough.
func matched(p *profile.Profile, b *binary.Print) assay.ProfileInfo {
	known := map[string]bool{}
	for name := range maps.Keys(b.Funcs) {
		known[plainFunc(name)] = true
	}
	var all, found int64
	for _, s := range p.Sample {
		if len(s.Location) == 0 || len(s.Value) == 0 {
			continue
		}
		all += s.Value[0]
		if slices.ContainsFunc(s.Location[0].Line, func(l profile.Line) bool { return l.Function != nil && known[plainFunc(l.Function.Name)] }) {
			found += s.Value[0]
		}
	}
	return assay.ProfileInfo{Samples: all, Match: float64(found) / float64(max(all, 1))}
}

// plainFunc removes what a profile does not write: type arguments, in whose place it has
// "[...]", and the ABI of a function in assembly.
func plainFunc(name string) string {
	before, _, _ := strings.Cut(name, "[")
	return strings.TrimSuffix(before, ".abi0")
}
