package spec

import (
	"reflect"
	"strings"
	"testing"

	"github.com/seed-1318a441/assay"
)

const askedFactors = `
[[factor]]
name   = "gc"
levels = [{ name = "on" }, { name = "off", experiment = ["nogreenteagc"] }]

[[factor]]
name   = "GOGC"
levels = [50, 100]
`

// A study says what it asks, and keeps it when it is written again.
func TestParseAsks(t *testing.T) {
	for text, want := range map[string]assay.Ask{
		`asks = "factor:gc"` + askedFactors:                        "factor:gc",
		`asks = "factor"` + askedFactors:                           "factor",
		`asks = "same"` + askedFactors:                             "same",
		`asks = "trade-off:time,peak-RSS-bytes"` + askedFactors:    "trade-off:sec/op,peak-RSS-bytes",
		`asks = "variant"` + "\n[[variant]]\nname = \"a\"\n":       "variant",
		"[[variant]]\nname = \"a\"\n[decide]\nmetric = \"time\"\n": "",
	} {
		s, err := Parse("study.toml", []byte(text))
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		if s.Asks != want {
			t.Errorf("%s: got %q, want %q", text, s.Asks, want)
		}
		if want.Kind() == assay.AskTradeoff && !reflect.DeepEqual(s.Decide.Tradeoff, want.Metrics()) {
			t.Errorf("%s: got the trade-off %q", text, s.Decide.Tradeoff)
		}
		roundTrip(t, s)
	}
}

func TestParseAsksErrors(t *testing.T) {
	const listed = "[[variant]]\nname = \"a\"\n"
	for text, want := range map[string]string{
		`asks = "varaint"` + "\n" + listed:                `did you mean "variant"?`,
		`asks = "factors:gc"` + "\n" + listed:             `did you mean "factor:gc"?`,
		`asks = "who"` + "\n" + listed:                    "write one of variant, factor:NAME",
		`asks = 1` + "\n" + listed:                        "write one of variant",
		`asks = "factor:gc"` + "\n" + listed:              `study.toml:1:8: asks = "factor:gc" needs a [[factor]]; of listed variants ask "variant"`,
		`asks = "factor:slices"` + askedFactors:           `write "factor:gc" or "factor:GOGC"`,
		`asks = "arc"` + "\n" + listed:                    `needs [steps]`,
		`asks = "trade-off:time,gc.mark"` + "\n" + listed: `names "gc.mark", which is not collected`,
		`asks = "trade-off:time,B/op"` + "\n" + listed + "[decide]\ntradeoff = [\"time\", \"peak-RSS-bytes\"]\n": "omit one of the two",
		listed + "[decide]\nasks = \"arc\"\n": "it belongs at the top of the file",
	} {
		if _, err := Parse("study.toml", []byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s\ngot  %v\nwant %s", text, err, want)
		}
	}
}
