package lex

import (
	"fmt"
	"strings"
	"unicode"
)

// end is what next and peek return at the end of the text.
const end = -1

// keywords are the identifiers that are reserved.
var keywords = map[string]bool{
	"queue": true,
	"when":  true,
	"else":  true,
	"true":  true,
	"false": true,
	"null":  true,
}

// operators are all there are; of two that fit the longer one counts.
var operators = map[string]bool{
	"+": true, "-": true, "*": true, "/": true, "%": true,
	"=": true, "==": true, "!=": true, "<": true, "<=": true, ">": true, ">=": true,
	"!": true, "&&": true, "||": true,
	"(": true, ")": true, "[": true, "]": true, "{": true, "}": true,
	",": true, ":": true, ".": true, ";": true,
}

// A lexer goes through a text from state to state. What it has read since start
// is the token that is being made.
type lexer struct {
	src   []rune
	start int // index of the token's first character
	next  int // index of the next character
	from  Pos // place of the token's first character
	at    Pos // place of the next character

	names  *Interner
	tokens []Token
	errs   ErrorList
}

// A state reads something and returns the state that follows, or nil.
type state func(*lexer) state

func newLexer(src string) *lexer {
	return &lexer{
		src:   []rune(src),
		from:  Pos{Line: 1, Col: 1},
		at:    Pos{Line: 1, Col: 1},
		names: NewInterner(),
	}
}

func (l *lexer) run() {
	for s := state(lexAny); s != nil; {
		s = s(l)
	}
}

// peek returns the next character and stays before it.
func (l *lexer) peek() rune {
	return l.peekAt(0)
}

// peekAt returns the character n after the next one.
func (l *lexer) peekAt(n int) rune {
	if l.next+n >= len(l.src) {
		return end
	}
	return l.src[l.next+n]
}

// read returns the next character, of which there must be one, and goes behind it.
func (l *lexer) read() rune {
	r := l.src[l.next]
	l.next++
	l.at.Col++
	if r == '\n' {
		l.at = Pos{Line: l.at.Line + 1, Col: 1}
	}
	return r
}

// readWhile goes behind all characters that fit.
func (l *lexer) readWhile(fits func(rune) bool) {
	for r := l.peek(); r != end && fits(r); r = l.peek() {
		l.read()
	}
}

// text returns what was read of the token.
func (l *lexer) text() string {
	return string(l.src[l.start:l.next])
}

// drop forgets what was read.
func (l *lexer) drop() {
	l.start = l.next
	l.from = l.at
}

// emit makes a token of what was read.
func (l *lexer) emit(kind Kind, text string, num float64) {
	l.tokens = append(l.tokens, Token{Kind: kind, Pos: l.from, Text: text, Num: num})
	l.drop()
}

// fail notes an error at a place.
func (l *lexer) fail(pos Pos, format string, args ...any) {
	l.errs = append(l.errs, Error{Pos: pos, Msg: fmt.Sprintf(format, args...)})
}

// lexAny is the state between tokens.
func lexAny(l *lexer) state {
	l.readWhile(isBlank)
	l.drop()
	switch r := l.peek(); {
	case r == end:
		l.emit(EOF, "", 0)
		return nil
	case r == '\n':
		l.read()
		l.emit(Newline, "\n", 0)
		return lexAny
	case r == '#':
		return lexComment
	case r == '"':
		return lexString
	case isDigit(r):
		return lexNumber
	case isLetter(r):
		return lexIdent
	}
	return lexOperator
}

func lexComment(l *lexer) state {
	l.readWhile(func(r rune) bool { return r != '\n' })
	l.emit(Comment, strings.TrimRight(l.text(), " \t\r"), 0)
	return lexAny
}

func lexIdent(l *lexer) state {
	l.readWhile(func(r rune) bool { return isLetter(r) || isDigit(r) })
	name := l.names.Intern(l.text())
	if keywords[name] {
		l.emit(Keyword, name, 0)
	} else {
		l.emit(Ident, name, 0)
	}
	return lexAny
}

func lexNumber(l *lexer) state {
	hex := l.peek() == '0' && unicode.ToLower(l.peekAt(1)) == 'x'
	for last := rune(0); isNumeric(l.peek()) || isSign(l.peek()) && !hex && unicode.ToLower(last) == 'e'; {
		last = l.read()
	}
	text := l.text()
	num, err := parseNumber(text)
	if err != nil {
		l.fail(l.from, "%v", err)
		l.drop()
		return lexAny
	}
	l.emit(Number, text, num)
	return lexAny
}

func lexOperator(l *lexer) state {
	for n := 2; n > 0; n-- {
		if l.next+n > len(l.src) {
			continue
		}
		if text := string(l.src[l.next : l.next+n]); operators[text] {
			for range n {
				l.read()
			}
			l.emit(Operator, text, 0)
			return lexAny
		}
	}
	l.fail(l.from, "unexpected character %q", l.read())
	return lexAny
}

// lexString reads a string to its quote. A line's end ends it as well, as an
// error, so that what follows is read as it was meant.
func lexString(l *lexer) state {
	l.read()
	faults := len(l.errs)
	var value []rune
	for {
		at := l.at
		switch r := l.peek(); r {
		case end, '\n':
			l.fail(l.from, "string is not closed")
			return lexAny
		case '"':
			l.read()
			if len(l.errs) == faults {
				l.emit(String, string(value), 0)
			}
			return lexAny
		case '\\':
			l.read()
			r, err := l.escape()
			if err != nil {
				l.fail(at, "%v", err)
			}
			value = append(value, r)
		default:
			value = append(value, l.read())
		}
	}
}

// escape reads what stands after a backslash.
func (l *lexer) escape() (rune, error) {
	switch r := l.peek(); r {
	case 'n':
		l.read()
		return '\n', nil
	case 't':
		l.read()
		return '\t', nil
	case '\\', '"':
		return l.read(), nil
	case 'u':
		l.read()
		return l.hexRune()
	case end, '\n':
		return 0, fmt.Errorf("nothing after backslash")
	default:
		return 0, fmt.Errorf("unknown escape %q", `\`+string(l.read()))
	}
}

// hexRune reads four hexadecimal digits.
func (l *lexer) hexRune() (rune, error) {
	var value rune
	for range 4 {
		digit := strings.IndexRune("0123456789abcdef", unicode.ToLower(l.peek()))
		if digit < 0 {
			return 0, fmt.Errorf("\\u needs four hexadecimal digits")
		}
		value = value<<4 | rune(digit)
		l.read()
	}
	if value >= 0xD800 && value < 0xE000 {
		return 0, fmt.Errorf("\\u%04x is half of a character", value)
	}
	return value, nil
}

func isBlank(r rune) bool {
	return strings.ContainsRune(" \t\r", r)
}

func isDigit(r rune) bool {
	return strings.ContainsRune("0123456789", r)
}

func isLetter(r rune) bool {
	return r == '_' || unicode.IsLetter(r)
}

func isSign(r rune) bool {
	return r == '+' || r == '-'
}

// isNumeric reports whether a character goes on with a number, be it a good one
// or not: 12ab is one bad number rather than a number and a name.
func isNumeric(r rune) bool {
	return isDigit(r) || isLetter(r) || r == '.'
}
