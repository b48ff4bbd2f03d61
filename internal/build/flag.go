package build

import (
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/seed-1318a441/assay/internal/spec/goflag"
	"github.com/seed-1318a441/assay/internal/toolchain"
)

// joinFlags normalises flags: one dash, the value after "=". A flag of go build that
// takes a value may come as two words. It drops -vet: measuring never vets, and go list
// refuses the flag.
func joinFlags(flags []string) []string {
	var out []string
	for i := 0; i < len(flags); i++ {
		f := flags[i]
		if strings.HasPrefix(f, "--") {
			f = f[1:]
		}
		if goflag.Known[strings.TrimPrefix(f, "-")].Value && i+1 < len(flags) {
			i++
			f += "=" + flags[i]
		}
		if name, _, _ := strings.Cut(f, "="); name != "-vet" {
			out = append(out, f)
		}
	}
	return out
}

// flags returns the flags that decide what is built: the defaults, then the workload's,
// then the variant's, since for go build the last one wins.
func (j job) flags() []string {
	var out []string
	if j.tc.AtLeast("go1.18") {
		out = append(out, "-buildvcs=false")
	}
	if j.tc.AtLeast("go1.20") {
		out = append(out, "-pgo=off")
	}
	for _, f := range j.BuildFlags {
		if !strings.HasPrefix(f, "-tags=") {
			out = append(out, j.absolute(f))
		}
	}
	out = append(out, j.tree.ModFlags...) // last: the tree does not build with another -mod
	out = append(out, j.tags()...)
	for _, f := range j.Variant.GCFlags {
		out = append(out, "-gcflags="+f)
	}
	for _, f := range j.Variant.LDFlags {
		out = append(out, "-ldflags="+f)
	}
	if j.Variant.PGO != "" {
		// Never "auto": assay's meaning of it is not go build's, and the lab has
		// put a file in its place.
		out = append(out, "-pgo="+j.inStudy(j.Variant.PGO))
	}
	if j.Variant.ModFile != "" {
		out = append(out, "-modfile="+j.inStudy(j.Variant.ModFile))
	}
	return out
}

// tags returns one flag with the workload's build tags and the variant's, or none: go
// build uses only the last -tags.
func (r Request) tags() []string {
	tags := r.Variant.Tags
	for _, f := range slices.Backward(r.BuildFlags) {
		if t, ok := strings.CutPrefix(f, "-tags="); ok {
			tags = append([]string{t}, tags...)
			break
		}
	}
	if len(tags) == 0 {
		return nil
	}
	return []string{"-tags=" + strings.Join(tags, ",")}
}

// absolute makes the file of a flag absolute. It is relative to the study, but the build
// runs in the variant's source.
func (j job) absolute(flag string) string {
	name, value, _ := strings.Cut(flag, "=")
	switch name {
	case "-pgo", "-overlay", "-modfile":
		if value != "off" && value != "auto" {
			return name + "=" + j.inStudy(value)
		}
	}
	return flag
}

// inStudy makes a path relative to the study absolute.
func (j job) inStudy(path string) string {
	if filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(j.Study, path)
}

// listFlags drops what go list does not need to choose files, so that variants that
// differ only in compiler flags share one listing.
func listFlags(flags []string) []string {
	return slices.DeleteFunc(slices.Clone(flags), func(f string) bool {
		name, _, _ := strings.Cut(f, "=")
		return slices.Contains([]string{"-gcflags", "-ldflags", "-asmflags", "-pgo", "-buildvcs"}, name)
	})
}

// sharedPart identifies builds that compile the standard library in the same way:
// toolchain, environment, and the flags that reach beyond the packages on the command
// line.
func (j job) sharedPart() string {
	parts := append([]string{j.tc.GOROOT}, toolchain.Significant(j.env)...)
	for _, f := range j.flags() {
		name, value, _ := strings.Cut(f, "=")
		switch name {
		case "-tags", "-ldflags", "-mod", "-modfile", "-overlay":
			continue
		case "-gcflags", "-asmflags":
			if strings.HasPrefix(value, "-") { // no pattern such as all= before it
				continue
			}
		}
		parts = append(parts, f)
	}
	return strings.Join(parts, "\x00")
}

// withLayout adds a layout seed to the linker's flags.
func withLayout(flags []string, seed uint64) []string {
	return withLinkFlag(flags, "-randlayout="+strconv.FormatUint(seed, 10))
}

func alignFlag(bytes int) string { return "-funcalign=" + strconv.Itoa(bytes) }

// withLinkFlag adds a flag to the linker's. Only the last -ldflags that matches a package
// counts, so the flag goes into each.
func withLinkFlag(flags []string, flag string) []string {
	out := []string{"-ldflags=" + flag}
	for _, f := range flags {
		if strings.HasPrefix(f, "-ldflags=") {
			f += " " + flag
		}
		out = append(out, f)
	}
	return out
}
