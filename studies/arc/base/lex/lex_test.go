package lex_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"example.com/arc/lex"
)

// at is short for a token of a test.
func at(line, col int, kind lex.Kind, text string) lex.Token {
	return lex.Token{Kind: kind, Pos: lex.Pos{Line: line, Col: col}, Text: text}
}

// number is a Number with its value.
func number(line, col int, text string, num float64) lex.Token {
	t := at(line, col, lex.Number, text)
	t.Num = num
	return t
}

func TestTokens(t *testing.T) {
	for _, test := range []struct {
		name, src string
		want      []lex.Token
	}{
		{"nothing", "", []lex.Token{at(1, 1, lex.EOF, "")}},
		{"blanks", " \t\r ", []lex.Token{at(1, 5, lex.EOF, "")}},
		{"lines", "\n\n", []lex.Token{
			at(1, 1, lex.Newline, "\n"), at(2, 1, lex.Newline, "\n"), at(3, 1, lex.EOF, ""),
		}},
		{"names", "a _b9 Größe x-y", []lex.Token{
			at(1, 1, lex.Ident, "a"), at(1, 3, lex.Ident, "_b9"), at(1, 7, lex.Ident, "Größe"),
			at(1, 13, lex.Ident, "x"), at(1, 14, lex.Operator, "-"), at(1, 15, lex.Ident, "y"), at(1, 16, lex.EOF, ""),
		}},
		{"keywords", "queue when else true false null queues whe", []lex.Token{
			at(1, 1, lex.Keyword, "queue"), at(1, 7, lex.Keyword, "when"), at(1, 12, lex.Keyword, "else"),
			at(1, 17, lex.Keyword, "true"), at(1, 22, lex.Keyword, "false"), at(1, 28, lex.Keyword, "null"),
			at(1, 33, lex.Ident, "queues"), at(1, 40, lex.Ident, "whe"), at(1, 43, lex.EOF, ""),
		}},
		{"comments", "# one  \t\r\nx #é", []lex.Token{
			at(1, 1, lex.Comment, "# one"), at(1, 10, lex.Newline, "\n"),
			at(2, 1, lex.Ident, "x"), at(2, 3, lex.Comment, "#é"), at(2, 5, lex.EOF, ""),
		}},
		{"empty comment", "#", []lex.Token{at(1, 1, lex.Comment, "#"), at(1, 2, lex.EOF, "")}},
		{"strings", `"" "a b" "ö#" x`, []lex.Token{
			at(1, 1, lex.String, ""), at(1, 4, lex.String, "a b"), at(1, 10, lex.String, "ö#"),
			at(1, 15, lex.Ident, "x"), at(1, 16, lex.EOF, ""),
		}},
		{"escapes", `"\"a\\\n\té\u00e9\u0000z"` + "\n" + `"\u20AC" x`, []lex.Token{
			at(1, 1, lex.String, "\"a\\\n\té\u00e9\x00z"), at(1, 26, lex.Newline, "\n"),
			at(2, 1, lex.String, "€"), at(2, 10, lex.Ident, "x"), at(2, 11, lex.EOF, ""),
		}},
		{"numbers", "0 12 1_000 2.5 0.125e-3 1E+2 0xfF 0XA_b 007", []lex.Token{
			number(1, 1, "0", 0), number(1, 3, "12", 12), number(1, 6, "1_000", 1000), number(1, 12, "2.5", 2.5),
			number(1, 16, "0.125e-3", 0.000125), number(1, 25, "1E+2", 100), number(1, 30, "0xfF", 255),
			number(1, 35, "0XA_b", 171), number(1, 41, "007", 7), at(1, 44, lex.EOF, ""),
		}},
		{"long numbers", "123456789012345678901234567890 0.1234567890123456789 0xffffffffffffffff 9007199254740993", []lex.Token{
			number(1, 1, "123456789012345678901234567890", 123456789012345678901234567890),
			number(1, 32, "0.1234567890123456789", 0.1234567890123456789),
			number(1, 54, "0xffffffffffffffff", 18446744073709551615),
			number(1, 73, "9007199254740993", 9007199254740992), at(1, 89, lex.EOF, ""),
		}},
		{"sign after number", "1-2 1e2-3 0xe+1 3e5+1", []lex.Token{
			number(1, 1, "1", 1), at(1, 2, lex.Operator, "-"), number(1, 3, "2", 2),
			number(1, 5, "1e2", 100), at(1, 8, lex.Operator, "-"), number(1, 9, "3", 3),
			number(1, 11, "0xe", 14), at(1, 14, lex.Operator, "+"), number(1, 15, "1", 1),
			number(1, 17, "3e5", 3e5), at(1, 20, lex.Operator, "+"), number(1, 21, "1", 1), at(1, 22, lex.EOF, ""),
		}},
		{"brackets", "f(x)[0]{a.b}", []lex.Token{
			at(1, 1, lex.Ident, "f"), at(1, 2, lex.Operator, "("), at(1, 3, lex.Ident, "x"), at(1, 4, lex.Operator, ")"),
			at(1, 5, lex.Operator, "["), number(1, 6, "0", 0), at(1, 7, lex.Operator, "]"), at(1, 8, lex.Operator, "{"),
			at(1, 9, lex.Ident, "a"), at(1, 10, lex.Operator, "."), at(1, 11, lex.Ident, "b"), at(1, 12, lex.Operator, "}"),
			at(1, 13, lex.EOF, ""),
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			got, err := lex.Tokens(test.src)
			if err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(got, test.want) {
				t.Errorf("got  %v\nwant %v", got, test.want)
			}
		})
	}
}

