package load

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/seed-1318a441/assay/internal/printable"
)

// Powers of ten between a unit of time and a second.
const (
	seconds      = 0
	milliseconds = -3
	microseconds = -6
	nanoseconds  = -9
)

// number parses a non-negative decimal number, times ten to the power of shift. It moves
// the decimal point in the text, so that 4.101 ms is the float that prints as 0.004101.
func number(text string, shift int) (float64, error) {
	if text == "" || len(text) > 64 || strings.Trim(text, "0123456789.") != "" {
		return 0, fmt.Errorf("has %q where a number belongs", printable.Brief(text))
	}
	v, err := strconv.ParseFloat(text+"e"+strconv.Itoa(shift), 64)
	if err != nil {
		return 0, fmt.Errorf("has %q where a number belongs", printable.Brief(text))
	}
	return v, nil
}

func count(text string) (int, error) {
	n, err := strconv.ParseUint(text, 10, 64)
	if err != nil || n > maxRequests {
		return 0, fmt.Errorf("has %q where a number of requests belongs", printable.Brief(text))
	}
	return int(n), nil
}

func setNumber(field *float64, text string, shift int) error {
	v, err := number(text, shift)
	*field = v
	return err
}

func setCount(field *int, text string) error {
	n, err := count(text)
	*field = n
	return err
}

func addCount(field *int, text string) error {
	n, err := count(text)
	*field += n
	return err
}

// times are the units that wrk prints, longer names first: "ms" ends in "s".
var times = []struct {
	unit   string
	shift  int
	factor float64
}{
	{"us", microseconds, 1}, {"ms", milliseconds, 1}, {"s", seconds, 1}, {"m", seconds, 60}, {"h", seconds, 3600},
}

// duration parses a number with a unit, such as "1.23ms", in seconds.
func duration(text string) (float64, error) {
	for _, t := range times {
		if digits, ok := strings.CutSuffix(text, t.unit); ok {
			v, err := number(digits, t.shift)
			return v * t.factor, err
		}
	}
	return 0, fmt.Errorf("has %q where a time belongs", printable.Brief(text))
}

// ratio returns a/b, or 0 if that is undefined.
func ratio(a, b float64) float64 {
	if v := a / b; b > 0 && v <= math.MaxFloat64 {
		return v
	}
	return 0
}
