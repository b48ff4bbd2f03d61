package local

import (
	"context"
	"fmt"
	"maps"
	"os"
	"strings"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/lab"
	"github.com/seed-1318a441/assay/internal/trial"
)

// runCommand runs one trial of a command in the study's folder.
func (m *Machine) runCommand(ctx context.Context, r lab.RunRequest) (trial.Outcome, error) {
	p, drop, err := m.program(r)
	if err != nil {
		return trial.Outcome{}, err
	}
	defer drop()
	return p.Run(ctx)
}

// program fills in a command line's placeholders. drop removes the trial's folder.
func (m *Machine) program(r lab.RunRequest) (p trial.Program, drop func(), err error) {
	b, err := m.lookup(r.Artifact)
	if err != nil {
		return p, nil, err
	}
	emulator, err := emulatorFor(r)
	if err != nil {
		return p, nil, err
	}
	w, bin, tmp, drop := r.Study.Workloads[r.Workload], b.Path, "", func() {}
	env, err := m.secrets.variables(w.Env, w.Secrets, r.Variant.Env, r.Variant.Secrets)
	if err != nil {
		return p, nil, err
	}
	if w.Uses(r.Variant, assay.PlaceTmp) {
		if tmp, drop, err = m.folder(); err != nil {
			return p, nil, err
		}
	}
	fill := filler{strings.NewReplacer(assay.PlaceBin, bin, assay.PlaceName, r.Names[0], assay.PlaceTmp, tmp), bin, emulator}
	words := fill.line(w.Command(r.Variant))
	path := words[0]
	if path != bin && path != emulator {
		if path, err = findProgram(r.Study.Dir, words[0]); err != nil {
			drop()
			return p, nil, fmt.Errorf("run %s: %w", r.Names[0], err)
		}
	}
	p = trial.Program{
		Path: path, Args: words[1:], Dir: r.Study.Dir, Env: trial.Environ(os.Environ(), trial.Procs(r.Study.Measure, r.Variant), env),
		Prepare: fill.line(w.Prepare), Cleanup: fill.line(w.Cleanup), Output: r.Output, Name: r.Names[0],
		Parse: w.Parse, Metrics: w.Metrics,
		Timeout: r.Study.Measure.Timeout, Counters: true, GCTrace: r.GCTrace,
	}
	if w.Stdin != "" {
		p.Stdin = r.Study.Path(fill.Replace(w.Stdin))
	}
	return p, drop, nil
}

// withVariables returns the variables of both maps; those of last have priority.
func withVariables(first, last map[string]string) map[string]string {
	out := map[string]string{}
	maps.Copy(out, first)
	maps.Copy(out, last)
	return out
}

// A filler fills in the placeholders of command lines.
type filler struct {
	*strings.Replacer
	// bin is the program, and emulator what runs it, "" for none.
	bin, emulator string
}

// line returns a command line with everything filled in.
func (f filler) line(words []string) []string {
	var out []string
	for _, w := range words {
		out = append(out, f.Replace(w))
	}
	if f.emulator != "" && len(out) > 0 && out[0] == f.bin {
		out = append([]string{f.emulator}, out...)
	}
	return out
}
