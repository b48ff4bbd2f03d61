package gctrace

// A figure is a number as printed: its digits, some of them decimals.
type figure struct {
	digits   uint64
	decimals int
}

// maxDigits is the maximum number of digits, so that they fit a uint64. The runtime
// prints at most 14, for a clock that ran backwards.
const maxDigits = 18

// readFigure reads the number at b[i:] and returns where it ends: i for none.
func readFigure(b []byte, i int) (f figure, end int) {
	point := -1
	j := i
	for ; j < len(b); j++ {
		c := b[j]
		if d := c - '0'; d <= 9 {
			f.digits = f.digits*10 + uint64(d)
			continue
		}
		if c != '.' || point >= 0 || j == i {
			break
		}
		point = j
	}
	if point >= 0 {
		f.decimals = j - point - 1
	}
	if j-i > maxDigits || point == j-1 && point >= 0 {
		return figure{}, i
	}
	return f, j
}

var pow10 = [...]float64{1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22}

// over returns the figure over 10^exp. One division by an exact power rounds once, so
// that "0.052 ms" is the same float64 as 5.2e-05 in source.
func (f figure) over(exp int) float64 {
	if i := f.decimals + exp; i < len(pow10) {
		return float64(f.digits) / pow10[i]
	}
	return 0
}

// bytes returns the figure times 2^shift.
func (f figure) bytes(shift int) uint64 {
	if f.decimals > 0 || f.digits >= 1<<(63-shift) {
		return uint64(min(f.over(0)*float64(uint64(1)<<shift), 1<<62))
	}
	return f.digits << shift
}

// figures are the numbers of a field with their separators, such as "3->4->1": '>' stands
// for the arrow.
type figures struct {
	at      [maxFigures]figure
	between [maxFigures]byte
	n       int
}

// No field has had more than five figures.
const maxFigures = 5

// read reads the numbers at the start of b, and returns their length.
func (f *figures) read(b []byte) (end int) {
	f.n = 0
	for i := 0; f.n < maxFigures; {
		x, j := readFigure(b, i)
		if j == i {
			return 0
		}
		f.at[f.n] = x
		f.n++
		switch {
		case j < len(b) && (b[j] == '+' || b[j] == '/'):
			f.between[f.n-1], i = b[j], j+1
		case hasAt(b, j, "->"):
			f.between[f.n-1], i = '>', j+2
		default:
			return j
		}
	}
	return 0
}

// has reports whether between lists the separators of the figures.
func (f *figures) has(between string) bool {
	return f.n == len(between)+1 && string(f.between[:f.n-1]) == between
}

// units are those of time, as powers of ten below a second, and of size, as powers of two,
// the common ones first. The runtime's MB are 2^20 bytes.
var units = []struct {
	name   string
	isTime bool
	power  int
}{
	{"ms", true, 3}, {"MB", false, 20}, {"s", true, 0}, {"us", true, 6}, {"µs", true, 6}, {"ns", true, 9},
	{"B", false, 0}, {"KB", false, 10}, {"kB", false, 10}, {"KiB", false, 10}, {"MiB", false, 20}, {"GB", false, 30}, {"GiB", false, 30},
}
