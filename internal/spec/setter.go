package spec

import (
	"math"
	"strconv"
	"strings"

	"github.com/pelletier/go-toml/v2/unstable"
)

// A setter stores the value of one key and says what is wrong with it.
type setter func(e *entry) error

// A schema is the keys that one kind of table has.
type schema map[string]setter

// fill stores all entries of a table, in the order of the file, so that the
// first error is the first in the file. where names the table as one writes
// it, such as "[[variant]]", and is empty for the top of the file.
func (t *table) fill(where string, keys schema) error {
	for _, e := range t.entries {
		set, ok := keys[e.key]
		if !ok {
			return unknown(where, e, keys)
		}
		if err := set(e); err != nil {
			return err
		}
	}
	return nil
}

func unknown(where string, e *entry, keys schema) error {
	text := "unknown key " + strconv.Quote(e.key)
	if e.isHeader() {
		text = "unknown table " + e.header()
	}
	if where != "" {
		text += " in " + where
	}
	return &fault{at: e.at, code: codeKey, text: text, unknown: &unknownKey{e, where, keys}}
}

// isHeader reports whether the entry is a [table] or [[table]].
func (e *entry) isHeader() bool {
	return e.value.kind == unstable.Table || e.value.isTables()
}

func (e *entry) header() string {
	if e.value.kind == unstable.Array {
		return "[[" + e.key + "]]"
	}
	return "[" + e.key + "]"
}

func (v value) isTables() bool {
	return v.kind == unstable.Array && len(v.items) > 0 && v.items[0].kind == unstable.Table
}

// wrong is an error about the value of e: "key = value problem".
func (e *entry) wrong(problem string) error {
	return faultf(e.value.at, codeValue, "%s = %s %s", e.key, e.value, problem)
}

// String returns the value as the file has it, lists and tables cut short.
func (v value) String() string {
	switch v.kind {
	case unstable.String:
		return strconv.Quote(v.text)
	case unstable.Array:
		return "[…]"
	case unstable.Table:
		return "{…}"
	}
	return v.text
}

// str stores a string.
func str(p *string) setter {
	return func(e *entry) error {
		if e.value.kind != unstable.String {
			return e.wrong("is not text in quotes")
		}
		*p = e.value.text
		return nil
	}
}

// strs stores a list of strings. A single string is not taken for a list of
// one, so that nobody writes commas into it.
func strs(p *[]string) setter {
	return func(e *entry) error {
		if e.value.kind == unstable.String {
			return e.wrong("is not a list: write [" + strconv.Quote(e.value.text) + "]")
		}
		if e.value.kind != unstable.Array {
			return e.wrong("is not a list of texts")
		}
		for _, item := range e.value.items {
			if item.kind != unstable.String {
				return item.in(e).wrong("is not text in quotes")
			}
			*p = append(*p, item.text)
		}
		return nil
	}
}

// in makes an entry of one item of e's list, for error messages.
func (v value) in(e *entry) *entry { return &entry{key: e.key, at: e.at, value: v} }

// each stores a list of strings that all pass a check.
func each(p *[]string, check func(string) error) setter {
	return func(e *entry) error {
		if err := strs(p)(e); err != nil {
			return err
		}
		for i, s := range *p {
			if err := check(s); err != nil {
				return e.value.items[i].in(e).wrong(err.Error())
			}
		}
		return nil
	}
}

// words stores a list of words of which none may hold a comma or a blank.
func words(p *[]string) setter {
	return func(e *entry) error {
		if err := strs(p)(e); err != nil {
			return err
		}
		for i, w := range *p {
			if w == "" || strings.ContainsAny(w, ", \t\n") {
				return e.value.items[i].in(e).wrong("is not one word; every word is an item of its own")
			}
		}
		return nil
	}
}

func boolean(p *bool) setter {
	return func(e *entry) error {
		if e.value.kind != unstable.Bool {
			return e.wrong("is neither true nor false")
		}
		*p = e.value.text == "true"
		return nil
	}
}

// number stores a whole number from 1 to a billion.
func number(p *int) setter {
	return func(e *entry) error {
		n, ok := e.value.integer()
		if !ok || n < 1 || n > 1e9 {
			return e.wrong("is not a whole number from 1")
		}
		*p = int(n)
		return nil
	}
}

func (v value) integer() (int64, bool) {
	if v.kind != unstable.Integer {
		return 0, false
	}
	n, err := strconv.ParseInt(strings.TrimPrefix(v.text, "+"), 0, 64)
	return n, err == nil
}

// seed stores a whole number from 0, also written as text, because TOML has no
// numbers above 2^63-1.
func seed(p *uint64) setter {
	return func(e *entry) error {
		n, err := strconv.ParseUint(e.value.text, 0, 64)
		if err != nil || e.value.kind != unstable.Integer && e.value.kind != unstable.String {
			return e.wrong("is not a whole number from 0 to " + strconv.FormatUint(math.MaxUint64, 10))
		}
		*p = n
		return nil
	}
}

// text stores what read makes of a string or a number, which are told apart by
// read: min_effect = 1 is wrong for its unit, not for its quotes.
func text[T any](p *T, read func(string) (T, error)) setter {
	return func(e *entry) error {
		switch e.value.kind {
		case unstable.String, unstable.Integer, unstable.Float:
		default:
			return e.wrong("is not text in quotes")
		}
		v, err := read(e.value.text)
		if err != nil {
			return e.wrong(err.Error())
		}
		*p = v
		return nil
	}
}

// pairs stores a table of names and values, such as { GOGC = "200" }.
func pairs(p *map[string]string, check func(name string) error) setter {
	return func(e *entry) error {
		if e.value.kind != unstable.Table {
			return e.wrong("is not a table such as { GOGC = \"200\" }")
		}
		for _, sub := range e.value.table.entries {
			if err := check(sub.key); err != nil {
				return faultf(sub.at, codeKey, "%v", err)
			}
			if sub.value.kind != unstable.String && sub.value.kind != unstable.Integer {
				return sub.wrong("is not text in quotes")
			}
			if *p == nil {
				*p = map[string]string{}
			}
			(*p)[sub.key] = sub.value.text
		}
		return nil
	}
}

// one stores a table that stands once.
func one(keys schema) setter {
	return func(e *entry) error {
		if e.value.kind != unstable.Table {
			return faultf(e.at, codeValue, "%q is a table: write [%s]", e.key, e.key)
		}
		return e.value.table.fill("["+e.key+"]", keys)
	}
}

// many stores tables that stand any number of times; keys makes the schema of
// a new one and says how one writes it, done checks it.
func many(keys func(t *table) (where string, keys schema), done func(t *table) error) setter {
	return func(e *entry) error {
		if !e.value.isTables() {
			return faultf(e.at, codeValue, "%q may stand more than once: write [[%s]]", e.key, e.key)
		}
		for _, item := range e.value.items {
			if item.kind != unstable.Table {
				return item.in(e).wrong("is not a table")
			}
			where, keys := keys(item.table)
			if err := item.table.fill(where, keys); err != nil {
				return err
			}
			if err := done(item.table); err != nil {
				return err
			}
		}
		return nil
	}
}
