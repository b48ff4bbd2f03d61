// Package interpreters holds programs in Lua and Tengo, which two interpreters
// written in Go run, and studies of those. There is no Go code of its own: the
// interpreters come by the tool lines of go.mod, and this test checks that the
// programs compute what they say.
package interpreters

import (
	"os/exec"
	"strings"
	"testing"
)

func TestPrograms(t *testing.T) {
	for _, p := range []struct{ tool, file, want string }{
		{"glua", "lua/loop-counter.lua", "14000000"},
		{"glua", "lua/indexed-counter.lua", "8000000"},
		{"glua", "lua/counter.lua", "4500000"},
		{"glua", "lua/eratosthenes-sieve.lua", "114155"}, // primes below 1,500,000
		{"glua", "lua/binary-trees.lua", "1113991"},      // 2^17-1 + 120 (2^13-1)
		{"tengo", "tengo/loop-counter.tengo", "7500000"},
		{"tengo", "tengo/indexed-counter.tengo", "6000000"},
		{"tengo", "tengo/counter.tengo", "6000000"},
		{"tengo", "tengo/eratosthenes-sieve.tengo", "92938"}, // primes below 1,200,000
	} {
		t.Run(p.file, func(t *testing.T) {
			out, err := exec.Command("go", "tool", p.tool, p.file).Output()
			if got := strings.TrimSpace(string(out)); err != nil || got != p.want {
				t.Errorf("go tool %s %s: got %q, %v, want %q", p.tool, p.file, got, err, p.want)
			}
		})
	}
}
