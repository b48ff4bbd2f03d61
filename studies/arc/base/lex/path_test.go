package lex_test

import (
	"slices"
	"testing"

	"example.com/arc/lex"
)

func TestQueuePath(t *testing.T) {
	path := lex.QueuePath("ingest", "acme")
	if want := []string{"ingest", "acme"}; !slices.Equal(path, want) {
		t.Errorf("got %q, want %q", path, want)
	}
	path[0] = "changed"
	if got := lex.QueuePath("ingest", "acme")[0]; got != "ingest" {
		t.Errorf("a path that was changed shows in the next: %q", got)
	}
}

func TestPath(t *testing.T) {
	for _, test := range []struct {
		path []string
		want string
	}{
		{nil, ""},
		{[]string{""}, "/"},
		{[]string{"", ""}, "//"},
		{[]string{"ingest"}, "/ingest"},
		{[]string{"ingest", "acme corp"}, "/ingest/acme corp"},
		{[]string{"a/b", "100%"}, "/a%2Fb/100%25"},
		{[]string{"\x00\x1f\x7f", "größe"}, "/%00%1F%7F/größe"},
		{[]string{"%", "/", "%2F"}, "/%25/%2F/%252F"},
		{[]string{"\xff"}, "/\xff"},
	} {
		got := lex.JoinPath(test.path)
		if got != test.want {
			t.Errorf("%q: got %q, want %q", test.path, got, test.want)
		}
		back, err := lex.SplitPath(got)
		if err != nil || !slices.Equal(back, test.path) {
			t.Errorf("%q: got %q and %v, want %q", got, back, err, test.path)
		}
	}
}

func TestSplitPathLowerCase(t *testing.T) {
	got, err := lex.SplitPath("/a%2fb%41")
	if want := []string{"a/bA"}; err != nil || !slices.Equal(got, want) {
		t.Errorf("got %q and %v, want %q", got, err, want)
	}
}

func TestSplitPathErrors(t *testing.T) {
	for s, want := range map[string]string{
		"ingest":    `path "ingest": no slash at its beginning`,
		"/a%":       `path "/a%": "%" is cut off`,
		"/a%2/b":    `path "/a%2/b": "%2" is cut off`,
		"/x/%zz":    `path "/x/%zz": "%zz" is not hexadecimal`,
		"/x/%-1/%q": `path "/x/%-1/%q": "%-1" is not hexadecimal`,
		"/a%_1":     `path "/a%_1": "%_1" is not hexadecimal`,
	} {
		path, err := lex.SplitPath(s)
		if err == nil || err.Error() != want {
			t.Errorf("%q: got %v, want %s", s, err, want)
		}
		if path != nil {
			t.Errorf("%q: got path %q, want none", s, path)
		}
	}
}

func FuzzSplitPath(f *testing.F) {
	for _, s := range []string{"", "/", "/a/b", "/%2F%25", "a", "/%"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		path, err := lex.SplitPath(s)
		if err != nil {
			return
		}
		again, err := lex.SplitPath(lex.JoinPath(path))
		if err != nil || !slices.Equal(again, path) {
			t.Errorf("%q: got %q and %v, want %q", s, again, err, path)
		}
	})
}
