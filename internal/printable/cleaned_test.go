package printable

import (
	"reflect"
	"testing"
	"time"
)

func TestCleaned(t *testing.T) {
	type leaf struct {
		Text string
		N    float64
		own  string
	}
	type whole struct {
		List  []leaf
		Pair  [2]string
		Map   map[string][]string
		To    *leaf
		Time  time.Time
		Empty []string
		None  map[string]string
		Named kind
	}
	const bad, good = "a\x1b[31m\u202eb\n", "ab "
	at := time.Now()
	in := whole{List: []leaf{{bad, 1, bad}}, Pair: [2]string{"x", bad}, Map: map[string][]string{bad: {bad}}, To: &leaf{Text: bad}, Time: at, Named: bad}
	want := whole{List: []leaf{{good, 1, bad}}, Pair: [2]string{"x", good}, Map: map[string][]string{bad: {good}}, To: &leaf{Text: good}, Time: at, Named: good}
	if got := Cleaned(in); !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
	if in.List[0].Text != bad || in.To.Text != bad || in.Map[bad][0] != bad {
		t.Errorf("the value itself has changed: %+v", in)
	}
	if got := Cleaned((*whole)(nil)); got != nil {
		t.Errorf("got %v of nil", got)
	}
}

type kind string
