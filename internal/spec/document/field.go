package document

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/pelletier/go-toml/v2/unstable"

	"github.com/seed-1318a441/assay"
)

// A Setter stores the value of one key and says what is wrong with it.
type Setter func(e *Entry) error

// A Field is one key of a table: how its value is read and how it is written.
type Field struct {
	Key  string
	Read Setter
	// Write returns the value as TOML, "" for the zero value. Nil is for reading only.
	Write func() string
}

// A Schema is the fields of one kind of table, in the order in which they are written.
type Schema []Field

// Then returns the field with a check of the value that was read.
func (f Field) Then(check Setter) Field {
	read := f.Read
	f.Read = func(e *Entry) error {
		if err := read(e); err != nil {
			return err
		}
		return check(e)
	}
	return f
}

// Find returns the field of a key, nil if there is none.
func (s Schema) Find(key string) *Field {
	for i := range s {
		if s[i].Key == key {
			return &s[i]
		}
	}
	return nil
}

// Without returns the schema without some keys.
func (s Schema) Without(keys ...string) Schema {
	return slices.DeleteFunc(slices.Clone(s), func(f Field) bool { return slices.Contains(keys, f.Key) })
}

// Keys returns the keys in alphabetical order.
func (s Schema) Keys() (keys []string) {
	for _, f := range s {
		keys = append(keys, f.Key)
	}
	slices.Sort(keys)
	return keys
}

// Fill stores all entries in the order of the file, so that its first error is returned.
// where names the table as in a file, such as "[[variant]]"; "" is the top of the file.
func (t *Table) Fill(where string, keys Schema) error {
	for _, e := range t.Entries {
		f := keys.Find(e.Key)
		if f == nil {
			return unknown(where, e, keys)
		}
		if err := f.Read(e); err != nil {
			return err
		}
	}
	return nil
}

func unknown(where string, e *Entry, keys Schema) error {
	text := "unknown key " + strconv.Quote(e.Key)
	if e.Value.Kind == unstable.Table || e.Value.IsTables() {
		text = "unknown table " + e.Header()
	}
	if where != "" {
		text += " in " + where
	}
	return &Fault{At: e.At, Code: assay.CodeStudyKey, Text: text, Unknown: &UnknownKey{e, where, keys}}
}

// Header returns the line that opens a table: "[key]" or "[[key]]".
func (e *Entry) Header() string {
	if e.Value.Kind == unstable.Array {
		return "[[" + e.Key + "]]"
	}
	return "[" + e.Key + "]"
}

// IsTables reports whether a value is a list of tables.
func (v Value) IsTables() bool {
	return v.Kind == unstable.Array && len(v.Items) > 0 && v.Items[0].Kind == unstable.Table
}

// Wrong returns an error about the value of e: "key = value problem".
func (e *Entry) Wrong(problem string) error {
	return Faultf(e.Value.At, assay.CodeStudyValue, "%s = %s %s", e.Key, e.Value, problem)
}

// String returns the value as in the file, with lists and tables abbreviated.
func (v Value) String() string {
	switch v.Kind {
	case unstable.String:
		return strconv.Quote(v.Text)
	case unstable.Array:
		return "[…]"
	case unstable.Table:
		return "{…}"
	}
	return v.Text
}

// unlessZero returns a Write that omits the zero value.
func unlessZero[T comparable](p *T, write func(T) string) func() string {
	return func() string {
		if *p == *new(T) {
			return ""
		}
		return write(*p)
	}
}

// String is a string.
func String(key string, p *string) Field {
	return Field{key, func(e *Entry) error {
		if e.Value.Kind != unstable.String {
			return e.Wrong("is not text in quotes")
		}
		*p = e.Value.Text
		return nil
	}, unlessZero(p, Quote)}
}

// Prose is a string that may have several lines.
func Prose(key string, p *string) Field {
	f := String(key, p)
	f.Write = unlessZero(p, quoteProse)
	return f
}

// Strings is a list of strings.
func Strings(key string, p *[]string) Field {
	return Field{key, readStrings(p), func() string { return QuoteList(*p) }}
}

// readStrings refuses a single string, so that nobody writes a list into it with commas.
func readStrings(p *[]string) Setter {
	return func(e *Entry) error {
		if e.Value.Kind == unstable.String {
			return e.Wrong("is not a list: write [" + strconv.Quote(e.Value.Text) + "]")
		}
		if e.Value.Kind != unstable.Array {
			return e.Wrong("is not a list of texts")
		}
		for _, item := range e.Value.Items {
			if item.Kind != unstable.String {
				return item.In(e).Wrong("is not text in quotes")
			}
			*p = append(*p, item.Text)
		}
		return nil
	}
}

// In returns one item of e's list as an entry, for error messages.
func (v Value) In(e *Entry) *Entry { return &Entry{Key: e.Key, At: e.At, Value: v} }

// List is a list of strings, each as read makes it.
func List(key string, p *[]string, read func(string) (string, error)) Field {
	f := Strings(key, p)
	f.Read = func(e *Entry) error {
		var texts []string
		if err := readStrings(&texts)(e); err != nil {
			return err
		}
		for i, text := range texts {
			s, err := read(text)
			if err != nil {
				return e.Value.Items[i].In(e).Wrong(err.Error())
			}
			*p = append(*p, s)
		}
		return nil
	}
	return f
}

// Words is a list of words without commas and blanks.
func Words(key string, p *[]string) Field {
	return List(key, p, func(w string) (string, error) {
		if w == "" || strings.ContainsAny(w, ", \t\n") {
			return "", errors.New("is not one word; every word is an item of its own")
		}
		return w, nil
	})
}

