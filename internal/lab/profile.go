package lab

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
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
	"github.com/seed-1318a441/assay/internal/trial"
)

// pgoAuto is the profile that assay collects itself.
const pgoAuto = "auto"

// profiledTime is how long each Go benchmark runs for a profile at least: a
// trial's 50 ms would give five samples.
const profiledTime = time.Second

// profileFor returns the profile of the workload on the base where the variant
// is to be built with one of assay's own, else "". It is collected once, in runs
// of its own, and kept in the cache under all that it depends on, so that a run
// that is taken up again builds the same.
func (l *Local) profileFor(ctx context.Context, r BuildRequest) (string, error) {
	if r.Variant.PGO != pgoAuto {
		return "", nil
	}
	r.Variant = forTarget(r.Study, plainBase(r.Study))
	l.profiling.Lock()
	defer l.profiling.Unlock()
	made, err := l.profiled(ctx, r)
	if err != nil {
		return "", err
	}
	file := filepath.Join(l.builder.Cache.Dir, "profile", hex.EncodeToString(profileID(r, made))+".pprof")
	if _, err := os.Stat(file); err == nil {
		return file, nil
	}
	tmp, err := l.builder.Cache.TempDir("profile-")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(tmp)
	return file, l.collectProfile(ctx, r, made, tmp, file)
}

// plainBase is the base without a profile.
func plainBase(s *assay.Study) assay.Variant {
	i := max(slices.IndexFunc(s.Variants, func(v assay.Variant) bool { return v.Name == s.Base }), 0)
	v := s.Variants[i]
	v.PGO = ""
	return v
}

// profiled builds what the profile is collected from.
func (l *Local) profiled(ctx context.Context, r BuildRequest) ([]build.Artifact, error) {
	w := r.Study.Workloads[r.Workload]
	if w.IsProgram() {
		b, err := l.builder.ProfiledProgram(ctx, request(r, cmp.Or(w.Package, r.Study.Source.Package, ".")))
		return []build.Artifact{b}, err
	}
	pkgs, err := l.builder.Packages(ctx, request(r, ""), w.Packages)
	if err != nil {
		return nil, err
	}
	var out []build.Artifact
	for _, p := range pkgs {
		b, err := l.builder.Binary(ctx, request(r, p.ImportPath))
		if err != nil {
			return nil, err
		}
		out = append(out, b)
	}
	return out, nil
}

func profileID(r BuildRequest, made []build.Artifact) []byte {
	data, err := json.Marshal([]any{r.Study.Workloads[r.Workload], r.Variant.Env, trial.Procs(r.Study.Measure, r.Variant), ids(made)})
	if err != nil {
		panic("lab: a workload always marshals: " + err.Error())
	}
	sum := sha256.Sum256(data)
	return sum[:16]
}

func ids(made []build.Artifact) (out []string) {
	for _, b := range made {
		out = append(out, b.ID)
	}
	return out
}

// collectProfile runs the whole workload once and merges the profiles.
func (l *Local) collectProfile(ctx context.Context, r BuildRequest, made []build.Artifact, tmp, file string) error {
	w := r.Study.Workloads[r.Workload]
	var parts []string
	for i, b := range made {
		run := l.profileTest
		if w.IsProgram() {
			run = l.profileProgram
		}
		files, err := run(ctx, r, w, b, filepath.Join(tmp, fmt.Sprintf("%03d", i)))
		if err != nil {
			return err
		}
		parts = append(parts, files...)
	}
	merged, err := mergeProfiles(parts)
	if err != nil {
		return fmt.Errorf("collect profile of %q: %w", r.Variant.Name, err)
	}
	return writeProfile(merged, filepath.Join(tmp, "merged"), file)
}

func (l *Local) profileTest(ctx context.Context, r BuildRequest, w assay.Workload, b build.Artifact, file string) ([]string, error) {
	in, err := l.copies.of(ctx, RunRequest{Study: r.Study, Variant: r.Variant}, b)
	if err != nil {
		return nil, err
	}
	procs := trial.Procs(r.Study.Measure, r.Variant)
	out, err := trial.GoTest{
		Binary: b.Path, Dir: in.Path(b.Dir), Env: trial.Environ(os.Environ(), procs, r.Variant.Env), Procs: procs,
		Pattern: cmp.Or(w.Bench, "."), N: 1, Args: w.Args, Timeout: r.Study.Measure.Timeout,
		TestFlags: slices.Concat(w.TestFlags, []string{"-benchtime=" + max(profiledTime, r.Study.Measure.Trial).String(), "-cpuprofile=" + file}),
	}.Run(ctx)
	if err != nil {
		return nil, err
	}
	return []string{file}, profileFailed(r, b.Package, out)
}

// profileProgram runs a program once under each of its names.
func (l *Local) profileProgram(ctx context.Context, r BuildRequest, w assay.Workload, b build.Artifact, file string) (all []string, err error) {
	for i, name := range w.Names {
		part := fmt.Sprintf("%s-%03d", file, i)
		q := RunRequest{Study: r.Study, Workload: r.Workload, Variant: r.Variant, Names: []string{name}}
		out, err := l.runWith(ctx, q, w, b, build.ProfileVariable+"="+part)
		if err != nil {
			return nil, err
		}
		if err := profileFailed(r, name, out); err != nil {
			return nil, err
		}
		files, err := build.Profiles(part)
		if err != nil {
			return nil, err
		}
		// A server writes its profile at its end, if that is the end of main or
		// os.Exit and not the signal.
		if w.Kind == assay.KindService && !slices.ContainsFunc(files, written) {
			return nil, profileFailed(r, name, trial.Outcome{Status: assay.StatusNoResult,
				Reason: "the stop signal ended its server, which writes its profile where main returns or os.Exit is called"})
		}
		all = append(all, files...)
	}
	return all, nil
}

