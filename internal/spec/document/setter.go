package document

import (
	"errors"
	"math"
	"strconv"
	"strings"

	"github.com/pelletier/go-toml/v2/unstable"

	"github.com/seed-1318a441/assay"
)

// A Setter stores the value of one key and says what is wrong with it.
type Setter func(e *Entry) error

// A Schema is the keys that one kind of table has.
type Schema map[string]Setter

// Fill stores all entries of a table, in the order of the file, so that the
// first error is the first in the file. where names the table as one writes
// it, such as "[[variant]]", and is empty for the top of the file.
func (t *Table) Fill(where string, keys Schema) error {
	for _, e := range t.Entries {
		set, ok := keys[e.Key]
		if !ok {
			return unknown(where, e, keys)
		}
		if err := set(e); err != nil {
			return err
		}
	}
	return nil
}

func unknown(where string, e *Entry, keys Schema) error {
	text := "unknown key " + strconv.Quote(e.Key)
	if e.isHeader() {
		text = "unknown table " + e.Header()
	}
	if where != "" {
		text += " in " + where
	}
	return &Fault{At: e.At, Code: assay.CodeStudyKey, Text: text, Unknown: &UnknownKey{e, where, keys}}
}

// isHeader reports whether the entry is a [table] or [[table]].
func (e *Entry) isHeader() bool {
	return e.Value.Kind == unstable.Table || e.Value.IsTables()
}

// Header is the line that opens a table: "[key]" or "[[key]]".
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

// Wrong is an error about the value of e: "key = value problem".
func (e *Entry) Wrong(problem string) error {
	return Faultf(e.Value.At, assay.CodeStudyValue, "%s = %s %s", e.Key, e.Value, problem)
}

// String returns the value as the file has it, lists and tables cut short.
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

// String stores a string.
func String(p *string) Setter {
	return func(e *Entry) error {
		if e.Value.Kind != unstable.String {
			return e.Wrong("is not text in quotes")
		}
		*p = e.Value.Text
		return nil
	}
}

// Strings stores a list of strings. A single string is not taken for a list of
// one, so that nobody writes commas into it.
func Strings(p *[]string) Setter {
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

// In makes an entry of one item of e's list, for error messages.
func (v Value) In(e *Entry) *Entry { return &Entry{Key: e.Key, At: e.At, Value: v} }

// List stores what read makes of each string of a list.
func List(p *[]string, read func(string) (string, error)) Setter {
	return func(e *Entry) error {
		var texts []string
		if err := Strings(&texts)(e); err != nil {
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
}

// Words stores a list of words without commas and blanks.
func Words(p *[]string) Setter {
	return List(p, func(w string) (string, error) {
		if w == "" || strings.ContainsAny(w, ", \t\n") {
			return "", errors.New("is not one word; every word is an item of its own")
		}
		return w, nil
	})
}

// Bool stores true or false.
func Bool(p *bool) Setter {
	return func(e *Entry) error {
		if e.Value.Kind != unstable.Bool {
			return e.Wrong("is neither true nor false")
		}
		*p = e.Value.Text == "true"
		return nil
	}
}

// Number stores a whole number from 1 to a billion.
func Number(p *int) Setter {
	return func(e *Entry) error {
		n, ok := e.Value.Integer()
		if !ok || n < 1 || n > 1e9 {
			return e.Wrong("is not a whole number from 1")
		}
		*p = int(n)
		return nil
	}
}

// Integer is a whole number; ok is false for anything else.
func (v Value) Integer() (int64, bool) {
	if v.Kind != unstable.Integer {
		return 0, false
	}
	n, err := strconv.ParseInt(strings.TrimPrefix(v.Text, "+"), 0, 64)
	return n, err == nil
}

// Seed stores a whole number from 0, also written as text, because TOML has no
// numbers above 2^63-1.
func Seed(p *uint64) Setter {
	return func(e *Entry) error {
		n, err := strconv.ParseUint(e.Value.Text, 0, 64)
		if err != nil || e.Value.Kind != unstable.Integer && e.Value.Kind != unstable.String {
			return e.Wrong("is not a whole number from 0 to " + strconv.FormatUint(math.MaxUint64, 10))
		}
		*p = n
		return nil
	}
}

// Text stores what read makes of a string or a number, which are told apart by
// read: min_effect = 1 is wrong for its unit, not for its quotes.
func Text[T any](p *T, read func(string) (T, error)) Setter {
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

// Pairs stores a table of names and values, such as { GOGC = "200" }.
func Pairs(p *map[string]string, check func(name string) error) Setter {
	return func(e *Entry) error {
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
	}
}

// One stores a table that stands once.
func One(keys Schema) Setter {
	return func(e *Entry) error {
		if e.Value.Kind != unstable.Table {
			return Faultf(e.At, assay.CodeStudyValue, "%q is a table: write [%s]", e.Key, e.Key)
		}
		return e.Value.Table.Fill("["+e.Key+"]", keys)
	}
}

// Many stores tables that can appear any number of times. keys returns the schema of a new
// one, and what kind it is ("" for the only one). check looks at the list up to the new
// one, whose table is t.
func Many[T any](list *[]T, keys func(v *T, t *Table) (kind string, keys Schema), check func(list []T, t *Table) error) Setter {
	return func(e *Entry) error {
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
	}
}
