// Package work does five small things. A build tag makes one of them slower, each
// in its own way.
package work

// A Point is what Box makes.
type Point struct{ X, Y, Z int }

// Box sums the coordinates of n points.
func Box(n int) (sum int) {
	for i := range n {
		p := Make(i)
		sum += p.X + p.Y + p.Z
	}
	return sum
}

// Mix folds the numbers below n into one.
func Mix(n uint64) (h uint64) {
	h = 14695981039346656037
	for i := range n {
		h = Step(h, i)
	}
	return h
}

// Lookup counts those of words that are in list.
func Lookup(list, words []string) (n int) {
	for _, w := range words {
		if Find(list, w) >= 0 {
			n++
		}
	}
	return n
}

// A Node is a piece of Churn's heap.
type Node struct {
	Next *Node
	Data [6]int
}

// Churn makes a list of n nodes and drops it.
func Churn(n int) *Node {
	var head *Node
	for range n {
		head = &Node{Next: head}
	}
	return head
}
