package build

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/google/pprof/profile"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/disk"
)

// checkProfiles checks that a job's profiles exist and are usable: the go command reports
// an unreadable one only after half of the build, and an empty one not at all.
func (b *Builder) checkProfiles(j job) error {
	for _, f := range j.flags() {
		file, ok := strings.CutPrefix(f, "-pgo=")
		// "auto" comes from the build flags of a workload, as go build has it.
		if !ok || file == "off" || file == "auto" {
			continue
		}
		_, err := b.profiles.Do(file, func() (struct{}, error) { return struct{}{}, checkProfile(file) })
		if err != nil {
			return noProfile(j, file, err)
		}
	}
	return nil
}

// checkProfile reads a profile as the compiler will.
func checkProfile(file string) error {
	f, err := os.Open(file)
	if err != nil {
		return err
	}
	defer f.Close()
	p, err := profile.Parse(f)
	switch {
	case err != nil:
		return fmt.Errorf("is no pprof profile: %w", err)
	case !slices.ContainsFunc(p.SampleType, isCPU):
		return errors.New("is no CPU profile: its samples are " + sampleTypes(p))
	case len(p.Sample) == 0:
		return errors.New("is a profile without samples")
	}
	return nil
}

// isCPU is the condition of cmd/internal/pgo for a profile that it uses.
func isCPU(t *profile.ValueType) bool {
	return t.Type == "samples" && t.Unit == "count" || t.Type == "cpu" && t.Unit == "nanoseconds"
}

func sampleTypes(p *profile.Profile) string {
	var out []string
	for _, t := range p.SampleType {
		out = append(out, t.Type+"/"+t.Unit)
	}
	return strings.Join(out, ", ")
}

func noProfile(j job, file string, err error) error {
	text := fmt.Sprintf("variant %q: profile %s ", j.Variant.Name, disk.Tilde(file))
	if pe := (*fs.PathError)(nil); errors.As(err, &pe) {
		if errors.Is(err, fs.ErrNotExist) {
			return assay.UsageError(assay.CodeNoProfile, text+"does not exist", "")
		}
		return assay.UsageError(assay.CodeNoProfile, text+"cannot be read: "+pe.Err.Error(), "")
	}
	return assay.UsageError(assay.CodeNoProfile, text+err.Error(), "a CPU profile, as runtime/pprof or go test -cpuprofile=FILE writes it")
}

// unusedProfile returns the profile in a main package's folder that go build would use by
// itself, if nothing says what profile to use, and its path relative to the module's folder.
func (j job) unusedProfile(p listed) (file, name string) {
	asked := func(f string) bool { return strings.HasPrefix(f, "-pgo=") }
	if p.Name != "main" || !j.tc.AtLeast("go1.21") || slices.ContainsFunc(j.BuildFlags, asked) || j.Variant.PGO != "" {
		return "", ""
	}
	file = filepath.Join(p.Dir, "default.pgo")
	rel, err := filepath.Rel(j.tree.Dir, file)
	if err != nil || !filepath.IsLocal(rel) || !disk.IsFile(file) {
		return "", ""
	}
	return file, filepath.ToSlash(rel)
}
