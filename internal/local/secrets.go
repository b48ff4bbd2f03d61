package local

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"sync"

	"github.com/google/pprof/profile"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/disk"
	"github.com/seed-1318a441/assay/internal/secret"
	"github.com/seed-1318a441/assay/internal/trial"
)

// secrets are the values of a machine's secrets. The first value that a study has got is
// that of all its trials. The zero value is ready.
type secrets struct {
	mask secret.Mask

	mu     sync.Mutex
	values map[string]string // by name
}

// check reads the secrets of a study anew.
func (s *secrets) check(study *assay.Study) error {
	names := map[string]bool{}
	note := func(variables map[string]string) {
		for _, name := range variables {
			names[name] = true
		}
	}
	for _, w := range study.Workloads {
		note(w.Secrets)
	}
	for _, v := range study.Variants {
		note(v.Secrets)
	}
	s.mu.Lock()
	s.values = nil
	s.mu.Unlock()
	for _, name := range slices.Sorted(maps.Keys(names)) {
		if _, err := s.value(name); err != nil {
			return err
		}
	}
	return nil
}

// value returns the value of a secret.
func (s *secrets) value(name string) (string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if value, ok := s.values[name]; ok {
		return value, nil
	}
	dir, err := disk.ConfigDir()
	if err != nil {
		return "", assay.UsageError(assay.CodeSecret, fmt.Sprintf("cannot find the secret %q: %v", name, err), "")
	}
	value, err := secret.Read(filepath.Join(dir, secret.Folder), name)
	if err != nil {
		return "", err
	}
	s.mask.Add(name, value)
	if s.values == nil {
		s.values = map[string]string{}
	}
	s.values[name] = value
	return value, nil
}

// variables returns the variables of several maps, of which later ones have priority.
// Plain values and names of secrets take turns.
func (s *secrets) variables(list ...map[string]string) (map[string]string, error) {
	out := map[string]string{}
	for i, variables := range list {
		if i%2 == 0 {
			maps.Copy(out, variables)
			continue
		}
		for variable, name := range variables {
			value, err := s.value(name)
			if err != nil {
				return nil, err
			}
			out[variable] = value
		}
	}
	return out, nil
}

// hide removes the values of secrets from an outcome.
func (s *secrets) hide(out trial.Outcome) trial.Outcome {
	if s.mask.Empty() {
		return out
	}
	out.Stdout, out.Stderr, out.Server = s.mask.Bytes(out.Stdout), s.mask.Bytes(out.Stderr), s.mask.Bytes(out.Server)
	out.Reason, out.Limit = s.mask.String(out.Reason), s.mask.String(out.Limit)
	out.Broken, out.Skipped = hideKeys(s, out.Broken), hideKeys(s, out.Skipped)
	for _, texts := range []map[string]string{out.Broken, out.Skipped} {
		for name, text := range texts {
			texts[name] = s.mask.String(text)
		}
	}
	out.Better, out.Slices = hideKeys(s, out.Better), hideKeys(s, out.Slices)
	out.Readings = slices.Clone(out.Readings)
	for i, r := range out.Readings {
		out.Readings[i].Name, out.Readings[i].Values = s.mask.Name(r.Name), hideKeys(s, r.Values)
	}
	out.Profile = s.hideLabels(out.Profile)
	return out
}

// hideKeys removes the values of secrets from the keys of a map. Nil stays nil.
func hideKeys[V any](s *secrets, m map[string]V) map[string]V {
	if m == nil {
		return nil
	}
	out := make(map[string]V, len(m))
	for key, v := range m {
		out[s.mask.Name(key)] = v
	}
	return out
}

// hideLabels removes the values of secrets from the labels of a profile, which the program
// sets. A profile that cannot be read is removed as a whole.
func (s *secrets) hideLabels(data []byte) []byte {
	if len(data) == 0 {
		return data
	}
	p, err := profile.ParseData(data)
	if err != nil {
		return nil
	}
	found := false
	for _, sample := range p.Sample {
		for key, values := range sample.Label {
			hidden := make([]string, len(values))
			for i, v := range values {
				hidden[i] = s.mask.String(v)
			}
			if name := s.mask.String(key); name != key || !slices.Equal(hidden, values) {
				found = true
				delete(sample.Label, key)
				sample.Label[name] = hidden
			}
		}
	}
	if !found {
		return data
	}
	var buf bytes.Buffer
	if err := p.Write(&buf); err != nil {
		return nil
	}
	return buf.Bytes()
}

// hideError removes the values of secrets from an error.
func (s *secrets) hideError(err error) error {
	if err == nil || s.mask.Empty() {
		return err
	}
	text := err.Error()
	hidden := s.mask.String(text)
	if hidden == text {
		return err
	}
	e, ok := errors.AsType[*assay.Error](err)
	if !ok {
		return &hiddenError{hidden, err}
	}
	masked := *e
	masked.Text, masked.Try, masked.Advice, masked.Facts = s.mask.String(e.Text), s.mask.String(e.Try), s.mask.String(e.Advice), slices.Clone(e.Facts)
	for i, fact := range masked.Facts {
		masked.Facts[i] = s.mask.String(fact)
	}
	return &masked
}

// A hiddenError is an error whose text had the value of a secret.
type hiddenError struct {
	text  string
	cause error
}

func (e *hiddenError) Error() string { return e.text }

// Is reports whether the cause is target. The cause itself is not unwrapped: its text has
// the value.
func (e *hiddenError) Is(target error) bool { return errors.Is(e.cause, target) }
