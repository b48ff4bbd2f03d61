// Package why has one function for each thing that a compiler may say.
package why

import (
	"fmt"
	"io"
)

type node struct{ next *node }

var all []string

func returned() *node { return &node{} }

func moved() *int {
	n := 3
	return &n
}

func sized(n int) int { return len(make([]int, n)) }

func large() byte { return make([]byte, 1<<20)[4] }

func closure() func() int {
	n := 0
	return func() int { n++; return n }
}

func boxed(w io.Writer, n int) { fmt.Fprintln(w, n) }

func stored(s string) { all = append(all, s+"x") }

func (n *node) push() { n.next = &node{} }

func keyed(m map[*int]int) {
	var k int
	m[&k] = 1
}

func stays() *node { return (&node{}).next }

func index(s []int, i, j int) (int, []int) { return s[i], s[i:j] }

func Keep[T any](v T) *T { return &v }

func useKeep() (*int, *string) { return Keep(1), Keep("x") }

//go:noinline
func never(n int) int { return n }

func deferred() { defer never(1) }

func big(n int) int {
	return never(never(never(n)))
}

func small(n int) int { return n + 1 }

func calls(n *node) int { n.push(); return small(2) }
