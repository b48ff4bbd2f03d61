package printable

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Group puts commas between the thousands of a decimal number, and makes its hyphen a
// minus sign: "−12,500.25".
func Group(digits string) string {
	sign := ""
	if strings.HasPrefix(digits, "-") {
		sign, digits = "−", digits[1:]
	}
	whole, frac, point := strings.Cut(digits, ".")
	for i := len(whole) - 3; i > 0; i -= 3 {
		whole = whole[:i] + "," + whole[i:]
	}
	if point {
		return sign + whole + "." + frac
	}
	return sign + whole
}

// Int is a number with commas between its thousands: "12,500".
func Int[N int | int64](n N) string { return Group(strconv.FormatInt(int64(n), 10)) }

// Count is a number with its noun: "1 block", "12 blocks", "1,200 blocks".
func Count(n int, noun string) string { return Int(n) + " " + Plural(n, noun) }

// Plural is a noun as it stands behind a number: "block" behind 1, else "blocks".
func Plural(n int, noun string) string {
	if n != 1 {
		return noun + "s"
	}
	return noun
}

// Percent is a limit or a minimum effect in percent, with all its digits: "3 %", "0.125 %".
func Percent(x float64) string {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return strconv.FormatFloat(x, 'g', -1, 64)
	}
	return strconv.FormatFloat(math.Round(1e6*x)/1e4, 'f', -1, 64) + " %"
}

// Level is a confidence in percent, as exact as the chance to be wrong has two digits: "95 %",
// "99.17 %".
func Level(x float64) string {
	wrong := 100 * (1 - x)
	if !(wrong > 0 && wrong < 100) {
		return Percent(x)
	}
	unit := math.Pow(10, 1-math.Floor(math.Log10(wrong)))
	return strconv.FormatFloat(math.Round(100*x*unit)/unit, 'f', -1, 64) + " %"
}

// Share is a measured share in percent, with two digits where it is below 10 %: "1 %",
// "0.25 %".
func Share(x float64) string {
	if x >= 0.1 {
		return fmt.Sprintf("%.0f %%", 100*x)
	}
	return fmt.Sprintf("%.2g %%", 100*x)
}

// Duration is a time in at most two units: "40 s", "2m10s", "4h05m".
func Duration(d time.Duration) string {
	switch {
	case d < time.Millisecond:
		return strconv.FormatInt(d.Microseconds(), 10) + " µs"
	case d < time.Second:
		return strconv.FormatInt(d.Round(time.Millisecond).Milliseconds(), 10) + " ms"
	case d < 10*time.Second:
		return strconv.FormatFloat(d.Seconds(), 'f', 1, 64) + " s"
	case d < 100*time.Second:
		return strconv.Itoa(int(d.Round(time.Second).Seconds())) + " s"
	case d < time.Hour:
		d = d.Round(time.Second)
		return twoUnits(int(d/time.Minute), "m", " min", int(d%time.Minute/time.Second), "s")
	}
	d = d.Round(time.Minute)
	return twoUnits(int(d/time.Hour), "h", " h", int(d%time.Hour/time.Minute), "m")
}

// Age is a length of time in its largest unit: "40 s", "2 min", "47 h", "3 days".
func Age(d time.Duration) string {
	switch {
	case d < time.Minute:
		return fmt.Sprintf("%d s", max(0, int(d.Seconds())))
	case d < time.Hour:
		return fmt.Sprintf("%d min", int(d.Minutes()))
	case d < 48*time.Hour:
		return fmt.Sprintf("%d h", int(d.Hours()))
	}
	return fmt.Sprintf("%d days", int(d.Hours()/24))
}

// twoUnits is "2m10s", or "2 min" where the second number is 0.
func twoUnits(n int, unit, alone string, part int, partUnit string) string {
	if part == 0 {
		return strconv.Itoa(n) + alone
	}
	return fmt.Sprintf("%d%s%02d%s", n, unit, part, partUnit)
}

// Files names the first three of some files of unknown origin, and how many more there are.
func Files(names []string) string {
	short := slices.Clone(names)
	for i := range short[:min(len(short), mostFiles)] {
		short[i] = Short(short[i], longestFile)
	}
	return Few(short, mostFiles)
}

// Limits of Files: how many it names, and the characters of each.
const (
	mostFiles   = 3
	longestFile = 80
)

// Few lists the first n of names, and how many more there are.
func Few(names []string, n int) string {
	if more := len(names) - n; more > 0 {
		return fmt.Sprintf("%s and %d more", strings.Join(names[:n], ", "), more)
	}
	return strings.Join(names, ", ")
}
