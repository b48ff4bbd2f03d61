// Package told is measured where a script needs a verdict: its benchmark tells a time
// of its own, so that the verdict is the same on every machine, however busy.
package told

// Cost is what Sum is said to take, in nanoseconds.
const Cost = 100

// Sum adds squares.
func Sum(n int) int {
	s := 0
	for i := range n {
		s += i * i
	}
	return s
}
