package milestone

import (
	"context"
	"os/exec"
	"slices"
	"strings"

	"github.com/seed-1318a441/assay/internal/cache"
)

// keptVersion changes when a check changes, which invalidates earlier findings.
const keptVersion = "gate 2"

// keptName is the name of a finding in the cache.
const keptName = "gate"

// keptID returns the ID of a finding in the cache, "" if it cannot be kept.
func keptID(ctx context.Context, g gate, step, against Tree) string {
	if step.ID == "" || g.pair && against.ID == "" {
		return ""
	}
	parts := []string{keptVersion, g.name, g.words, step.ID, against.ID}
	for _, t := range []Tree{step, against} {
		parts = append(append(parts, t.settings()...), "", version(ctx, t))
	}
	return cache.KeyOf([]byte(strings.Join(parts, "\x00")))
}

// settings returns the variables that can change what a go command builds, or how.
func (t Tree) settings() []string {
	return slices.DeleteFunc(slices.Sorted(slices.Values(t.Env)), func(kv string) bool {
		return !strings.HasPrefix(kv, "GO") && !strings.HasPrefix(kv, "CGO_") && !strings.HasPrefix(kv, "CC=")
	})
}

// version returns the version printed by a tree's go command: a newer one may be
// installed at the same path.
func version(ctx context.Context, t Tree) string {
	if t.Go == "" {
		return ""
	}
	cmd := exec.CommandContext(ctx, t.Go, "version")
	cmd.Env = t.Env
	out, err := cmd.Output()
	if err != nil {
		return "unknown"
	}
	return string(out)
}
