package sheet

import (
	"bytes"
	"encoding/json"
	"math"
	"strings"
	"testing"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/record"
)

// The JSON of one machine is a result file: it has its digest, is read again as what it
// was, and keeps characters that move a cursor as escapes.
func TestJSONOfOneMachine(t *testing.T) {
	r := &assay.Result{Schema: assay.ResultSchema, Run: "7k2m", Study: "a\u202eb\u009bc", Base: "old", Variants: []assay.VariantResult{{Name: "old"}}}
	var b bytes.Buffer
	if err := WriteJSON(&b, r); err != nil {
		t.Fatal(err)
	}
	back, err := record.DecodeResult("result.json", b.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	if back.Study != r.Study || back.Run != r.Run || len(back.Variants) != 1 {
		t.Errorf("got %+v, want what was written", back)
	}
	if text := b.String(); !strings.Contains(text, `a\u202eb\u009bc`) || !strings.HasSuffix(text, "\n}\n") {
		t.Errorf("got %q, want escapes in it and a line break at its end", text)
	}
	edited := bytes.Replace(b.Bytes(), []byte("7k2m"), []byte("7k2n"), 1)
	if _, err := record.DecodeResult("result.json", edited); err == nil {
		t.Error("an edited file was read: it has no digest")
	}
}

// The JSON of several machines says where a value is missing, and the same result gives the
// same bytes.
func TestJSONOfSeveralMachines(t *testing.T) {
	m := &assay.Merged{Schema: assay.ResultSchema, Study: "s\u2066", Machines: []assay.Machine{{Name: "a"}, {Name: "b"}},
		Across: []assay.Across{{Benchmark: assay.Benchmark{Name: "X"}, Metric: assay.MetricTime, Values: []assay.Value{{X: 2.5, OK: true}, {}}}}}
	var one, two bytes.Buffer
	if err := WriteJSON(&one, m); err != nil {
		t.Fatal(err)
	}
	if err := WriteJSON(&two, m); err != nil || one.String() != two.String() {
		t.Errorf("a second time: %v and other bytes", err)
	}
	var is struct {
		Study  string
		Across []struct{ Values []*float64 }
	}
	if err := json.Unmarshal(one.Bytes(), &is); err != nil {
		t.Fatal(err)
	}
	if v := is.Across[0].Values; len(v) != 2 || v[0] == nil || *v[0] != 2.5 || v[1] != nil {
		t.Errorf("got values %v, want 2.5 and null", v)
	}
	if text := one.String(); is.Study != m.Study || !strings.Contains(text, `"s\u2066"`) || !strings.HasSuffix(text, "\n}\n") {
		t.Errorf("got %q, want an escape in it and a line break at its end", text)
	}
}

// A number that has no JSON is an error, and nothing is written.
func TestJSONWithoutNumber(t *testing.T) {
	var b bytes.Buffer
	if err := WriteJSON(&b, &assay.Result{Noise: assay.Noise{Floor: assay.Change(math.NaN())}}); err == nil || b.Len() > 0 {
		t.Errorf("got %v and %d bytes, want an error and none", err, b.Len())
	}
}
