package session

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/source"
)

// inFolder returns the command for a module in a subfolder, given the "cd" to it.
func (s *Session) inFolder(cd string) string {
	folder, ok := strings.CutPrefix(cd, "cd ")
	switch {
	case !ok || strings.Contains(folder, " "):
		return cd
	case strings.HasPrefix(s.Config.Command, "assay run ") || strings.HasPrefix(s.Config.Command, "assay tune "):
		return fmt.Sprintf("dir = %q under [source] in the study", filepath.Join(s.Config.Study.Source.Dir, folder))
	}
	return cd + " && " + s.Config.Command
}

// locate sets the study's folder to the module in a subfolder that has the study's
// packages, if the current folder is not in that module.
func locate(s *assay.Study) {
	if s.Source.Suite != "" || s.Source.Overlay != "" {
		return
	}
	var places []*string
	for i := range s.Workloads {
		w := &s.Workloads[i]
		for j := range w.Packages {
			places = append(places, &w.Packages[j])
		}
		switch {
		case w.Package != "":
			places = append(places, &w.Package)
		case w.Kind == assay.KindGoTest && len(w.Packages) == 0:
			return
		}
	}
	if s.Source.Package != "" {
		places = append(places, &s.Source.Package)
	}
	var patterns []string
	for _, p := range places {
		patterns = append(patterns, *p)
	}
	dir := s.Source.Dir
	if !filepath.IsAbs(dir) {
		dir = filepath.Join(s.Dir, dir)
	}
	sub, inside, ok := source.NestedModule(dir, patterns)
	if !ok {
		return
	}
	s.Source.Dir = filepath.Join(s.Source.Dir, sub)
	for i, p := range places {
		*p = inside[i]
	}
}
