//go:build callee

package work

// Find is the place of w in list, which is sorted, or -1.
func Find(list []string, w string) int { return scan(list, w) }

//go:noinline
func scan(list []string, w string) int {
	for i, x := range list {
		if x == w {
			return i
		}
	}
	return -1
}
