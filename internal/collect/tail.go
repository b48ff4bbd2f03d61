package collect

import (
	"bytes"
	"strconv"
	"unicode"
)

// A tail is what follows a benchmark's name: the iterations and values.
type tail struct {
	n      int
	values map[string]float64
}

// cutTail finds the tail printed by the testing package at the end of text, after any
// other text: fmt's "%8d", then "\t", blanks, a number, one blank and a unit for each
// value. It returns the text before.
func cutTail(text []byte) (before []byte, t tail, ok bool) {
	fields := 0
	head := text
	for {
		i := bytes.LastIndexByte(head, '\t')
		if i < 0 || !isValue(head[i+1:]) {
			break
		}
		head, fields = head[:i], fields+1
	}
	if fields == 0 {
		return nil, tail{}, false
	}
	before, t.n, ok = cutCount(head)
	if !ok {
		return nil, tail{}, false
	}
	t.values = make(map[string]float64, fields)
	for f := range bytes.SplitSeq(text[len(head)+1:], []byte("\t")) {
		number, unit, _ := splitValue(f)
		t.add(number, unit)
	}
	return before, t, true
}

// cutCount cuts a number printed with "%8d" from the end of text. Digits printed by a
// program right before a count of 8 digits or more cannot be distinguished; the number
// then differs from the requested one.
func cutCount(text []byte) (before []byte, n int, ok bool) {
	i := len(text)
	for i > 0 && text[i-1] >= '0' && text[i-1] <= '9' {
		i--
	}
	n, err := strconv.Atoi(string(text[i:]))
	if err != nil || n < 0 {
		return nil, 0, false
	}
	for len(text)-i < 8 {
		if i == 0 || text[i-1] != ' ' {
			return nil, 0, false
		}
		i--
	}
	return text[:i], n, true
}

// parseWords parses a whole line "BenchmarkName 100 12 ns/op", with any spacing.
func parseWords(text []byte) (name string, t tail, ok bool) {
	if !bytes.HasPrefix(text, []byte(prefix)) {
		return "", tail{}, false
	}
	words := bytes.Fields(text)
	if len(words) < 4 || len(words)%2 != 0 {
		return "", tail{}, false
	}
	n, err := strconv.Atoi(string(words[1]))
	if err != nil || n < 0 {
		return "", tail{}, false
	}
	t = tail{n, make(map[string]float64, len(words)/2)}
	for i := 2; i < len(words); i += 2 {
		if !isNumber(words[i]) || isNumber(words[i+1]) {
			return "", tail{}, false
		}
		t.add(words[i], words[i+1])
	}
	return string(words[0]), t, true
}

// add tidies a value. The first of two values of a metric counts: it is the testing
// package's own. Values that are not finite are omitted.
func (t tail) add(number, unit []byte) {
	v, metric, err := Tidy(string(number), string(unit))
	if _, dup := t.values[metric]; err == nil && !dup {
		t.values[metric] = v
	}
}

func isValue(field []byte) bool {
	_, _, ok := splitValue(field)
	return ok
}

// splitValue splits " 123.4 ns/op". If the unit is a number it is the count, after a
// number printed by the program.
func splitValue(field []byte) (number, unit []byte, ok bool) {
	number, unit, ok = bytes.Cut(bytes.TrimLeft(field, " "), []byte(" "))
	if !ok || len(unit) == 0 || !isNumber(number) || isNumber(unit) {
		return nil, nil, false
	}
	return number, unit, bytes.IndexFunc(unit, unicode.IsSpace) < 0
}

// isNumber reports whether fmt could have printed b with %f or %g.
func isNumber(b []byte) bool {
	switch string(b) {
	case "+Inf", "-Inf", "Inf", "NaN":
		return true
	}
	if len(b) == 0 || len(bytes.Trim(b, "0123456789+-.eE")) > 0 {
		return false
	}
	_, err := strconv.ParseFloat(string(b), 64)
	return err == nil || err.(*strconv.NumError).Err == strconv.ErrRange
}
