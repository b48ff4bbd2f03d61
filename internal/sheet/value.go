package sheet

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/printable"
)

// Value formats a value of a metric in a fitting unit: "7.12 ns", "4.12 ms", "48 B",
// "1.25 MiB", "120 MB/s". The number of digits follows from rel, the relative uncertainty
// of v: the last digit is the first one of the half-width. With a rel of 0 the value is
// exact or its uncertainty unknown: a whole number is printed in full, any other with
// three digits.
func Value(metric assay.Metric, v, rel float64) string {
	return ValueCell(metric.Name, v, rel).Joined()
}

// ValueCell is a value of a metric as Value formats it.
func ValueCell(metric string, v, rel float64) Cell {
	return Number(ScaleFor(metric, v, rel).Format(v, rel))
}

// Change formats a relative change with its sign, "+19.0 %" or "−55.7 %", with the digits
// of [assay.Change.Format]. half is the half-width of its interval, 0 for an exact
// change.
func Change(c, half assay.Change) string { return Number(ChangeDigits(c, half), "%").Joined() }

// None stands where there is no number.
const None = "–"

// ChangeDigits is a change without its unit. An exact change that would round to zero has
// two digits, and no change has no sign.
func ChangeDigits(c, half assay.Change) string {
	p := 100 * math.Abs(float64(c))
	switch {
	case NotFinite(float64(c)):
		return None
	case half == 0 && p == 0:
		return "0"
	case half == 0 && p < 0.1:
		text := fmt.Sprintf("%+.*f", min(1-Decade(p), 9), 100*float64(c))
		return strings.Replace(text, "-", "−", 1)
	}
	return strings.TrimSuffix(c.Format(half), " %")
}

// PlusMinus is a half-width: "±0.7".
func PlusMinus(half assay.Change) string { return "±" + unsigned(ChangeDigits(half, half)) }

// HalfOrInterval is the half-width of an interval around a change, "±0.7", or the interval
// itself where it is not symmetric: "[−19.8, −17.3]".
func HalfOrInterval(c assay.Change, i assay.Interval) Cell {
	if i.Around(c) {
		return Cell{Text: PlusMinus(i.Half()), Full: i.String()}
	}
	return Word(i.String())
}

func unsigned(t string) string { return strings.TrimLeft(t, "+−") }

// NotFinite reports whether a number is NaN or infinite, so that it cannot be drawn or
// printed.
func NotFinite(f float64) bool { return math.IsNaN(f) || math.IsInf(f, 0) }

// A Scale is the unit in which the values of one row are printed.
type Scale struct {
	Div  float64 // in units of the metric
	Unit string
}

var (
	seconds = []Scale{{1, "s"}, {1e-3, "ms"}, {1e-6, "µs"}, {1e-9, "ns"}}
	memory  = []Scale{{1 << 40, "TiB"}, {1 << 30, "GiB"}, {1 << 20, "MiB"}, {1 << 10, "KiB"}, {1, "B"}}
	rates   = []Scale{{1e12, "TB/s"}, {1e9, "GB/s"}, {1e6, "MB/s"}, {1e3, "kB/s"}, {1, "B/s"}}
	things  = []Scale{{1e12, "T"}, {1e9, "G"}, {1e6, "M"}, {1, ""}}
	shares  = []Scale{{1e-2, "%"}}

	ladders = map[assay.Unit][]Scale{assay.UnitSeconds: seconds, assay.UnitBytes: memory, assay.UnitRate: rates, assay.UnitCount: things, assay.UnitShare: shares}
)

// maxWhole bounds the bytes and things that are printed without a prefix: exact bytes, so
// that 81,920 and 81,928 differ in print, and things because 12,500 reads better than
// 12.5 k.
const maxWhole = 1e7

// ScaleFor chooses the unit in which v has at least one digit before the point. Bytes
// count in powers of 1024 as in benchstat, rates and things in powers of 1000 as in go
// test.
func ScaleFor(metric string, v, rel float64) Scale {
	v = math.Abs(v)
	ladder := LadderOf(metric)
	last := ladder[len(ladder)-1]
	exact := rel == 0 && v == math.Trunc(v)
	if v < maxWhole && (last.Unit == "" || last.Unit == "B" && exact) {
		return last
	}
	for _, p := range ladder {
		if v >= p.Div {
			return p
		}
	}
	return last
}

// LadderOf reads the unit out of a metric's name as package benchunit does: "p99-sec",
// "peak-RSS-bytes" and "B/op" say what they count. What assay itself measures of services
// has a label.
func LadderOf(metric string) []Scale {
	if l, known := LabelOf(metric); known {
		return l.units
	}
	num, per, _ := strings.Cut(metric, "/")
	words := strings.Split(num, "-")
	has := func(unit string) bool { return slices.Contains(words, unit) }
	switch {
	case has("B") && per == "s":
		return rates
	case has("B"), has("bytes"):
		return memory
	case has("sec"):
		return seconds
	}
	return things
}

// Format returns the digits of v and their unit.
func (c Scale) Format(v, rel float64) (digits, unit string) {
	if NotFinite(v) {
		return None, ""
	}
	v /= c.Div
	switch a := math.Abs(v); {
	case v == 0, rel == 0 && v == math.Trunc(v):
		digits = strconv.FormatFloat(v, 'f', 0, 64)
	case a != 0 && a < 1e-3:
		return strconv.FormatFloat(v, 'g', max(1, 1+Decade(v)+valueDecimals(v, rel)), 64), c.Unit
	default:
		digits = strconv.FormatFloat(v, 'f', valueDecimals(v, rel), 64)
	}
	return printable.Group(digits), c.Unit
}

// places is the number of decimals that Format gives v.
func (c Scale) places(v, rel float64) int {
	digits, _ := c.Format(v, rel)
	_, frac, _ := strings.Cut(digits, ".")
	return len(frac)
}

// valueDecimals cuts v at the first digit of its half-width. At most four significant
// digits stay, and at least three, or two where v is known to 5 % or worse: 7.1 ns known
// to 1.5 % would hide most of what is known.
func valueDecimals(v, rel float64) int {
	lead := Decade(v)
	if rel <= 0 || NotFinite(rel) {
		return max(0, 2-lead)
	}
	least := 2
	if rel >= 0.05 {
		least = 1
	}
	d := -Decade(v * rel)
	return max(0, min(max(d, least-lead), 3-lead))
}

// Decade is the exponent of the first digit. That of 0.0996 is that of 0.1, as which it
// is printed.
func Decade(v float64) int {
	v = math.Abs(v)
	if v == 0 || math.IsNaN(v) || math.IsInf(v, 0) {
		return 0
	}
	return int(math.Floor(math.Log10(v * 1.0005)))
}

// Unit is what the numbers of a metric count: "s", "B", "B/s", or "" for things and
// shares.
func Unit(metric string) string {
	for _, s := range LadderOf(metric) {
		if s.Div == 1 {
			return s.Unit
		}
	}
	return ""
}
