package milestone

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/disk"
)

// keptVersion changes when a check changes, which invalidates earlier findings.
const keptVersion = "gate 2"

// maxKept is the maximum size of a finding on disk, in bytes: its output in base64 and
// some more.
const maxKept = 2 * maxSaid

// keptName returns the file of a finding, "" if it cannot be kept.
func (k *Keeper) keptName(ctx context.Context, g gate, step, against Tree) string {
	if k.Cache == "" || step.ID == "" || g.pair && against.ID == "" {
		return ""
	}
	parts := []string{keptVersion, g.name, g.words, step.ID, against.ID}
	for _, t := range []Tree{step, against} {
		parts = append(append(parts, t.settings()...), "", version(ctx, t))
	}
	h := sha256.Sum256([]byte(strings.Join(parts, "\x00")))
	return filepath.Join(k.Cache, "gate", hex.EncodeToString(h[:])+".json")
}

// settings returns the variables that can change what a go command builds, or how.
func (t Tree) settings() []string {
	var out []string
	for _, kv := range t.Env {
		if strings.HasPrefix(kv, "GO") || strings.HasPrefix(kv, "CGO_") || strings.HasPrefix(kv, "CC=") {
			out = append(out, kv)
		}
	}
	slices.Sort(out)
	return out
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

func readKept(name string) (Finding, bool) {
	if name == "" {
		return Finding{}, false
	}
	file, err := os.Open(name)
	if err != nil {
		return Finding{}, false
	}
	defer file.Close()
	var f Finding
	if err := json.NewDecoder(io.LimitReader(file, maxKept)).Decode(&f); err != nil {
		return Finding{}, false
	}
	return f, f.Status == assay.GateHeld || f.Status == assay.GateFailed
}

// writeKept keeps a finding. A failure only costs time later, and is not reported.
func writeKept(name string, f Finding) {
	if name == "" || os.MkdirAll(filepath.Dir(name), 0o777) != nil {
		return
	}
	if data, err := json.Marshal(f); err == nil {
		_ = disk.WriteFile(name, data)
	}
}
