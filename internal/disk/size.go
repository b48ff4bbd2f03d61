package disk

import (
	"errors"
	"strconv"
	"strings"
)

// binaryUnits are those that sizes are printed in, the largest first; the other ones are
// understood, too.
var binaryUnits = []struct {
	name  string
	bytes int64
}{{"GiB", 1 << 30}, {"MiB", 1 << 20}, {"KiB", 1 << 10}, {"B", 1}}

// SizeText is a number of bytes in the unit that fits.
func SizeText(n int64) string {
	for _, u := range binaryUnits {
		if n >= u.bytes {
			return strconv.FormatFloat(float64(n)/float64(u.bytes), 'f', map[bool]int{true: 1, false: 0}[n < 10*u.bytes && n%u.bytes != 0], 64) + " " + u.name
		}
	}
	return "0 B"
}

// unitBytes are the units of ParseSize, in lower case: those of the SI and those of IEC
// 80000-13.
var unitBytes = map[string]int64{"": 1, "b": 1, "kb": 1e3, "mb": 1e6, "gb": 1e9, "tb": 1e12, "kib": 1 << 10, "mib": 1 << 20, "gib": 1 << 30, "tib": 1 << 40}

var errNoSize = errors.New("is no size, such as 20GB")

// ParseSize reads a number of bytes, such as "1.5GB", "2 GiB" or "0".
func ParseSize(text string) (int64, error) {
	number := strings.TrimSpace(text)
	end := strings.LastIndexAny(number, "0123456789.") + 1
	factor, known := unitBytes[strings.ToLower(strings.TrimSpace(number[end:]))]
	n, err := strconv.ParseFloat(number[:end], 64)
	if err != nil || !known || !(n >= 0) || n*float64(factor) > 1<<60 {
		return 0, errNoSize
	}
	return int64(n * float64(factor)), nil
}
