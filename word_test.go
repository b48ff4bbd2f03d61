package assay

import (
	"encoding/json"
	"strings"
	"testing"
)

// A word that is not of its closed list is refused when it is read.
func TestClosedWords(t *testing.T) {
	for _, c := range []struct {
		v        any
		good, no string
	}{
		{new(Verdict), `"same code"`, "verdict"}, {new(Status), `"wrong-output"`, "status of a trial"},
		{new(GateStatus), `"held"`, "status of a gate"}, {new(StopReason), `"nothing left"`, "reason to end a run"}, {new(Better), `"lower"`, "direction of a metric"},
		{new(Kind), `"go-test"`, "kind of workload"}, {new(Gear), `""`, "gear"}, {new(CauseKind), `"gc"`, "kind of cause"},
	} {
		if err := json.Unmarshal([]byte(c.good), c.v); err != nil {
			t.Errorf("%s: %v", c.good, err)
		}
		if err := json.Unmarshal([]byte(`"[faster](http://evil.example)"`), c.v); err == nil || !strings.Contains(err.Error(), "is no "+c.no) {
			t.Errorf("%T took a stranger's word: %v", c.v, err)
		}
	}
	var m map[Verdict]int
	if err := json.Unmarshal([]byte(`{"<img>": 1}`), &m); err == nil {
		t.Error("a key took a stranger's word")
	}
}
