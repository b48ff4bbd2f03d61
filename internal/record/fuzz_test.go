package record

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"testing"
	"testing/fstest"

	"github.com/seed-1318a441/assay"
)

// A plan of anybody's is read or refused, and what reads is fit for the checks that
// follow.
func FuzzPlan(f *testing.F) {
	data, _, err := sealFile(PlanFile, testPlan())
	if err != nil {
		f.Fatal(err)
	}
	f.Add(data)
	f.Add([]byte(`{"study":{"workloads":[{"kind":"service"}],"variants":[{"name":"a"},{"name":"a"}]},"benchmarks":[{"workload":-1}]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		ReadPlan(fstest.MapFS{PlanFile: {Data: data}})
		// Its digest stops what is changed; the checks behind it have to hold, too.
		p := new(assay.Plan)
		if json.Unmarshal(data, p) == nil && checkPlan(p) == nil {
			newChecker(p).add(testTrial(1))
		}
		var platform assay.Platform
		if json.Unmarshal(data, &platform) == nil {
			if _, err := json.Marshal(platform); err != nil {
				t.Error(err)
			}
		}
	})
}

// A packed file of anybody's is unpacked within its limit, or refused.
func FuzzPacked(f *testing.F) {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	z.Write([]byte("text"))
	z.Close()
	f.Add(b.Bytes())
	f.Add(b.Bytes()[:b.Len()-3])
	f.Fuzz(func(t *testing.T, data []byte) {
		text, err := readFile(fstest.MapFS{TrialsFile + packed: {Data: data}}, TrialsFile)
		if len(text) > maxUnpacked+1 {
			t.Errorf("%d bytes, %v", len(text), err)
		}
	})
}
