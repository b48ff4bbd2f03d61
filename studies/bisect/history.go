package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// A history is a git repository with commits that each add a small function to
// one package; one of them also makes its hot loop longer.
type history struct {
	dir     string
	commits int
	// planted is the number of the commit, from 1, from which on the loop is
	// longer by effect.
	planted int
	effect  float64
}

// rounds is the length of the hot loop before the slowdown.
const rounds = 10_000

// make writes the repository: commit 0, tagged good, and then one commit after
// the other, the last tagged bad.
func (h history) make() error {
	if err := os.Mkdir(h.dir, 0o777); err != nil {
		return err
	}
	if _, err := h.git("init", "-q", "-b", "main"); err != nil {
		return err
	}
	for n := 0; n <= h.commits; n++ {
		if err := h.commit(n); err != nil {
			return err
		}
	}
	_, err := h.git("tag", "bad")
	return err
}

func (h history) commit(n int) error {
	for name, text := range h.files(n) {
		if err := os.WriteFile(filepath.Join(h.dir, name), []byte(text), 0o666); err != nil {
			return err
		}
	}
	if _, err := h.git("add", "-A"); err != nil {
		return err
	}
	if _, err := h.git("commit", "-q", "-m", fmt.Sprintf("mixer: step %d", n)); err != nil {
		return err
	}
	if n == 0 {
		_, err := h.git("tag", "good")
		return err
	}
	return nil
}

// files are those that commit n writes.
func (h history) files(n int) map[string]string {
	loop := rounds
	if n >= h.planted {
		loop = int(float64(rounds)*(1+h.effect) + 0.5)
	}
	var mixers, table strings.Builder
	for i := 0; i <= n; i++ {
		fmt.Fprintf(&mixers, "func mix%d(x uint64) uint64 { return x*%d ^ x>>%d }\n", i, 2*i+3, i%31+1)
		fmt.Fprintf(&table, "mix%d, ", i)
	}
	return map[string]string{
		"go.mod": "module example.com/history\n\ngo 1.24\n",
		"mixers.go": "package history\n\n" + mixers.String() +
			"\nvar mixers = []func(uint64) uint64{" + strings.TrimSuffix(table.String(), ", ") + "}\n",
		"sum.go": fmt.Sprintf(`package history

const rounds = %d

// Sum is what is measured.
func Sum(seed uint64) uint64 {
	h := seed
	for i := range uint64(rounds) {
		h = (h ^ i) * 0x100000001b3
	}
	return mixers[h%%uint64(len(mixers))](h)
}
`, loop),
		"sum_test.go": `package history

import "testing"

var sink uint64

func BenchmarkSum(b *testing.B) {
	for i := range b.N {
		sink += Sum(uint64(i))
	}
}
`,
	}
}

// hash is the full hash of a commit.
func (h history) hash(n int) (string, error) {
	return h.git("rev-parse", fmt.Sprintf("bad~%d", h.commits-n))
}

// git runs git in the repository as an author of its own.
func (h history) git(args ...string) (string, error) {
	cmd := exec.Command("git", append([]string{"-c", "user.name=assay", "-c", "user.email=assay@example.com", "-c", "commit.gpgsign=false"}, args...)...)
	cmd.Dir = h.dir
	out, err := cmd.CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("git %s: %w: %s", args[0], err, out)
	}
	return strings.TrimSpace(string(out)), nil
}
