package terminal

import (
	"bytes"
	"os"
	"testing"
)

func env(m map[string]string) func(string) string { return func(k string) string { return m[k] } }

func TestStyleFor(t *testing.T) {
	for _, c := range []struct {
		name  string
		env   map[string]string
		color string
		want  Style
	}{
		{"nothing known", nil, "auto", Style{Width: 80, ASCII: true, Hyphen: true}},
		{"utf-8", map[string]string{"LANG": "C.UTF-8"}, "", Style{Width: 80, Hyphen: true}},
		{"the first decides", map[string]string{"LC_ALL": "C", "LANG": "C.UTF-8"}, "", Style{Width: 80, ASCII: true, Hyphen: true}},
		{"other spelling", map[string]string{"LC_CTYPE": "de_DE.utf8"}, "", Style{Width: 80, Hyphen: true}},
		{"ci", map[string]string{"CI": "true"}, "", Style{Width: 120, ASCII: true, Hyphen: true}},
		{"columns win", map[string]string{"CI": "true", "COLUMNS": "100"}, "", Style{Width: 100, ASCII: true, Hyphen: true}},
		{"tiny", map[string]string{"COLUMNS": "3"}, "", Style{Width: 40, ASCII: true, Hyphen: true}},
		{"nonsense", map[string]string{"COLUMNS": "wide"}, "", Style{Width: 80, ASCII: true, Hyphen: true}},
		{"always", map[string]string{"NO_COLOR": "1"}, "always", Style{Width: 80, ASCII: true, Color: true, Hyphen: true}},
		{"never", nil, "never", Style{Width: 80, ASCII: true, Hyphen: true}},
	} {
		if got := StyleFor(&bytes.Buffer{}, env(c.env), c.color); got != c.want {
			t.Errorf("%s: got %+v, want %+v", c.name, got, c.want)
		}
	}
}

// A file is no terminal, although it has a descriptor.
func TestStyleForFile(t *testing.T) {
	f, err := os.CreateTemp(t.TempDir(), "out")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	want := Style{Width: 80, Hyphen: true}
	if got := StyleFor(f, env(map[string]string{"LANG": "en_US.UTF-8"}), "auto"); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

func TestPickColor(t *testing.T) {
	for _, c := range []struct {
		terminal bool
		env      map[string]string
		color    string
		want     bool
	}{
		{true, nil, "auto", true},
		{true, nil, "", true},
		{true, map[string]string{"NO_COLOR": "1"}, "auto", false},
		{true, map[string]string{"NO_COLOR": ""}, "auto", true}, // no-color.org: not when empty
		{true, map[string]string{"TERM": "dumb"}, "auto", false},
		{true, nil, "never", false},
		{false, nil, "auto", false},
		{false, nil, "always", true},
	} {
		if got := pickColor(c.terminal, env(c.env), c.color); got != c.want {
			t.Errorf("pickColor(%t, %v, %q) = %t, want %t", c.terminal, c.env, c.color, got, c.want)
		}
	}
}
