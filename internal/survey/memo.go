package survey

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/lab"
	"github.com/seed-1318a441/assay/internal/trial"
)

// A Memo keeps small values with an artifact between runs. With nil functions it keeps
// none.
type Memo struct {
	Load  func(id, name string, v any) bool
	Store func(id, name string, v any) error
}

// load fills in v from memory, and reports whether it was there.
func (m Memo) load(a lab.Artifact, name string, v any) bool {
	return m.Load != nil && m.Load(a.ID, name, v)
}

// store remembers v. If that fails only time is lost.
func (m Memo) store(a lab.Artifact, name string, v any) {
	if m.Store != nil {
		_ = m.Store(a.ID, name, v)
	}
}

// remembered returns what compute returns for an artifact, computed at most once.
func remembered[T any](m Memo, a lab.Artifact, name string, compute func() (T, error)) (v T, err error) {
	if m.load(a, name, &v) {
		return v, nil
	}
	if v, err = compute(); err == nil {
		m.store(a, name, v)
	}
	return v, err
}

// memoName names a memory by everything that it depends on besides the artifact. That
// includes the machine, since several may share a cache.
func (s *surveyor) memoName(kind string, v assay.Variant, a lab.Artifact) string {
	parts := []any{kind, s.Platform.ID, s.Study.Workloads[a.Workload], s.Study.Measure.Trial, trial.Procs(s.Study.Measure, v), v.Env}
	if len(v.Secrets) > 0 {
		parts = append(parts, v.Secrets)
	}
	data, err := json.Marshal(parts)
	if err != nil {
		panic("survey: a workload always marshals: " + err.Error())
	}
	sum := sha256.Sum256(data)
	return "survey-" + hex.EncodeToString(sum[:8])
}