// runWith runs one trial of a command or a service with a variable more.
func (l *Local) runWith(ctx context.Context, q RunRequest, w assay.Workload, b build.Artifact, variable string) (trial.Outcome, error) {
	if w.Kind == assay.KindService {
		s, drop, err := l.service(q, w, b.Path)
		if err != nil {
			return trial.Outcome{}, err
		}
		defer drop()
		s.Env = append(s.Env, variable)
		return s.Run(ctx)
	}
	p, drop, err := l.program(q, w, b.Path)
	if err != nil {
		return trial.Outcome{}, err
	}
	defer drop()
	if p.Env = append(p.Env, variable); q.Profile == assay.CollectMem {
		p.Env = trial.EveryObject(p.Env)
	}
	return p.Run(ctx)
}

// written reports whether a process wrote its profile to a file.
func written(name string) bool {
	st, err := os.Stat(name)
	return err == nil && st.Size() > 0
}

func profileFailed(r BuildRequest, name string, out trial.Outcome) error {
	if out.Status == assay.StatusOK {
		return nil
	}
	return &assay.Error{Exit: assay.ExitBuild, Warning: assay.Warning{Code: "no-profile",
		Text:  fmt.Sprintf("cannot collect a profile: %s ended as %s in %q", name, out.Status, r.Variant.Name),
		Facts: []string{out.Reason}, Try: "pgo = FILE, with a profile that was collected before"}}
}

// mergeProfiles reads profiles and adds them up. Those of processes that were
// killed are empty.
func mergeProfiles(files []string) (*profile.Profile, error) {
	var all []*profile.Profile
	for _, name := range files {
		if !written(name) {
			continue
		}
		p, err := readProfile(name)
		if err != nil {
			return nil, err
		}
		if len(p.Sample) > 0 {
			all = append(all, p)
		}
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("it has no samples: the workload is over too soon")
	}
	return profile.Merge(all)
}

func readProfile(name string) (*profile.Profile, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return profile.Parse(f)
}

// writeProfile makes the file in one step, as far as any reader can tell.
func writeProfile(p *profile.Profile, tmp, file string) error {
	f, err := os.Create(tmp)
	if err != nil {
		return fmt.Errorf("write profile: %w", err)
	}
	err = p.Write(f)
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	if err == nil {
		err = os.MkdirAll(filepath.Dir(file), 0o777)
	}
	if err == nil {
		err = os.Rename(tmp, file)
	}
	if err != nil {
		return fmt.Errorf("write profile: %w", err)
	}
	return nil
}

// matchName names the profile's match that is kept with an artifact.
const matchName = "profile-1"

// match tells how far the profile that a binary was built with is about the
// code in it; nil where there was none.
func (l *Local) match(v assay.Variant, b build.Artifact, p *binary.Print, file string) (*assay.ProfileInfo, error) {
	if v.PGO == "" || p == nil {
		return nil, nil
	}
	info := new(assay.ProfileInfo)
	if l.builder.Cache.Load(b.ID, matchName, info) {
		return info, nil
	}
	prof, err := readProfile(file)
	if err != nil {
		return nil, fmt.Errorf("read profile: %w", err)
	}
	*info = matched(prof, p)
	info.Path = v.PGO
	return info, l.builder.Cache.Store(b.ID, matchName, info)
}

// matched counts the samples whose function is in the binary. Where the
// function was inlined, one that it was inlined into will do.
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

// plainFunc takes type arguments off: a profile has "[...]" in their place.
func plainFunc(name string) string {
	before, _, _ := strings.Cut(name, "[")
	return before
}

// badMatch is the share of samples below which a profile is of other code.
const badMatch = 0.5

// profileWarnings tell of profiles that are not about the code that was built
// with them, or are next to nothing. Variants of which the same is to be said
// share a warning.
func profileWarnings(infos []assay.ArtifactInfo) (out []assay.Warning) {
	who := map[assay.ProfileInfo][]string{}
	var order []assay.ProfileInfo
	for _, a := range infos {
		if p := a.Profile; p != nil && (p.Match < badMatch || p.Samples < fewSamples) {
			if who[*p] == nil {
				order = append(order, *p)
			}
			who[*p] = append(who[*p], a.Variant)
		}
	}
	for _, p := range order {
		out = append(out, profileWarning(p, who[p]))
	}
	return out
}

func profileWarning(p assay.ProfileInfo, variants []string) assay.Warning {
	who := fmt.Sprintf("variant %q", variants[0])
	var facts []string
	if len(variants) > 1 {
		who, facts = fmt.Sprintf("%d variants", len(variants)), []string{few(variants, someNames)}
	}
	if p.Match < badMatch {
		return assay.Warning{Code: "profile-match", Text: fmt.Sprintf("%s: %s is of other code", who, profileName(p)),
			Facts: append(facts, fmt.Sprintf("%.0f %% of its %d samples are in functions that the program has", 100*p.Match, p.Samples)),
			Try:   `pgo = "auto", which collects one on the base`}
	}
	return assay.Warning{Code: "profile-match", Text: fmt.Sprintf("%s: %s has %d samples only", who, profileName(p), p.Samples),
		Facts: append(facts, "hot calls that it did not see are compiled as without it"), Try: "a workload that runs longer"}
}

func profileName(p assay.ProfileInfo) string {
	if p.Path == pgoAuto {
		return "the profile collected on the base"
	}
	return "the profile " + p.Path
}

// fewSamples is a second and a half of CPU time at 100 Hz.
const fewSamples = 150
