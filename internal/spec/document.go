package spec

import (
	"bytes"
	"errors"
	"strings"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"
)

// A table is a TOML table with the place of every key, which the library's
// decoder keeps to itself.
type table struct {
	at      position
	entries []*entry
}

// An entry is a key of a table with its value.
type entry struct {
	key   string
	at    position
	value value
}

// A value is one of string, number, boolean, date (text), list or table.
type value struct {
	kind  unstable.Kind
	at    position
	text  string
	items []value
	table *table
}

func (t *table) find(key string) *entry {
	for _, e := range t.entries {
		if e.key == key {
			return e
		}
	}
	return nil
}

// last returns the table that a header below e adds to.
func (e *entry) last() *table {
	if e.value.kind == unstable.Array && len(e.value.items) > 0 {
		return e.value.items[len(e.value.items)-1].table
	}
	return e.value.table
}

// parseTables reads a TOML document.
func parseTables(data []byte) (*table, error) {
	// The library's own decoder knows all rules of TOML, such as which tables
	// may be opened twice; the tree is for the positions.
	var any map[string]any
	if err := toml.Unmarshal(data, &any); err != nil {
		return nil, syntaxFault(err)
	}
	return parseDocument(data)
}

func syntaxFault(err error) error {
	de, ok := errors.AsType[*toml.DecodeError](err)
	if !ok {
		return faultf(position{1, 1}, codeSyntax, "%v", err)
	}
	line, col := de.Position()
	return faultf(position{max(line, 1), max(col, 1)}, codeSyntax, "%s", trimLibrary(de.Error()))
}

// parseDocument makes the tree of a document that the library's decoder has
// accepted.
func parseDocument(data []byte) (*table, error) {
	d := &reader{data: data}
	d.parser.Reset(data)
	root := &table{at: position{1, 1}}
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
		return nil, faultf(position{1, 1}, codeSyntax, "%s", trimLibrary(err.Error()))
	}
	return root, nil
}

// A reader makes the tree.
type reader struct {
	data   []byte
	parser unstable.Parser
}

func (d *reader) position(offset uint32) position {
	before := d.data[:offset]
	return position{
		line: bytes.Count(before, []byte("\n")) + 1,
		col:  len(before) - bytes.LastIndexByte(before, '\n'),
	}
}

func twice(at position, key string) error {
	return faultf(at, codeSyntax, "%q is set twice", key)
}

// header opens the table that a [table] or [[table]] line names.
func (d *reader) header(root *table, n *unstable.Node) (*table, error) {
	t := root
	for it := n.Key(); it.Next(); {
		k := it.Node()
		e := d.child(t, k)
		if it.IsLast() && n.Kind == unstable.ArrayTable {
			e.value.kind = unstable.Array
			e.value.items = append(e.value.items, value{
				kind: unstable.Table, at: d.position(k.Raw.Offset), table: &table{at: d.position(k.Raw.Offset)},
			})
		}
		if t = e.last(); t == nil {
			return nil, twice(e.at, e.key)
		}
	}
	return t, nil
}

// child returns the entry of a key in t that holds a table, made where it is
// missing.
func (d *reader) child(t *table, key *unstable.Node) *entry {
	at := d.position(key.Raw.Offset)
	name := string(key.Data)
	if e := t.find(name); e != nil {
		return e
	}
	e := &entry{key: name, at: at, value: value{kind: unstable.Table, at: at, table: &table{at: at}}}
	t.entries = append(t.entries, e)
	return e
}

// keyValue adds a "key = value", whose key may be dotted, to t.
func (d *reader) keyValue(t *table, n *unstable.Node) error {
	for it := n.Key(); it.Next(); {
		k := it.Node()
		if !it.IsLast() {
			e := d.child(t, k)
			if t = e.last(); t == nil {
				return twice(e.at, e.key)
			}
			continue
		}
		at := d.position(k.Raw.Offset)
		if t.find(string(k.Data)) != nil {
			return twice(at, string(k.Data))
		}
		v, err := d.value(n.Value(), d.afterEquals(k.Raw))
		if err != nil {
			return err
		}
		t.entries = append(t.entries, &entry{key: string(k.Data), at: at, value: v})
	}
	return nil
}

// afterEquals is where the value of a key starts. Lists carry no range of
// their own in the library's tree.
func (d *reader) afterEquals(key unstable.Range) position {
	i := key.Offset + key.Length
	for int(i) < len(d.data) && strings.IndexByte(" \t=", d.data[i]) >= 0 {
		i++
	}
	return d.position(i)
}

// value converts a node that starts at the given place, which only lists
// need.
func (d *reader) value(n *unstable.Node, at position) (value, error) {
	v := value{kind: n.Kind, at: at, text: string(n.Data)}
	switch n.Kind {
	case unstable.Array:
		for it := n.Children(); it.Next(); {
			item, err := d.value(it.Node(), at)
			if err != nil {
				return v, err
			}
			v.items = append(v.items, item)
		}
	case unstable.InlineTable:
		v.kind, v.at = unstable.Table, d.position(n.Raw.Offset)
		v.table = &table{at: v.at}
		for it := n.Children(); it.Next(); {
			if err := d.keyValue(v.table, it.Node()); err != nil {
				return v, err
			}
		}
	default:
		v.at = d.position(n.Raw.Offset)
	}
	return v, nil
}

// trimLibrary takes the library's name off its messages.
func trimLibrary(text string) string { return strings.TrimPrefix(text, "toml: ") }
