package lab

import (
	"context"
	"fmt"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/build"
)

// Binary is what a variant runs of a benchmark, in the linker's own order.
func (b *Builds) Binary(variant string, bench assay.Benchmark, plan *assay.Plan) (Artifact, error) {
	p, ok := plan.Planned(bench)
	if !ok {
		return Artifact{}, fmt.Errorf("no benchmark %s is in the plan", bench.Name)
	}
	a, err := find(b.Of(variant), p.Workload, p.Package)
	if err != nil {
		return a, fmt.Errorf("variant %q: %w", variant, err)
	}
	return a, nil
}

// File is the file of an artifact, to be read; "" for one that this machine does
// not hold.
func (l *Local) File(a Artifact) string { return l.file(a).Path }

// Dir is the folder with the source of an artifact's package, as it was built; ""
// for one that this machine does not hold. That of a program which was given
// (Artifact.Given) is the study's.
func (l *Local) Dir(a Artifact) string { return l.file(a).Dir }

// Decisions returns what the compiler decides about packages (import paths) of an
// artifact that was built for a variant; see build.Builder.Decisions. There are
// none of a program that was given.
func (l *Local) Decisions(ctx context.Context, s *assay.Study, v assay.Variant, a Artifact, packages []string) ([]assay.Decision, error) {
	pkg := l.file(a).Package
	if pkg == "" {
		return nil, nil
	}
	r, err := l.ownProfile(ctx, BuildRequest{Study: s, Workload: a.Workload, Variant: forTarget(s, v)})
	if err != nil {
		return nil, err
	}
	return l.builder.Decisions(ctx, request(r, pkg), packages)
}

// ownProfile is a request with the profile that assay collects itself, where the
// variant is built with that.
func (l *Local) ownProfile(ctx context.Context, r BuildRequest) (BuildRequest, error) {
	file, err := l.profileFor(ctx, r)
	if file != "" {
		r.Variant.PGO = file
	}
	return r, err
}

func (l *Local) file(a Artifact) build.Artifact {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.files[a.ID].Artifact
}
