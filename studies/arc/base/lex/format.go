package lex

import (
	"fmt"
	"slices"
	"strings"
)

// Format returns a text in the one layout: four spaces for each open bracket, one
// space between words, at most one empty line. It changes nothing else, and
// formatting twice is formatting once. The error is that of Tokens.
func Format(src string) (string, error) {
	tokens, err := Tokens(src)
	if err != nil {
		return "", err
	}
	var lines []string
	depth := 0
	for _, line := range splitLines(tokens) {
		if len(line) == 0 {
			lines = append(lines, "")
			continue
		}
		indent := strings.Repeat("    ", max(0, depth-leadingClosers(line)))
		lines = append(lines, fmt.Sprintf("%s%s", indent, formatLine(line)))
		depth = max(0, depth+balance(line))
	}
	if len(lines) == 0 {
		return "", nil
	}
	return strings.Join(lines, "\n") + "\n", nil
}

// splitLines returns the tokens of each line. Of several empty lines it keeps one,
// at the beginning and at the end none.
func splitLines(tokens []Token) [][]Token {
	var lines [][]Token
	var line []Token
	for _, t := range tokens {
		if t.Kind != Newline && t.Kind != EOF {
			line = append(line, t)
			continue
		}
		if len(line) > 0 || len(lines) > 0 && len(lines[len(lines)-1]) > 0 {
			lines = append(lines, line)
		}
		line = nil
	}
	if len(lines) > 0 && len(lines[len(lines)-1]) == 0 {
		lines = lines[:len(lines)-1]
	}
	return lines
}

// formatLine returns the tokens of a line with the blanks between them.
func formatLine(line []Token) string {
	var words []string
	for i, t := range line {
		words = append(words, gap(line, i), word(t))
	}
	return strings.Join(words, "")
}

// gap returns the blanks before the token at i.
func gap(line []Token, i int) string {
	if i == 0 {
		return ""
	}
	before, t := line[i-1], line[i]
	switch {
	case t.Kind == Comment:
		return "  "
	case isOne(before, "(", "[", "."), isOne(t, ")", "]", ",", ":", ";"):
		return ""
	case isOne(t, "(", "[", ".") && before.Kind == Ident:
		return ""
	case isOne(before, "-", "+", "!") && isPrefix(line, i-1) && canFollowPrefix(t):
		return ""
	}
	return " "
}

// isPrefix reports whether the operator at i belongs to what follows it, as the
// minus of -x.
func isPrefix(line []Token, i int) bool {
	if i == 0 {
		return true
	}
	before := line[i-1]
	return before.Kind == Keyword || before.Kind == Operator && !isOne(before, ")", "]", "}")
}

// canFollowPrefix reports whether a token may stand right behind a prefix: after a
// ! the operator = would make another one of it.
func canFollowPrefix(t Token) bool {
	return t.Kind != Operator || isOne(t, "(", "-", "+", "!")
}

// word returns a token as it stands in a text.
func word(t Token) string {
	if t.Kind == String {
		return quote(t.Text)
	}
	return t.Text
}

// quote returns the shortest string literal of a value.
func quote(s string) string {
	quoted := `"`
	for _, r := range s {
		switch {
		case r == '"', r == '\\':
			quoted += `\` + string(r)
		case r == '\n':
			quoted += `\n`
		case r == '\t':
			quoted += `\t`
		case r < ' ', r == 0x7f:
			quoted += fmt.Sprintf(`\u%04x`, r)
		default:
			quoted += string(r)
		}
	}
	return quoted + `"`
}

// leadingClosers counts the closing brackets that a line begins with.
func leadingClosers(line []Token) int {
	for i, t := range line {
		if !isOne(t, ")", "]", "}") {
			return i
		}
	}
	return len(line)
}

// balance returns how many more brackets a line opens than it closes.
func balance(line []Token) int {
	n := 0
	for _, t := range line {
		switch {
		case isOne(t, "(", "[", "{"):
			n++
		case isOne(t, ")", "]", "}"):
			n--
		}
	}
	return n
}

// isOne reports whether a token is one of some operators.
func isOne(t Token, operators ...string) bool {
	return t.Kind == Operator && slices.Contains(operators, t.Text)
}
