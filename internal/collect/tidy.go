package collect

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	assay "github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/printable"
)

// Tidy converts a printed value and its unit into a metric in base units: ns/op into
// sec/op, MB/s into B/s, every other unit as it is. It moves the decimal point in the
// text instead of multiplying, so that "7.12" ns/op is the float that prints as 7.12e-09:
// later the digits show the resolution of a metric.
//
// The error says that text is not a finite decimal number: infinities and NaNs are no
// observations, and JSON cannot represent them.
func Tidy(text, unit string) (value float64, metric string, err error) {
	metric, shift := tidyUnit(unit)
	value, err = parseShifted(text, shift)
	if err != nil {
		return 0, metric, fmt.Errorf("read value %q in %s: %w", printable.Brief(text), printable.Brief(unit), err)
	}
	return value, metric, nil
}

// tidyUnit returns the metric that a unit belongs to and the power of ten between them.
func tidyUnit(unit string) (metric string, shift int) {
	switch unit {
	case "ns/op":
		return assay.MetricTime, -9
	case "MB/s":
		return assay.MetricRate, 6
	}
	return unit, 0
}

func parseShifted(text string, shift int) (float64, error) {
	// ParseFloat also accepts hexadecimal floats and words.
	if strings.Trim(text, "0123456789+-.eE") != "" {
		return 0, errors.New("not a finite decimal number")
	}
	mantissa, exponent, found := strings.Cut(strings.ToLower(text), "e")
	if found {
		e, err := strconv.Atoi(exponent)
		if err != nil {
			return 0, errors.New("bad exponent")
		}
		shift += e
	}
	if shift != 0 {
		mantissa += "e" + strconv.Itoa(shift)
	}
	v, err := strconv.ParseFloat(mantissa, 64)
	if err != nil {
		return 0, errors.Unwrap(err)
	}
	return v, nil
}
