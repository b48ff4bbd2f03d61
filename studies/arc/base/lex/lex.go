// Package lex reads a small configuration language into tokens with their
// positions, and writes it again in one layout. It does not know which tokens
// make a sentence: that is for a parser.
//
// Beside it are the paths of queues (QueuePath, JoinPath, SplitPath) and an
// Interner.
package lex

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// A Kind says what a token is.
type Kind uint8

// The kinds of tokens.
const (
	EOF      Kind = iota
	Newline       // the end of a line
	Comment       // from # to the end of the line
	Ident         // a letter or _, then letters, digits and _
	Keyword       // an identifier that is reserved
	Number        // 12, 1_000, 2.5e3, 0xff
	String        // "text" with the escapes \n \t \\ \" \uXXXX
	Operator      // the rest: brackets, arithmetic, comparisons
)

// String returns the name of the kind.
func (k Kind) String() string {
	names := map[Kind]string{
		EOF:      "end of text",
		Newline:  "newline",
		Comment:  "comment",
		Ident:    "identifier",
		Keyword:  "keyword",
		Number:   "number",
		String:   "string",
		Operator: "operator",
	}
	if name, ok := names[k]; ok {
		return name
	}
	return fmt.Sprintf("Kind(%d)", uint8(k))
}

// A Pos is a place in a text. Both numbers count from 1, columns in characters.
type Pos struct {
	Line, Col int
}

// String returns "line:column".
func (p Pos) String() string {
	return fmt.Sprintf("%d:%d", p.Line, p.Col)
}

// A Token is the smallest piece of a text that means something.
type Token struct {
	Kind Kind
	Pos  Pos
	// Text is what the source has; of a String its value, without quotes and
	// escapes, of a Comment all but blanks at its end.
	Text string
	// Num is the value of a Number.
	Num float64
}

// An Error is something in a text that is no token.
type Error struct {
	Pos Pos
	Msg string
}

// Error returns "line:column: message".
func (e Error) Error() string {
	return fmt.Sprintf("%v: %s", e.Pos, e.Msg)
}

// An ErrorList has all errors of a text, in the order in which they were found.
type ErrorList []Error

// Error returns one line for each error.
func (l ErrorList) Error() string {
	var lines []string
	for _, e := range l {
		lines = append(lines, e.Error())
	}
	return strings.Join(lines, "\n")
}

// Tokens returns the tokens of a text; the last one is EOF. The error is an
// ErrorList; the tokens that could be read are returned nevertheless, unless the
// text is not UTF-8.
func Tokens(src string) ([]Token, error) {
	if !utf8.ValidString(src) {
		return nil, ErrorList{notUTF8(src)}
	}
	l := newLexer(src)
	l.run()
	if len(l.errs) > 0 {
		return l.tokens, l.errs
	}
	return l.tokens, nil
}

// notUTF8 returns the error for the first byte that is not UTF-8.
func notUTF8(src string) Error {
	pos := Pos{Line: 1, Col: 1}
	for i, r := range src {
		if r == utf8.RuneError && !strings.HasPrefix(src[i:], "\uFFFD") {
			break
		}
		pos.Col++
		if r == '\n' {
			pos = Pos{Line: pos.Line + 1, Col: 1}
		}
	}
	return Error{Pos: pos, Msg: "not UTF-8"}
}
