// Package queue asks whether append to a one-element literal costs more than a
// two-element literal. Both are called through a function value, as a queue's
// caller would: called directly, the literal is inlined and then optimised
// away, and the benchmark measures nothing.
package queue

import "testing"

type pathFunc func(component, tenant string) []string

func appended(component, tenant string) []string {
	return append([]string{component}, tenant)
}

func literal(component, tenant string) []string {
	return []string{component, tenant}
}

func BenchmarkMakeQueuePath(b *testing.B) {
	for _, f := range []struct {
		name string
		path pathFunc
	}{{"append", appended}, {"literal", literal}} {
		b.Run("func_"+f.name, func(b *testing.B) {
			for i := 0; i < b.N; i++ {
				_ = f.path("component", "tenant")
			}
		})
	}
}
