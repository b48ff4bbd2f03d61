package assay

import (
	"encoding/json"
	"strings"
	"testing"
)

// What a study asks reads back as it was written, and what is wrong says what to write.
func TestParseAsk(t *testing.T) {
	for text, want := range map[string]Ask{
		"variant":                        "variant",
		"factor":                         "factor",
		"factor:gc":                      AskOf(AskFactor, "gc"),
		"arc":                            "arc",
		"same":                           "same",
		"trade-off:time, peak-RSS-bytes": AskOf(AskTradeoff, MetricTime, MetricRSS),
	} {
		got, err := ParseAsk(text)
		if err != nil || got != want {
			t.Errorf("%q: got %q, %v, want %q", text, got, err, want)
		}
		data, err := json.Marshal(Study{Asks: got})
		var back Study
		if err == nil {
			err = json.Unmarshal(data, &back)
		}
		if err != nil || back.Asks != want {
			t.Errorf("%q: got %q, %v back from JSON", text, back.Asks, err)
		}
	}
	for text, want := range map[string]string{
		"":                    "write one of variant, factor:NAME",
		"winner":              "write one of variant, factor:NAME",
		"same:code":           "write one of",
		"factor:":             `write "factor:NAME"`,
		"trade-off":           `"trade-off:time,peak-RSS-bytes"`,
		"trade-off:time":      "two metrics",
		"trade-off:time,":     "two metrics",
		"trade-off:time,time": "two metrics",
		"trade-off:a,b,c":     "two metrics",
	} {
		if _, err := ParseAsk(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: got %v, want %q in it", text, err, want)
		}
	}
	if data, err := json.Marshal(Study{}); err != nil || strings.Contains(string(data), "asks") {
		t.Errorf("a study without asks has the same bytes as before: got %s, %v", data, err)
	}
}
