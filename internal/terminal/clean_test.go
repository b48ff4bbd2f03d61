package terminal

import (
	"slices"
	"testing"
	"unicode"

	"github.com/charmbracelet/x/ansi"

	"github.com/seed-1318a441/assay/internal/printable"
)

func TestClean(t *testing.T) {
	for in, want := range map[string]string{
		"Decode/large":               "Decode/large",
		"a\x1b[31mred\x1b[0m":        "ared",
		"\x1b]0;title\x07x":          "x",
		"\x1b]8;;http://x\x1b\\link": "link",
		"two\nlines\tand\rtab":       "two lines and tab",
		"x\x00y\x7fz":                "xyz",
		"c1 \u009b31m":               "c1 31m",
		"\u202eevil\u202c":           "evil",
		"zero\u200bwidth\ufeff":      "zerowidth",
		"größe 漢字":                   "größe 漢字",
	} {
		if got := printable.Clean(in); got != want {
			t.Errorf("printable.Clean(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestStyleText(t *testing.T) {
	for _, c := range []struct {
		in   string
		s    Style
		want string
	}{
		{"−5.4 % ±0.2 · 3 × 4 … ▼ ≡", Style{ASCII: true}, "-5.4 % +-0.2 | 3 x 4 ... - =="},
		{"größe=漢", Style{ASCII: true}, `gr\u00f6\u00dfe=\u6f22`},
		{"−5.4 % ±0.2", Style{Hyphen: true}, "-5.4 % ±0.2"},
		{"−5.4 % ±0.2", Style{}, "−5.4 % ±0.2"},
	} {
		if got := c.s.Text(c.in); got != c.want {
			t.Errorf("%+v.Text(%q) = %q, want %q", c.s, c.in, got, c.want)
		}
	}
}

func FuzzClean(f *testing.F) {
	f.Add("Esc\x1b[31m/red\u009b\u202e漢字\xff")
	f.Add(":::")
	f.Fuzz(func(t *testing.T, in string) {
		got := Style{}.Text(in)
		for _, r := range got {
			if unicode.IsControl(r) || unicode.Is(unicode.Cf, r) {
				t.Errorf("%q keeps %q", in, r)
			}
		}
		if again := printable.Clean(got); again != got {
			t.Errorf("cleaning %q twice gives %q, then %q", in, got, again)
		}
		if a := (Style{ASCII: true}).Text(in); !printable.IsASCII(a) {
			t.Errorf("%q is not ASCII: %q", in, a)
		}
		for _, width := range []int{3, 10, 24} {
			if n := ansi.StringWidth(Style{}.Middle(got, width)); n > width {
				t.Errorf("middle(%q, %d) is %d cells wide", got, width, n)
			}
		}
	})
}

func TestMiddle(t *testing.T) {
	for _, c := range []struct {
		in    string
		width int
		s     Style
		want  string
	}{
		{"Unmarshal/format=toml/size=large", 32, Style{}, "Unmarshal/format=toml/size=large"},
		{"Unmarshal/format=toml/size=large", 15, Style{}, "Unmarsh…e=large"},
		{"Unmarshal/format=toml/size=large", 15, Style{ASCII: true}, "Unmars...=large"},
		{"漢字漢字漢字", 7, Style{}, "漢…字"},
		{"abcdef", 2, Style{}, "ab"},
	} {
		if got := c.s.Middle(c.in, c.width); got != c.want {
			t.Errorf("middle(%q, %d) = %q, want %q", c.in, c.width, got, c.want)
		}
	}
}

// Elements keeps the beginning of every element, if there is room for it.
func TestElements(t *testing.T) {
	for _, c := range []struct {
		in    string
		width int
		s     Style
		want  string
	}{
		{"Unmarshal/SimpleDocument/struct", 15, Style{}, "Unm…/Sim…/str…"},
		{"Unmarshal/ReferenceFile/map", 15, Style{}, "Unma…/Refe…/map"},
		{"Unmarshal/map", 15, Style{}, "Unmarshal/map"},
		{"Unmarshal", 5, Style{}, "Un…al"},
		{"a/b/c/d/eeeeeeeeee", 10, Style{}, "a/b/c…eeee"},
		{"Unmarshal/SimpleDocument/struct", 17, Style{ASCII: true}, "Un.../Si.../st..."},
		{"Unmarshal/SimpleDocument/struct", 15, Style{ASCII: true}, "Unmars...struct"},
	} {
		if got := c.s.Elements(c.in, c.width); got != c.want || Width(got) > c.width {
			t.Errorf("Elements(%q, %d) = %q, want %q", c.in, c.width, got, c.want)
		}
	}
}

// A command stays on one line, alone and within a text.
func TestCommand(t *testing.T) {
	line := `assay compare HEAD~1 'pgo: . -pgo=cpu.pprof' "a b" -- -bench=.`
	w := NewWriter(Style{Width: 40}, LabelWidth)
	w.Command("again", line)
	if got, want := w.String(), "again   "+line+"\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	for text, want := range map[string][]string{
		"4 more metrics (assay show 7k2m --all)":              {"4 more metrics", "(assay show 7k2m --all)"},
		"… 4 more (assay show 7k2m --all); 2 same (2 exact)":  {"… 4 more", "(assay show 7k2m --all);", "2 same (2 exact)"},
		"(assay show a/b/c/d/e/f --all), (assay explain a b)": {"(assay show a/b/c/d/e/f --all)", ", (assay explain a b)"},
		"\ue000 (assay show 7k2m --all)":                      {"\ue000 (assay show 7k2m", "--all)"},
	} {
		if got := Wrap(text, 24); !slices.Equal(got, want) {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}
