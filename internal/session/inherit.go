package session

import (
	"context"
	"errors"
	"math"
	"os"
	"slices"
	"strings"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/machine"
	"github.com/seed-1318a441/assay/internal/spec"
	"github.com/seed-1318a441/assay/internal/spec/cmdline"
	"github.com/seed-1318a441/assay/internal/toolchain"
)

// Complete checks a study and adds to it what its surroundings determine: the module of
// its packages, the caller's Go settings, and the addresses of its hosts. It returns the study as a file.
func Complete(s *assay.Study) (text []byte, err error) {
	s.Decide.Confidence = math.Round(s.Decide.Confidence*1e9) / 1e9
	if err := s.Validate(); err != nil {
		return nil, assay.UsageError(assay.CodeStudy, err.Error(), "")
	}
	locate(s)
	if err := cmdline.Inherit(s, cmdline.Caller{Go: toolchain.UserSettings(), Env: os.Getenv}); err != nil {
		return nil, err
	}
	text = spec.Format(s)
	s.Hosts, err = machine.Locate(s.Hosts)
	return text, err
}

// inherited lists the Go settings that a study has from its caller.
func inherited(s *assay.Study) []assay.Warning {
	if len(s.Inherited) == 0 {
		return nil
	}
	return []assay.Warning{{Code: assay.CodeInherited, Text: "your Go settings are in effect: " + strings.Join(s.Inherited, ", "),
		Facts: []string{"they come from the environment or from \"go env -w\", and go test honours them too; what a variant sets itself wins"}}}
}

// withheldText names the variables withheld from builds and trials.
func (s *Session) withheldText() string {
	return "credentials of this shell were withheld (--pass NAME gives one): " + strings.Join(s.site.withheld, ", ")
}

// withheldWarning warns about withheld variables if something failed.
func (s *Session) withheldWarning(r *assay.Result) []assay.Warning {
	if len(s.site.withheld) == 0 || !slices.ContainsFunc(r.Warnings, assay.Warning.Broken) {
		return nil
	}
	return []assay.Warning{{Code: assay.CodeWithheld, Text: s.withheldText(), Facts: []string{"a program that failed may have needed one"}}}
}

// withCauses adds possible causes to an error that are not visible in the study: settings
// of the caller, withheld credentials, missing submodules and workspaces, and files that only the
// working tree has.
func (s *Session) withCauses(ctx context.Context, err error) error {
	e, ok := errors.AsType[*assay.Error](err)
	if ok && e.Code == assay.CodeOutsideModule {
		e.Try = s.inFolder(e.Try)
	}
	if !ok || e.Exit != assay.ExitBuild {
		return err
	}
	if len(s.Config.Study.Inherited) > 0 {
		e.Facts = append(e.Facts, "your Go settings are in effect: "+strings.Join(s.Config.Study.Inherited, ", "))
	}
	if len(s.site.withheld) > 0 {
		e.Facts = append(e.Facts, s.withheldText())
	}
	for _, w := range s.Builder.Sources.Lacking() {
		switch {
		case w.Code == assay.CodeWorkspace:
			e.Facts = append(e.Facts, w.Text)
			if e.Try+e.Advice == "" {
				e.Advice = "-modfile=FILE.mod in the variant of the revision, with a replace line for each module of the workspace"
			}
		case e.Code != assay.CodeBuildFailed: // that error lists them itself
			e.Facts = append(e.Facts, w.Text)
		}
		if e.Try == "" {
			e.Try = w.Try
		}
	}
	if try := nameAbsent(ctx, s.Config, &e.Warning); try != "" {
		e.Suggest(try)
	}
	return err
}
