// Package tiny is what most scripts measure.
package tiny

// Sum adds squares.
func Sum(n int) int {
	s := 0
	for i := range n {
		s += i * i
	}
	return s
}

// Fill makes a slice.
func Fill(n int) []byte { return make([]byte, n) }
