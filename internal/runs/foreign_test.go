package runs

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/record"
)

// A stranger's result is read whole, with a warning that nothing was checked, or refused
// with what is wrong with it.
func TestReadStrict(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	encoded := func(r assay.Result) []byte {
		data, err := record.EncodeResult(&r)
		if err != nil {
			t.Fatal(err)
		}
		return data
	}
	variants := []assay.VariantResult{{Name: "old"}}
	good := encoded(assay.Result{Schema: assay.ResultSchema, Study: "codec", Variants: variants})
	r, err := ReadStrict("result.json", good)
	if err != nil || r.Study != "codec" || len(r.Warnings) != 1 || r.Warnings[0].Code != assay.CodeUnchecked {
		t.Errorf("got %+v, %v, want a result that was not checked", r, err)
	}
	text, _, _ := bytes.Cut(good, []byte(",\n  \"digest\""))
	text = append(bytes.Clone(text), ",\n  \"surprise\": 1"...)
	strange := fmt.Appendf(nil, "%s,\n  \"digest\": \"%x\"\n}\n", text, sha256.Sum256(text))
	for _, x := range []struct {
		what string
		data []byte
		code assay.Code
		want string
	}{
		{"no JSON", []byte("<html>"), assay.CodeBadResult, "it is no JSON"},
		{"one that was edited", bytes.Replace(good, []byte("codec"), []byte("coder"), 1), assay.CodeBadRecord, "has changed since assay wrote it"},
		{"one that was cut", good[:len(good)/2], assay.CodeBadResult, "it is no JSON"},
		{"other JSON", []byte("{}\n"), assay.CodeBadRecord, "does not end with its digest"},
		{"a key that nobody knows", strange, assay.CodeBadResult, `unknown field "surprise"`},
		{"a newer one", encoded(assay.Result{Schema: assay.ResultSchema + 1, Variants: variants}), assay.CodeBadRecord, "newer assay"},
		{"an older one", encoded(assay.Result{Variants: variants}), assay.CodeBadResult, "schema 0"},
		{"no variants", encoded(assay.Result{Schema: assay.ResultSchema}), assay.CodeBadResult, "it has no variants"},
		{"too many objects", []byte("[" + strings.Repeat("{},", MaxObjects) + "{}]"), assay.CodeBadResult, "more than 50000"},
	} {
		_, err := ReadStrict("result.json", x.data)
		if e, ok := errors.AsType[*assay.Error](err); !ok || e.Code != x.code || !strings.Contains(e.Error(), x.want) {
			t.Errorf("%s: got %v, want [%s] with %q", x.what, err, x.code, x.want)
		}
	}
}

// A file of the most bytes is read, one more is too many.
func TestReadAtMost(t *testing.T) {
	name := filepath.Join(t.TempDir(), "x")
	if err := os.WriteFile(name, make([]byte, 1000), 0o666); err != nil {
		t.Fatal(err)
	}
	if data, err := ReadAtMost(name, 1000); err != nil || len(data) != 1000 {
		t.Errorf("got %d bytes, %v, want 1000", len(data), err)
	}
	if data, err := ReadAtMost(name, 999); err == nil || data != nil {
		t.Errorf("got %d bytes, %v, want an error", len(data), err)
	}
	if _, err := ReadForeign(filepath.Join(t.TempDir(), "none")); err == nil {
		t.Error("a file that does not exist was read")
	} else if e, ok := errors.AsType[*assay.Error](err); !ok || e.Code != assay.CodeBadResult {
		t.Errorf("got %v, want [%s]", err, assay.CodeBadResult)
	}
}
