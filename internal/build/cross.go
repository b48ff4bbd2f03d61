package build

import (
	"context"
	"maps"
	"runtime"
	"slices"
	"strings"
)

// LacksCgo lists the packages of a request's binary that have C code which its build
// leaves out: the go command uses no cgo in builds for another platform, unless
// CGO_ENABLED asks for it. The standard library does the same without.
func (b *Builder) LacksCgo(ctx context.Context, r Request) ([]string, error) {
	v := r.Variant.Build
	if (v["GOOS"] == "" || v["GOOS"] == runtime.GOOS) && (v["GOARCH"] == "" || v["GOARCH"] == runtime.GOARCH) {
		return nil, nil
	}
	j, err := b.job(ctx, r)
	if err != nil || lookup(j.env, "CGO_ENABLED") != "" {
		return nil, err
	}
	j.env = append(slices.Clone(j.env), "CGO_ENABLED=1")
	more := []string{"-deps"}
	if !j.Program {
		more = append(more, "-test")
	}
	g, err := b.lists.list(ctx, j, []string{j.Package}, more...)
	if err != nil {
		return nil, err
	}
	var names []string
	for _, path := range slices.Sorted(maps.Keys(g)) {
		if p := g[path]; !p.Standard && len(p.CgoFiles) > 0 && p.ForTest == "" && !strings.HasSuffix(path, ".test") {
			names = append(names, path)
		}
	}
	return names, nil
}
