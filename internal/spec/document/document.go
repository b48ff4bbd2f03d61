// Package document reads a TOML document into tables whose keys and values have places
// (Parse), stores and formats the values of keys (Field, Schema), and writes tables
// (Writer). Every fault has a place and says what is wrong with the value. It knows
// nothing of studies.
package document

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"

	"github.com/seed-1318a441/assay"
)

// A Table is a TOML table with the place of every key, which the library's decoder hides.
type Table struct {
	At      Position
	Entries []*Entry
}

// An Entry is a key of a table with its value.
type Entry struct {
	Key   string
	At    Position
	Value Value
}

// A Value is one of string, number, boolean, date (text), list or table.
type Value struct {
	Kind  unstable.Kind
	At    Position
	Text  string
	Items []Value
	Table *Table
}

// Find returns the entry of the first of these keys that the table has, or nil.
func (t *Table) Find(keys ...string) *Entry {
	for _, key := range keys {
		if i := slices.IndexFunc(t.Entries, func(e *Entry) bool { return e.Key == key }); i >= 0 {
			return t.Entries[i]
		}
	}
	return nil
}

// last returns the table that a header below e adds to.
func (e *Entry) last() *Table {
	if e.Value.Kind == unstable.Array && len(e.Value.Items) > 0 {
		return e.Value.Items[len(e.Value.Items)-1].Table
	}
	return e.Value.Table
}

// Parse reads a TOML document. The error is a *Fault.
func Parse(data []byte) (*Table, error) {
	// The library's decoder knows all rules of TOML, such as which tables can be opened
	// twice. The tree below only adds the positions.
	var any map[string]any
	if err := toml.Unmarshal(data, &any); err != nil {
		return nil, syntaxFault(err)
	}
	return parseDocument(data)
}

func syntaxFault(err error) error {
	de, ok := errors.AsType[*toml.DecodeError](err)
	if !ok {
		return Faultf(Position{1, 1}, assay.CodeStudySyntax, "%v", err)
	}
	line, col := de.Position()
	return Faultf(Position{max(line, 1), max(col, 1)}, assay.CodeStudySyntax, "%s", trimLibrary(de.Error()))
}

// parseDocument makes the tree of a document that the library's decoder accepted.
func parseDocument(data []byte) (*Table, error) {
	d := &reader{data: data}
	d.parser.Reset(data)
	root := &Table{At: Position{1, 1}}
	current := root
	for d.parser.NextExpression() {
		e := d.parser.Expression()
		var err error
		switch e.Kind {
		case unstable.Table, unstable.ArrayTable:
			current, err = d.header(root, e)
		case unstable.KeyValue:
			err = d.keyValue(current, e)
		}
		if err != nil {
			return nil, err
		}
	}
	if err := d.parser.Error(); err != nil {
		return nil, Faultf(Position{1, 1}, assay.CodeStudySyntax, "%s", trimLibrary(err.Error()))
	}
	return root, nil
}

// A reader makes the tree.
type reader struct {
	data   []byte
	parser unstable.Parser
}

func (d *reader) position(offset uint32) Position {
	before := d.data[:offset]
	return Position{
		Line: bytes.Count(before, []byte("\n")) + 1,
		Col:  len(before) - bytes.LastIndexByte(before, '\n'),
	}
}

func twice(at Position, key string) error {
	return Faultf(at, assay.CodeStudySyntax, "%q is set twice", key)
}

// header opens the table that a [table] or [[table]] line names.
func (d *reader) header(root *Table, n *unstable.Node) (*Table, error) {
	t := root
	for it := n.Key(); it.Next(); {
		k := it.Node()
		e := d.child(t, k)
		if it.IsLast() && n.Kind == unstable.ArrayTable {
			e.Value.Kind = unstable.Array
			e.Value.Items = append(e.Value.Items, Value{
				Kind: unstable.Table, At: d.position(k.Raw.Offset), Table: &Table{At: d.position(k.Raw.Offset)},
			})
		}
		if t = e.last(); t == nil {
			return nil, twice(e.At, e.Key)
		}
	}
	return t, nil
}

// child returns the entry of a key in t that holds a table, a new one if it is missing.
func (d *reader) child(t *Table, key *unstable.Node) *Entry {
	at := d.position(key.Raw.Offset)
	name := string(key.Data)
	if e := t.Find(name); e != nil {
		return e
	}
	e := &Entry{Key: name, At: at, Value: Value{Kind: unstable.Table, At: at, Table: &Table{At: at}}}
	t.Entries = append(t.Entries, e)
	return e
}

// keyValue adds a "key = value", whose key may be dotted, to t.
func (d *reader) keyValue(t *Table, n *unstable.Node) error {
	for it := n.Key(); it.Next(); {
		k := it.Node()
		if !it.IsLast() {
			e := d.child(t, k)
			if t = e.last(); t == nil {
				return twice(e.At, e.Key)
			}
			continue
		}
		at := d.position(k.Raw.Offset)
		if t.Find(string(k.Data)) != nil {
			return twice(at, string(k.Data))
		}
		v, err := d.value(n.Value(), d.afterEquals(k.Raw))
		if err != nil {
			return err
		}
		t.Entries = append(t.Entries, &Entry{Key: string(k.Data), At: at, Value: v})
	}
	return nil
}

// afterEquals returns where the value of a key starts. The library gives lists no range.
func (d *reader) afterEquals(key unstable.Range) Position {
	i := key.Offset + key.Length
	for int(i) < len(d.data) && strings.IndexByte(" \t=", d.data[i]) >= 0 {
		i++
	}
	return d.position(i)
}

// value converts a node that starts at the given place; only lists need the place.
func (d *reader) value(n *unstable.Node, at Position) (Value, error) {
	v := Value{Kind: n.Kind, At: at, Text: string(n.Data)}
	switch n.Kind {
	case unstable.Array:
		for it := n.Children(); it.Next(); {
			item, err := d.value(it.Node(), at)
			if err != nil {
				return v, err
			}
			v.Items = append(v.Items, item)
		}
	case unstable.InlineTable:
		v.Kind, v.At = unstable.Table, d.position(n.Raw.Offset)
		v.Table = &Table{At: v.At}
		for it := n.Children(); it.Next(); {
			if err := d.keyValue(v.Table, it.Node()); err != nil {
				return v, err
			}
		}
	default:
		v.At = d.position(n.Raw.Offset)
	}
	return v, nil
}

// trimLibrary removes the library's name from its messages.
func trimLibrary(text string) string { return strings.TrimPrefix(text, "toml: ") }

// A Position counts lines and bytes in a line from 1.
type Position struct{ Line, Col int }

// A Fault is an error at a place of a study file.
type Fault struct {
	At      Position
	Code    assay.Code
	Text    string
	Instead string // what to write instead, where that is a line of its own
	// Unknown is set if the table lacks the key. The caller may know which has it.
	Unknown *UnknownKey
}

// An UnknownKey is a key that a table does not have.
type UnknownKey struct {
	Entry *Entry
	// Where is that of Table.Fill, Keys what the table has.
	Where string
	Keys  Schema
}

// Error returns the text without the place.
func (f *Fault) Error() string { return f.Text }

// Faultf returns a Fault.
func Faultf(at Position, code assay.Code, format string, args ...any) error {
	return &Fault{At: at, Code: code, Text: fmt.Sprintf(format, args...)}
}