// Bool is true or false. When it is written, comment follows it.
func Bool(key string, p *bool, comment string) Field {
	return Field{key, func(e *Entry) error {
		if e.Value.Kind != unstable.Bool {
			return e.Wrong("is neither true nor false")
		}
		*p = e.Value.Text == "true"
		return nil
	}, unlessZero(p, func(bool) string { return "true" + comment })}
}

// Number is a whole number from 1 to a billion.
func Number(key string, p *int) Field {
	return Field{key, func(e *Entry) error {
		n, ok := e.Value.Integer()
		switch {
		case !ok || n < 1:
			return e.Wrong("is not a whole number from 1")
		case n > 1e9:
			return e.Wrong("is above 1,000,000,000")
		}
		*p = int(n)
		return nil
	}, unlessZero(p, strconv.Itoa)}
}

// Integer returns a whole number; ok is false for any other value.
func (v Value) Integer() (int64, bool) {
	if v.Kind != unstable.Integer {
		return 0, false
	}
	n, err := strconv.ParseInt(strings.TrimPrefix(v.Text, "+"), 0, 64)
	return n, err == nil
}

// Seed is a whole number from 0. Above 2^63-1, the largest number in TOML, it is text.
func Seed(key string, p *uint64) Field {
	return Field{key, func(e *Entry) error {
		n, err := strconv.ParseUint(strings.TrimPrefix(e.Value.Text, "+"), 0, 64)
		if err != nil || e.Value.Kind != unstable.Integer && e.Value.Kind != unstable.String {
			return e.Wrong("is not a whole number from 0 to " + strconv.FormatUint(math.MaxUint64, 10))
		}
		*p = n
		return nil
	}, unlessZero(p, func(n uint64) string {
		if n > math.MaxInt64 {
			return Quote(fmt.Sprintf("%#x", n))
		}
		return strconv.FormatUint(n, 10)
	})}
}

// Text is a string that read checks or converts.
func Text[T ~string](key string, p *T, read func(string) (T, error)) Field {
	return Scalar(key, p, read, func(v T) string { return Quote(string(v)) })
}

// Scalar is a string or a number. read converts it and knows the two apart: min_effect =
// 1 lacks a unit, not quotes. write makes TOML of the value.
func Scalar[T comparable](key string, p *T, read func(string) (T, error), write func(T) string) Field {
	return Field{key, readValue(p, read), unlessZero(p, write)}
}

func readValue[T any](p *T, read func(string) (T, error)) Setter {
	return func(e *Entry) error {
		switch e.Value.Kind {
		case unstable.String, unstable.Integer, unstable.Float:
		default:
			return e.Wrong("is not text in quotes")
		}
		v, err := read(e.Value.Text)
		if err != nil {
			return e.Wrong(err.Error())
		}
		*p = v
		return nil
	}
}

// Pairs is a table of names and values, such as { GOGC = "200" }.
func Pairs(key string, p *map[string]string, check func(name string) error) Field {
	return Field{key, func(e *Entry) error {
		if e.Value.Kind != unstable.Table {
			return e.Wrong("is not a table such as { GOGC = \"200\" }")
		}
		for _, sub := range e.Value.Table.Entries {
			if err := check(sub.Key); err != nil {
				return Faultf(sub.At, assay.CodeStudyKey, "%v", err)
			}
			if sub.Value.Kind != unstable.String && sub.Value.Kind != unstable.Integer {
				return sub.Wrong("is not text in quotes")
			}
			if *p == nil {
				*p = map[string]string{}
			}
			(*p)[sub.Key] = sub.Value.Text
		}
		return nil
	}, func() string { return QuotePairs(*p) }}
}

// Inline is a table on one line, which looks like example.
func Inline(key, example string, keys Schema) Field {
	return Field{key, func(e *Entry) error {
		if e.Value.Kind != unstable.Table {
			return e.Wrong("is not a table such as " + example)
		}
		return e.Value.Table.Fill(e.Key, keys)
	}, func() string { return keys.Rows().Inline() }}
}

// One is a section of a file that appears once.
func One(key string, keys Schema) Field {
	return Field{Key: key, Read: func(e *Entry) error {
		if e.Value.Kind != unstable.Table {
			return Faultf(e.At, assay.CodeStudyValue, "%q is a table: write [%s]", e.Key, e.Key)
		}
		return e.Value.Table.Fill("["+e.Key+"]", keys)
	}}
}

// Many is a section that can appear any number of times. keys returns the schema of a new
// one and its kind, such as " of a command". check sees the list up to the new one and
// its table t.
func Many[T any](key string, list *[]T, keys func(v *T, t *Table) (kind string, keys Schema), check func(list []T, t *Table) error) Field {
	return Field{Key: key, Read: func(e *Entry) error {
		if !e.Value.IsTables() {
			return Faultf(e.At, assay.CodeStudyValue, "%q may stand more than once: write [[%s]]", e.Key, e.Key)
		}
		for _, item := range e.Value.Items {
			if item.Kind != unstable.Table {
				return item.In(e).Wrong("is not a table")
			}
			*list = append(*list, *new(T))
			kind, keys := keys(&(*list)[len(*list)-1], item.Table)
			if err := item.Table.Fill(e.Header()+kind, keys); err != nil {
				return err
			}
			if err := check(*list, item.Table); err != nil {
				return err
			}
		}
		return nil
	}}
}
