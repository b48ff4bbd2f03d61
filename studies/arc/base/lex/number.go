package lex

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// numbers are the forms of a number; each _ stands between two digits.
var numbers = regexp.MustCompile(`^(0[xX][0-9a-fA-F]+(_[0-9a-fA-F]+)*|[0-9]+(_[0-9]+)*(\.[0-9]+(_[0-9]+)*)?([eE][+-]?[0-9]+)?)$`)

// parseNumber returns the value of a number.
func parseNumber(text string) (float64, error) {
	if !numbers.MatchString(text) {
		return 0, fmt.Errorf("malformed number %q", text)
	}
	digits := strings.ToLower(strings.ReplaceAll(text, "_", ""))
	if hex, ok := strings.CutPrefix(digits, "0x"); ok {
		value, err := strconv.ParseUint(hex, 16, 64)
		if err != nil {
			return 0, fmt.Errorf("number %s is too large", text)
		}
		return float64(value), nil
	}
	value, err := strconv.ParseFloat(digits, 64)
	if err != nil {
		return 0, fmt.Errorf("number %s is too large", text)
	}
	return value, nil
}
