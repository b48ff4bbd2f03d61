package main

import (
	"errors"
	"os"
	"strings"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/build"
	"github.com/seed-1318a441/assay/internal/spec"
)

// inherit lays the caller's Go settings under a study.
func inherit(s *assay.Study) error {
	return spec.Inherit(s, spec.Caller{Go: build.UserSettings(), Env: os.Getenv})
}

// inherited tells of the Go settings that a study has from its caller.
func inherited(s *assay.Study) []assay.Warning {
	if len(s.Inherited) == 0 {
		return nil
	}
	return []assay.Warning{{Code: "inherited", Text: "your Go settings are in effect: " + strings.Join(s.Inherited, ", "),
		Facts: []string{"they come from the environment or from \"go env -w\", and go test honours them too; what a variant sets itself wins"}}}
}

// withInherited adds to the error of a build the settings that the study does not
// show: they may be its cause.
func withInherited(s *assay.Study, err error) error {
	if e, ok := errors.AsType[*assay.Error](err); ok && len(s.Inherited) > 0 {
		e.Facts = append(e.Facts, "your Go settings are in effect: "+strings.Join(s.Inherited, ", "))
	}
	return err
}
