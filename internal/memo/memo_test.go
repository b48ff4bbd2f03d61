package memo

import (
	"errors"
	"testing"
)

func TestMap(t *testing.T) {
	var m Map[int]
	fail := errors.New("no")
	if _, err := m.Do("k", func() (int, error) { return 0, fail }); err != fail {
		t.Errorf("got %v", err)
	}
	for i := range 2 {
		if v, err := m.Do("k", func() (int, error) { return 7 + i, nil }); v != 7 || err != nil {
			t.Errorf("call %d: got %d, %v", i, v, err)
		}
	}
	m.Forget("k")
	if v, err := m.Do("k", func() (int, error) { return 9, nil }); v != 9 || err != nil {
		t.Errorf("after Forget: got %d, %v", v, err)
	}
}
