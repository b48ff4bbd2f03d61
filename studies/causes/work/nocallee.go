//go:build !callee

package work

// Find is the place of w in list, which is sorted, or -1.
func Find(list []string, w string) int { return search(list, w) }

//go:noinline
func search(list []string, w string) int {
	lo, hi := 0, len(list)
	for lo < hi {
		switch m := int(uint(lo+hi) / 2); {
		case list[m] == w:
			return m
		case list[m] < w:
			lo = m + 1
		default:
			hi = m
		}
	}
	return -1
}
