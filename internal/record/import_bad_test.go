package record

import (
	"strings"
	"testing"
	"testing/fstest"
)

// What cannot be compared is an error that names the file and the line.
func TestImportBad(t *testing.T) {
	for text, want := range map[string]string{
		"BenchmarkA 1 +Inf widgets\n": "read r.txt: no benchmark result",
		"Unit widgets better=[pwned](http://evil.example)\nBenchmarkA 1 2 widgets\n": `read r.txt: line 1: "[pwned](http://evil.example)" is no direction of a metric`,
	} {
		_, err := Import(fstest.MapFS{"r.txt": {Data: []byte(text)}}, Files("r.txt"), Selection{})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}