// Each operator is one token, also where a shorter one is its beginning.
func TestOperators(t *testing.T) {
	operators := strings.Fields("+ - * / % = == != < <= > >= ! && || ( ) [ ] { } , : . ;")
	for _, operator := range operators {
		for _, src := range []string{operator, "a" + operator + "b"} {
			tokens, err := lex.Tokens(src)
			if err != nil {
				t.Errorf("%q: %v", src, err)
				continue
			}
			var got []string
			for _, token := range tokens {
				if token.Kind == lex.Operator {
					got = append(got, token.Text)
				}
			}
			if want := []string{operator}; !slices.Equal(got, want) {
				t.Errorf("%q: got operators %q, want %q", src, got, want)
			}
		}
	}
	tokens, err := lex.Tokens("===!==<>")
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, token := range tokens[:len(tokens)-1] {
		got = append(got, token.Text)
	}
	if want := []string{"==", "=", "!=", "=", "<", ">"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestErrors(t *testing.T) {
	for _, test := range []struct {
		name, src, want string
	}{
		{"character", "a $ b", `1:3: unexpected character '$'`},
		{"control character", "\x00", `1:1: unexpected character '\x00'`},
		{"symbols", "\n é€\u200b", `2:3: unexpected character '€'` + "\n" + `2:4: unexpected character '\u200b'`},
		{"half an operator", "a & b | c", "1:3: unexpected character '&'\n1:7: unexpected character '|'"},
		{"bad character at the end", "&", `1:1: unexpected character '&'`},
		{"open string", `x = "abc`, `1:5: string is not closed`},
		{"open string, then a line", "\"abc\nx", `1:1: string is not closed`},
		{"backslash at the end", `"\`, "1:2: nothing after backslash\n1:1: string is not closed"},
		{"backslash at the line's end", "\"a\\\nx", "1:3: nothing after backslash\n1:1: string is not closed"},
		{"escape", `"a\q" "\é"`, `1:3: unknown escape "\\q"` + "\n" + `1:8: unknown escape "\\é"`},
		{"short hexadecimal", `"é\u12" "\u12g4" "\u`, `1:3: \u needs four hexadecimal digits` + "\n" +
			`1:10: \u needs four hexadecimal digits` + "\n" + `1:19: \u needs four hexadecimal digits` + "\n" + `1:18: string is not closed`},
		{"half a character", `"\ud800" "\uDFFF"`, `1:2: \ud800 is half of a character` + "\n" + `1:11: \udfff is half of a character`},
		{"numbers", "12ab 1__0 _1 1_ 1. 1.e3 1e 1e+ 0x 0x_1 1.2.3 0b1 1é", strings.Join([]string{
			`1:1: malformed number "12ab"`, `1:6: malformed number "1__0"`, `1:14: malformed number "1_"`,
			`1:17: malformed number "1."`, `1:20: malformed number "1.e3"`, `1:25: malformed number "1e"`,
			`1:28: malformed number "1e+"`, `1:32: malformed number "0x"`, `1:35: malformed number "0x_1"`,
			`1:40: malformed number "1.2.3"`, `1:46: malformed number "0b1"`, `1:50: malformed number "1é"`,
		}, "\n")},
		{"underscores in fractions", "1._5 1.5_ 1_.5 1e1_0 0x1_ 0x1__2 0x1.5 0x1g", strings.Join([]string{
			`1:1: malformed number "1._5"`, `1:6: malformed number "1.5_"`, `1:11: malformed number "1_.5"`,
			`1:16: malformed number "1e1_0"`, `1:22: malformed number "0x1_"`, `1:27: malformed number "0x1__2"`,
			`1:34: malformed number "0x1.5"`, `1:40: malformed number "0x1g"`,
		}, "\n")},
		{"too large", "1e999 0x10000000000000000", "1:1: number 1e999 is too large\n1:7: number 0x10000000000000000 is too large"},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, err := lex.Tokens(test.src)
			if err == nil {
				t.Fatalf("got no error, want %s", test.want)
			}
			if got := err.Error(); got != test.want {
				t.Errorf("got  %s\nwant %s", got, test.want)
			}
			if _, ok := errors.AsType[lex.ErrorList](err); !ok {
				t.Errorf("got a %T, want an ErrorList", err)
			}
		})
	}
}

