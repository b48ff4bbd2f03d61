package session

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/design"
	"github.com/seed-1318a441/assay/internal/printable"
	"github.com/seed-1318a441/assay/internal/spec"
)

// ReadStudy reads the study given by the arguments, and the files that it names: the
// stories of steps, the introduction. It does not follow links out of the study's folder.
func ReadStudy(ctx context.Context, args []string) (name string, s *assay.Study, text []byte, err error) {
	name = "study.toml"
	if len(args) > 0 {
		name = args[0]
	}
	file := name
	if info, err := os.Stat(name); err == nil && info.IsDir() {
		file = filepath.Join(name, "study.toml")
	}
	text, err = os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		err = assay.UsageError(assay.CodeNoStudy, "there is no study "+file, "assay init --help")
	}
	if err == nil {
		s, err = parseStudy(ctx, file, text)
	}
	return name, s, text, err
}

// NearStudy returns the study here that was probably meant by arguments that name none, ""
// if there is no such study: one with a similar name, or without a name the only one.
func NearStudy(args []string) string {
	here, _ := filepath.Glob("*.toml") // without these, a message has no line to try
	folders, _ := filepath.Glob("studies/*/study.toml")
	for _, file := range folders {
		here = append(here, filepath.Dir(file))
	}
	switch {
	case len(args) > 0:
		return printable.NearestName(filepath.Clean(args[0]), here)
	case len(here) == 1:
		return here[0]
	}
	return ""
}

func parseStudy(ctx context.Context, file string, text []byte) (*assay.Study, error) {
	s, err := spec.Parse(file, text)
	if err != nil {
		return nil, err
	}
	if err := design.Cross(s); err != nil {
		return nil, err
	}
	if s.Dir, err = filepath.Abs(filepath.Dir(file)); err != nil {
		return nil, err
	}
	root, err := os.OpenRoot(s.Dir)
	if err != nil {
		return nil, fmt.Errorf("open the study's folder: %w", err)
	}
	if err := errors.Join(spec.Files(s, root.FS()), root.Close()); err != nil {
		return nil, err
	}
	s.Name = cmp.Or(s.Name, filepath.Base(s.Dir))
	return s, listSteps(ctx, s)
}
