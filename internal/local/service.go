package local

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/httpload"
	"github.com/seed-1318a441/assay/internal/lab"
	"github.com/seed-1318a441/assay/internal/trial"
)

// runService runs one trial of a service. If the study collects it, the collector is
// traced in every trial, so that tracing costs all variants the same.
func (m *Machine) runService(ctx context.Context, r lab.RunRequest) (trial.Outcome, error) {
	s, drop, err := m.service(r)
	if err != nil {
		return trial.Outcome{}, err
	}
	defer drop()
	s.GCTrace = r.Study.Measure.Collects(assay.CollectGC)
	return s.Run(ctx)
}

// service fills in a service's placeholders, with a new folder and port. drop removes the
// folder; it removes links in it without following them.
func (m *Machine) service(r lab.RunRequest) (s trial.Service, drop func(), err error) {
	b, err := m.lookup(r.Artifact)
	if err != nil {
		return s, nil, err
	}
	emulator, err := emulatorFor(r)
	if err != nil {
		return s, nil, err
	}
	w := r.Study.Workloads[r.Workload]
	port, err := trial.FreePort()
	if err != nil {
		return s, nil, err
	}
	study, err := filepath.Abs(r.Study.Dir)
	if err != nil {
		return s, nil, fmt.Errorf("find study's folder: %w", err)
	}
	tmp, drop, err := m.folder()
	if err != nil {
		return s, nil, err
	}
	fill := filler{strings.NewReplacer(assay.PlaceBin, b.Path, assay.PlacePort, strconv.Itoa(port), assay.PlaceTmp, tmp, assay.PlaceStudy, study, assay.PlaceName, r.Names[0]), b.Path, emulator}
	s = trial.Service{Name: r.Names[0], Dir: tmp, Port: port, Timeout: r.Study.Measure.Timeout}
	if s.Service, err = m.filledService(fill, r, w); err != nil {
		drop()
		return s, nil, fmt.Errorf("run %s: %w", r.Names[0], err)
	}
	if s.Env, s.LoadEnv, err = m.serviceEnv(fill, r.Study.Measure, w, r.Variant); err != nil {
		drop()
		return s, nil, err
	}
	return s, drop, nil
}

// filledService returns the service with everything filled in. The built-in load becomes
// a command line of this program.
func (m *Machine) filledService(fill filler, r lab.RunRequest, w assay.Workload) (assay.Service, error) {
	s := *w.Service
	s.Start = fill.line(w.Command(r.Variant))
	if s.Start[0] != fill.bin && s.Start[0] != fill.emulator {
		path, err := findProgram(r.Study.Dir, s.Start[0])
		if err != nil {
			return s, err
		}
		s.Start[0] = path
	}
	for _, lines := range []*[][]string{&s.Prepare, &s.Setup, &s.Warmup, &s.Cleanup} {
		*lines = slices.Clone(*lines)
		for i, line := range *lines {
			(*lines)[i] = fill.line(line)
		}
	}
	s.Ready.TCP, s.Ready.HTTP, s.Ready.Log = fill.Replace(s.Ready.TCP), fill.Replace(s.Ready.HTTP), fill.Replace(s.Ready.Log)
	s.Results = fill.Replace(s.Results)
	if s.HTTP == nil {
		s.Load = fill.line(s.Load)
		return s, nil
	}
	if m.Assay == "" {
		return s, errors.New("the path of assay itself, which makes the HTTP load, is unknown")
	}
	h := *s.HTTP
	h.URL, h.Body, h.Headers = fill.Replace(h.URL), fill.Replace(h.Body), filledValues(fill, h.Headers)
	h.Seed = r.Seed
	s.Load = append([]string{m.Assay}, httpload.Args(h)...)
	s.Parse, s.Results, s.HTTP = "assay", "", nil
	return s, nil
}

func filledValues(fill filler, m map[string]string) map[string]string {
	out := maps.Clone(m)
	for k, v := range out {
		out[k] = fill.Replace(v)
	}
	return out
}

// serviceEnv returns the environment of the server, and that of everything else. The
// workload's variables go to both, since a database's tools need them to find it. Those
// of the Go runtime and the variant's go to the server only.
func (m *Machine) serviceEnv(fill filler, measure assay.Measure, w assay.Workload, v assay.Variant) (server, others []string, err error) {
	own, err := m.secrets.variables(filledValues(fill, w.Env), w.Secrets)
	if err != nil {
		return nil, nil, err
	}
	all, err := m.secrets.variables(own, nil, filledValues(fill, v.Env), v.Secrets)
	if err != nil {
		return nil, nil, err
	}
	server = trial.Environ(os.Environ(), procsOn(trial.Procs(measure, v), w.Service.CPUs, v), all)
	base := os.Environ()
	for name, value := range own {
		base = append(base, name+"="+value)
	}
	// Environ removes from its base the variables of the Go runtime.
	return server, trial.Environ(base, procsOn(runtime.NumCPU(), w.Service.LoadCPUs, assay.Variant{}), nil), nil
}

// procsOn returns GOMAXPROCS for a process bound to CPUs: at most their number, as in the
// Go runtime, unless the variant sets it.
func procsOn(procs int, cpus string, v assay.Variant) int {
	list, err := assay.CPUList(cpus)
	if err != nil || len(list) == 0 || v.Env["GOMAXPROCS"] != "" {
		return procs
	}
	return min(procs, len(list))
}
