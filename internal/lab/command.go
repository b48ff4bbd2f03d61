package lab

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/binary"
	"github.com/seed-1318a441/assay/internal/build"
	"github.com/seed-1318a441/assay/internal/disk"
	"github.com/seed-1318a441/assay/internal/trial"
)

// command builds the program of a command or a service, or finds the one that
// was given.
func (l *Local) command(ctx context.Context, r BuildRequest, w assay.Workload) (Artifact, error) {
	if !w.Uses(r.Variant, assay.PlaceBin) {
		return l.given(r, strings.ReplaceAll(w.Command(r.Variant)[0], assay.PlaceStudy, r.Study.Dir))
	}
	a, err := l.buildOne(ctx, r, cmp.Or(w.Package, r.Study.Source.Package, "."))
	if err == nil && anyGiven(r.Study) {
		a.Package = "" // like those that were not built, so that they can be compared
	}
	return a, err
}

// anyGiven reports whether some variant runs a program that was not built.
func anyGiven(s *assay.Study) bool {
	return slices.ContainsFunc(s.Variants, func(v assay.Variant) bool { return len(v.Run) > 0 })
}

// given takes a program that assay did not build as an artifact. Its content is
// its identity; if it is a Go program its functions are known, too.
func (l *Local) given(r BuildRequest, program string) (Artifact, error) {
	path, err := findProgram(r.Study.Dir, program)
	if err != nil {
		return Artifact{}, &assay.Error{Exit: assay.ExitUsage, Warning: assay.Warning{Code: "no-program",
			Text: fmt.Sprintf("variant %q: there is no program %s", r.Variant.Name, program), Facts: []string{err.Error()},
			Try: "a path to a program that may be run, or one that is found in PATH"}}
	}
	digest, err := disk.Digest(path)
	if err != nil {
		return Artifact{}, fmt.Errorf("read program: %w", err)
	}
	id := givenID(path, digest)
	a := l.keep(r.Workload, holding{Artifact: build.Artifact{ID: id, SHA256: digest, Path: path, Dir: r.Study.Dir, Cached: true}}, id)
	a.Given = true
	if p, err := binary.Fingerprint(path); err == nil {
		a.Print = p // other programs have none, and are measured
	}
	return a, nil
}

// findProgram finds a program as a shell in dir would.
func findProgram(dir, name string) (string, error) {
	if strings.ContainsRune(name, '/') || strings.ContainsRune(name, filepath.Separator) {
		if !filepath.IsAbs(name) {
			name = filepath.Join(dir, name)
		}
	}
	path, err := exec.LookPath(name)
	if err != nil {
		return "", err
	}
	return filepath.Abs(path)
}

// givenID is the identity of a program that was given: where it is, and the
// digest of its content.
func givenID(path, digest string) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%q %s\n", path, digest))
	return hex.EncodeToString(sum[:16])
}

// runCommand runs one trial of a command in the study's folder.
func (l *Local) runCommand(ctx context.Context, r RunRequest, w assay.Workload, b build.Artifact) (trial.Outcome, error) {
	p, drop, err := l.program(r, w, b.Path)
	if err != nil {
		return trial.Outcome{}, err
	}
	defer drop()
	return p.Run(ctx)
}

// program fills in a command line's placeholders. drop removes what the trial
// was given.
func (l *Local) program(r RunRequest, w assay.Workload, bin string) (p trial.Program, drop func(), err error) {
	words := w.Command(r.Variant)
	tmp, drop := "", func() {}
	if w.Uses(r.Variant, assay.PlaceTmp) {
		if tmp, drop, err = l.folder(); err != nil {
			return p, nil, err
		}
	}
	fill := strings.NewReplacer(assay.PlaceBin, bin, assay.PlaceName, r.Names[0], assay.PlaceTmp, tmp)
	words = filled(fill, words)
	path := bin
	if words[0] != bin {
		if path, err = findProgram(r.Study.Dir, words[0]); err != nil {
			drop()
			return p, nil, fmt.Errorf("run %s: %w", r.Names[0], err)
		}
	}
	env := maps.Clone(w.Env)
	if env == nil {
		env = map[string]string{}
	}
	maps.Copy(env, r.Variant.Env)
	p = trial.Program{
		Path: path, Args: words[1:], Dir: r.Study.Dir, Env: trial.Environ(os.Environ(), trial.Procs(r.Study.Measure, r.Variant), env),
		Prepare: filled(fill, w.Prepare), Cleanup: filled(fill, w.Cleanup), Output: r.Output, Name: r.Names[0],
		Timeout: r.Study.Measure.Timeout, Counters: true, GCTrace: r.GCTrace,
	}
	if w.Stdin != "" {
		p.Stdin = r.Study.Path(fill.Replace(w.Stdin))
	}
	return p, drop, nil
}

// checkFiles makes sure, before anything is built, that the files which commands
// read and are compared with are there.
func checkFiles(s *assay.Study) error {
	for i, w := range s.Workloads {
		for _, name := range w.Names {
			b := assay.PlannedBenchmark{Benchmark: assay.Benchmark{Name: name}, Workload: i}
			if _, err := wantedOutput(s, b); err != nil {
				return err
			}
			if w.Stdin == "" {
				continue
			}
			if _, err := os.Stat(s.Path(strings.ReplaceAll(w.Stdin, assay.PlaceName, name))); err != nil {
				return &assay.Error{Exit: assay.ExitUsage, Warning: assay.Warning{Code: "no-input",
					Text: fmt.Sprintf("there is no standard input for %s", name), Facts: []string{err.Error()},
					Try: "stdin = a file, its path from the study's folder"}}
			}
		}
	}
	return nil
}

func filled(fill *strings.Replacer, words []string) []string {
	out := make([]string, len(words))
	for i, w := range words {
		out[i] = fill.Replace(w)
	}
	return out
}
