package page

import (
	"bytes"
	"encoding"
	"encoding/json"
	"errors"
	"html"
	"reflect"
	"strings"

	"github.com/seed-1318a441/assay/internal/sheet"
)

// lenientJSON is v as JSON, with null for the numbers that JSON has no form for.
// A record has none; a result that was made otherwise may.
func lenientJSON(v any) ([]byte, error) {
	text, err := marshal(v)
	if _, bad := errors.AsType[*json.UnsupportedValueError](err); bad {
		return marshal(finite(reflect.ValueOf(v)))
	}
	return text, err
}

// marshal is json.Marshal without the escapes for HTML, which base64 needs not.
func marshal(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(v)
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), err
}

// finite turns a value into maps, slices and plain values that encode as it
// would, with nil for NaN and infinities.
func finite(v reflect.Value) any {
	switch v.Kind() {
	case reflect.Invalid:
		return nil
	case reflect.Float64, reflect.Float32:
		if sheet.NotFinite(v.Float()) {
			return nil
		}
	case reflect.Pointer, reflect.Interface:
		return finite(v.Elem())
	case reflect.Slice, reflect.Array:
		out := make([]any, v.Len())
		for i := range out {
			out[i] = finite(v.Index(i))
		}
		return out
	case reflect.Map:
		out := map[string]any{}
		for _, k := range v.MapKeys() {
			out[k.String()] = finite(v.MapIndex(k))
		}
		return out
	case reflect.Struct:
		return finiteStruct(v)
	}
	return v.Interface()
}

func finiteStruct(v reflect.Value) any {
	switch x := v.Interface().(type) {
	case json.Marshaler:
		if _, err := x.MarshalJSON(); err != nil {
			return nil
		}
		return x
	case encoding.TextMarshaler:
		return x
	}
	out := map[string]any{}
	for _, f := range reflect.VisibleFields(v.Type()) {
		name, opts, _ := strings.Cut(f.Tag.Get("json"), ",")
		x, err := v.FieldByIndexErr(f.Index)
		if err != nil || name == "" || name == "-" || opts != "" && isEmpty(x) {
			continue
		}
		out[name] = finite(x)
	}
	return out
}

func isEmpty(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Slice, reflect.Map:
		return v.Len() == 0
	}
	return v.IsZero()
}

func escape(text string) string { return html.EscapeString(text) }