// What is no token is left out, the rest is there.
func TestTokensBesideErrors(t *testing.T) {
	got, err := lex.Tokens("a $ 1_ \"x\\q\" b\n\"open\nc")
	want := []lex.Token{
		at(1, 1, lex.Ident, "a"), at(1, 14, lex.Ident, "b"), at(1, 15, lex.Newline, "\n"),
		at(2, 6, lex.Newline, "\n"), at(3, 1, lex.Ident, "c"), at(3, 2, lex.EOF, ""),
	}
	if !slices.Equal(got, want) {
		t.Errorf("got  %v\nwant %v", got, want)
	}
	list, _ := errors.AsType[lex.ErrorList](err)
	if got, want := len(list), 4; got != want {
		t.Errorf("got %d errors, want %d: %v", got, want, err)
	}
}

func TestNotUTF8(t *testing.T) {
	for src, want := range map[string]string{
		"\xff":           "1:1: not UTF-8",
		"ab\n\uFFFD\xc3": "2:2: not UTF-8",
		"\"é\x80\"":      "1:3: not UTF-8",
	} {
		tokens, err := lex.Tokens(src)
		if err == nil || err.Error() != want {
			t.Errorf("%q: got %v, want %s", src, err, want)
		}
		if tokens != nil {
			t.Errorf("%q: got tokens %v, want none", src, tokens)
		}
	}
}

func TestStrings(t *testing.T) {
	for kind, want := range map[lex.Kind]string{
		lex.EOF: "end of text", lex.Newline: "newline", lex.Comment: "comment", lex.Ident: "identifier",
		lex.Keyword: "keyword", lex.Number: "number", lex.String: "string", lex.Operator: "operator", 99: "Kind(99)",
	} {
		if got := kind.String(); got != want {
			t.Errorf("kind %d: got %q, want %q", uint8(kind), got, want)
		}
	}
	if got, want := (lex.Pos{Line: 3, Col: 14}).String(), "3:14"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got, want := (lex.ErrorList{}).Error(), ""; got != want {
		t.Errorf("empty list: got %q, want %q", got, want)
	}
}

// FuzzTokens holds what is true of every text: positions only grow, the last token
// is EOF, and an error list is not empty.
func FuzzTokens(f *testing.F) {
	for _, src := range []string{"", "a = 1", "\"\\u00e9\" # é\n", "\"\\", "0x 1e+", "\xff", "!=="} {
		f.Add(src)
	}
	f.Fuzz(func(t *testing.T, src string) {
		tokens, err := lex.Tokens(src)
		if list, ok := errors.AsType[lex.ErrorList](err); err != nil && (!ok || len(list) == 0) {
			t.Fatalf("got error %#v, want an ErrorList that is not empty", err)
		}
		if tokens == nil && err != nil {
			return
		}
		if got := tokens[len(tokens)-1].Kind; got != lex.EOF {
			t.Errorf("got %v at the end, want EOF", got)
		}
		for i, token := range tokens[1:] {
			last := tokens[i].Pos
			if token.Pos.Line < last.Line || token.Pos.Line == last.Line && token.Pos.Col <= last.Col {
				t.Errorf("token %d is at %v, the one before it at %v", i+1, token.Pos, last)
			}
		}
	})
}
