package report

import (
	"reflect"
	"testing"
)

// A name of anybody's stays text in a page: it opens no tag and ends no script.
func FuzzHTML(f *testing.F) {
	f.Add(payload)
	f.Add("<!--<script>")
	f.Add("]]></SCRIPT >")
	f.Fuzz(func(t *testing.T, text string) {
		r := ownFixture(t, "two")
		for _, aim := range []leaf{".Study", ".Variants[].Name", ".Tables[].Rows[].Benchmark.Name", ".Warnings[].Text"} {
			if !plant(reflect.ValueOf(r).Elem(), "", aim, text) {
				t.Fatalf("there is no place %s", aim)
			}
		}
		checkOutputs(t, "fuzzed", r, "html")
	})
}
