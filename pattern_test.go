package assay

import (
	"strings"
	"testing"
)

func TestParsePattern(t *testing.T) {
	for text, want := range map[string]Pattern{
		`ops/s=/([0-9.]+) ops/`:      {"ops/s", "([0-9.]+) ops", BetterHigher},
		`ops/s=/([0-9.]+) ops\/s/`:   {"ops/s", `([0-9.]+) ops\/s`, BetterHigher},
		`errors/s=/(\d+) err/lower`:  {"errors/s", `(\d+) err`, BetterLower},
		`score=/score: (\d+)/higher`: {"score", `score: (\d+)`, BetterHigher},
		`score=/a=/b (\d+)/`:         {"score", `a=/b (\d+)`, BetterUnknown},
		`latency.p99=/p99 (\S+)/`:    {"latency.p99", `p99 (\S+)`, BetterLower},
	} {
		if got, err := ParsePattern(text); err != nil || got != want {
			t.Errorf("%s: got %+v, %v, want %+v", text, got, err, want)
		}
	}
}

func TestParsePatternErrors(t *testing.T) {
	for text, want := range map[string]string{
		"ops/s":               "is not a metric and an expression",
		"ops/s=(.*)":          "is not a metric and an expression",
		"ops/s=/(.*)":         "is not a metric and an expression",
		"ops/s=/.*/":          "has no (group)",
		"ops/s=/(.*/":         "missing closing )",
		"ops/s=/(.*)/i":       `ends in "i"`,
		"=/(.*)/":             "has a name with blanks",
		"a b=/(.*)/":          "has a name with blanks",
		"sec/op=/(.*)/":       "names sec/op, which assay measures itself",
		"gc.mark=/(.*)/":      "names gc.mark, which assay measures itself",
		"mean-RSS-bytes=/()/": "which assay measures itself",
	} {
		if _, err := ParsePattern(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %s", text, err, want)
		}
	}
}

// What a study is about are the metrics that its workloads name.
func TestOwnMetricsDecide(t *testing.T) {
	own := Workload{Kind: KindCommand, Metrics: []string{"ops/s=/(.)/", "x=/(.)/lower"}}
	for _, test := range []struct {
		workloads []Workload
		want      string
	}{
		{[]Workload{own}, "ops/s x"},
		{[]Workload{own, {Kind: KindCommand, Metrics: []string{"x=/(.)/", "y=/(.)/"}}}, "ops/s x y"},
		{[]Workload{own, {Kind: KindCommand}}, "sec/op"},
		{[]Workload{{Kind: KindService, Service: &Service{Metrics: own.Metrics}}}, "ops/s x"},
	} {
		s := Study{Workloads: test.workloads}
		s.SetDefaults()
		if got := strings.Join(s.Decide.Metrics, " "); got != test.want {
			t.Errorf("got %s, want %s", got, test.want)
		}
	}
	if own.Better("x") != BetterLower || own.Better("ops/s") != BetterHigher || own.Better(MetricTime) != BetterLower {
		t.Error("the directions are not those of the patterns")
	}
}
