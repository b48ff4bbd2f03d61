package cache

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"
)

// sizeUnits are those of sizes, the largest first.
var sizeUnits = []struct {
	name  string
	bytes int64
}{{"GB", 1 << 30}, {"MB", 1 << 20}, {"kB", 1 << 10}, {"B", 1}}

// SizeText is a number of bytes in the unit that fits.
func SizeText(n int64) string {
	for _, u := range sizeUnits {
		if n >= u.bytes {
			return strconv.FormatFloat(float64(n)/float64(u.bytes), 'f', map[bool]int{true: 1, false: 0}[n < 10*u.bytes && n%u.bytes != 0], 64) + " " + u.name
		}
	}
	return "0 B"
}

// ParseSize reads a size, such as "2GB" or "0".
func ParseSize(text string) (int64, error) {
	number, factor := strings.TrimSpace(text), int64(1)
	for _, u := range sizeUnits {
		if rest, ok := strings.CutSuffix(strings.ToUpper(number), strings.ToUpper(u.name)); ok {
			number, factor = rest, u.bytes
			break
		}
	}
	n, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
	if err != nil || !(n >= 0) || n*float64(factor) > 1<<60 {
		return 0, fmt.Errorf("%s is no size", cmp.Or(text, "nothing"))
	}
	return int64(n * float64(factor)), nil
}
