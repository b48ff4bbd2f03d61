package session

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/design"
	"github.com/seed-1318a441/assay/internal/spec"
)

// ReadStudy reads the study given by the arguments.
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
		return "", nil, nil, assay.UsageError(assay.CodeNoStudy, "there is no study "+file, "assay init go1.25.7 go1.26.8 > study.toml")
	}
	if err != nil {
		return "", nil, nil, err
	}
	if s, err = spec.Parse(file, text); err != nil {
		return "", nil, nil, err
	}
	if err := design.Cross(s); err != nil {
		return "", nil, nil, err
	}
	if s.Dir, err = filepath.Abs(filepath.Dir(file)); err != nil {
		return "", nil, nil, err
	}
	if err := readFiles(s); err != nil {
		return "", nil, nil, err
	}
	if err := listSteps(ctx, s); err != nil {
		return "", nil, nil, err
	}
	if s.Name == "" {
		s.Name = filepath.Base(s.Dir)
	}
	return name, s, text, nil
}
