package markdown

import (
	"slices"
	"strings"
	"testing"

	"github.com/seed-1318a441/assay"
)

// The heading says what was compared: a commit with a branch in a pull request, else the
// variants, each with its commit.
func TestAgainst(t *testing.T) {
	const head = "a1b2c3d4e5f6"
	variant := func(name, commit string) assay.VariantResult { return assay.VariantResult{Name: name, Commit: commit} }
	base, tree := variant("main", "9f8e7d6c5b4a"), variant(".", "")
	for _, x := range []struct {
		what     string
		variants []assay.VariantResult
		o        Options
		want     string
		columns  [2]string
	}{
		{"a pull request", []assay.VariantResult{base, tree}, Options{Head: head}, "`a1b2c3d` against `main` `9f8e7d6`", [2]string{"`main`", "this PR"}},
		{"with the name of its branch", []assay.VariantResult{base, tree}, Options{Head: head, Branch: "trunk"},
			"`a1b2c3d` against `trunk` `9f8e7d6`", [2]string{"`trunk`", "this PR"}},
		{"its head is the variant", []assay.VariantResult{base, variant("new", head)}, Options{Head: head}, "`a1b2c3d` against `main` `9f8e7d6`", [2]string{"`main`", "this PR"}},
		{"another commit than the head", []assay.VariantResult{base, variant("new", "1234567890")}, Options{Head: head, Branch: "trunk"},
			"`new` `1234567` against `main` `9f8e7d6`", [2]string{"`main`", "`new`"}},
		{"two toolchains", []assay.VariantResult{variant("go1.25", ""), variant("go1.26", "")}, Options{Head: head},
			"`go1.26` against `go1.25`", [2]string{"`go1.25`", "`go1.26`"}},
		{"no pull request", []assay.VariantResult{base, tree}, Options{}, "`.` against `main` `9f8e7d6`", [2]string{"`main`", "`.`"}},
		{"a base that goes by its commit", []assay.VariantResult{variant("9f8e7d6", "9f8e7d6c5b4a"), tree}, Options{}, "`.` against `9f8e7d6`", [2]string{"`9f8e7d6`", "`.`"}},
		{"two variants", []assay.VariantResult{base, tree, variant("x", "")}, Options{Head: head}, "2 variants against `main` `9f8e7d6`", [2]string{"`main`", "`.`"}},
		{"the same code", []assay.VariantResult{base, {Name: "x", SameAs: &assay.SameCode{As: "main"}}}, Options{Head: head}, "", [2]string{"`main`", ""}},
	} {
		r := &assay.Result{Base: x.variants[0].Name, Variants: x.variants}
		m := newMarkdown(r, x.o)
		if got := m.against(); got != x.want {
			t.Errorf("%s: got %q, want %q", x.what, got, x.want)
		}
		if b, v := m.names(); b != x.columns[0] || v != x.columns[1] {
			t.Errorf("%s: got columns %q and %q, want %q", x.what, b, v, x.columns)
		}
	}
	r := &assay.Result{Base: "main", Variants: []assay.VariantResult{base, tree}, Arc: &assay.Arc{}}
	if got := newMarkdown(r, Options{Head: head}).against(); got != "" {
		t.Errorf("steps: got %q, want nothing: there is more than one", got)
	}
}

// Sentences on a pull request are about "this PR", and its base by the name of its branch.
// Names that somebody chose stay.
func TestSentencesOfAPullRequest(t *testing.T) {
	const head, text = "a1b2c3d4e5f6", "use your tree: 5 % less time than your last commit; new is as good as old and 9f8e7d6"
	for _, x := range []struct {
		base, variant string
		o             Options
		want          string
	}{
		{"HEAD", ".", Options{Head: head, Branch: "main"}, "use this PR: 5 % less time than main; new is as good as old and 9f8e7d6"},
		{"HEAD", ".", Options{Head: head}, "use this PR: 5 % less time than your last commit; new is as good as old and 9f8e7d6"},
		{"9f8e7d6", "HEAD", Options{Head: head, Branch: "main"}, "use your tree: 5 % less time than this PR; new is as good as old and main"},
		{"old", "new", Options{Head: head, Branch: "main"}, text},
		{"HEAD", ".", Options{}, text},
	} {
		variant := assay.VariantResult{Name: x.variant}
		if x.variant != "." {
			variant.Commit = head
		}
		r := &assay.Result{Base: x.base, Variants: []assay.VariantResult{{Name: x.base, Commit: "9f8e7d6c5b4a"}, variant}, Answer: assay.Answer{Text: []string{text, text + "."}}}
		m := newMarkdown(r, x.o)
		if got := m.head.verdict(); got != x.want {
			t.Errorf("%s against %s: got %q, want %q", x.variant, x.base, got, x.want)
		}
		if got := m.head.texts(); len(got) != 1 || got[0] != x.want+"." {
			t.Errorf("%s against %s: got lines %q", x.variant, x.base, got)
		}
	}
}

// The last line leads to the report where that is on the web, and says how to repeat the
// run and what it is called.
func TestLinks(t *testing.T) {
	r := &assay.Result{Command: "assay run studies/x", Run: "7k2m"}
	rest := []string{"repeat: `assay run studies/x`", "run `7k2m`"}
	for report, want := range map[string][]string{
		"https://e.com/r":     append([]string{"[Interactive report](https://e.com/r)"}, rest...),
		"javascript:alert(1)": rest,
		"":                    rest,
	} {
		if got := newMarkdown(r, Options{Report: report}).links(); !slices.Equal(got, want) {
			t.Errorf("%q: got %q, want %q", report, got, want)
		}
	}
	if got := newMarkdown(&assay.Result{}, Options{}).links(); len(got) != 0 {
		t.Errorf("got %q of a result that knows nothing", got)
	}
}

// A comment fits GitHub: what is too much goes from the bottom, what is pinned stays, and
// what can be short gets the room that the others leave.
func TestFit(t *testing.T) {
	long := func(c string, n int) string { return strings.Repeat(c, n) }
	fill := func(room int) string { return long("f", room) }
	for _, x := range []struct {
		what   string
		blocks []block
		want   string // the letters that are left, in their order
	}{
		{"all fits", []block{{text: "a"}, {text: "b"}}, "ab"},
		{"the last goes first", []block{{text: long("a", 30_000)}, {text: long("b", 40_000)}, {text: "c", pinned: true}}, "ac"},
		{"as many as must", []block{{text: long("a", 50_000), pinned: true}, {text: long("b", 20_000)}, {text: long("c", 20_000)}}, "a"},
		{"as few as must", []block{{text: long("a", 50_000), pinned: true}, {text: long("b", 5000)}, {text: long("c", 20_000)}}, "ab"},
		{"the rest is filled", []block{{text: "a"}, {fill: fill}, {text: "b"}}, "afb"},
		{"two share the rest", []block{{fill: fill}, {text: "a"}, {fill: fill}}, "faf"},
		{"no room to fill", []block{{text: long("a", MaxSize), pinned: true}, {fill: fill}}, "a"},
	} {
		got := fit(x.blocks)
		if len(got) > MaxSize+len("\n") && x.what != "no room to fill" {
			t.Errorf("%s: %d bytes, want at most %d", x.what, len(got), MaxSize)
		}
		var letters strings.Builder
		for part := range strings.SplitSeq(strings.TrimSuffix(got, "\n"), "\n\n") {
			letters.WriteString(part[:1])
		}
		if letters.String() != x.want {
			t.Errorf("%s: got %s, want %s", x.what, letters.String(), x.want)
		}
	}
	halves := strings.Split(strings.TrimSuffix(fit([]block{{fill: fill}, {fill: fill}}), "\n"), "\n\n")
	if len(halves) != 2 || len(halves[0]) != len(halves[1]) || len(halves[0]) < MaxSize/2-10 {
		t.Errorf("got parts of %d and %d bytes, want halves", len(halves[0]), len(halves[len(halves)-1]))
	}
}

// A comment remembers its own push and those before it, once each; what is no commit is
// left out.
func TestPushesAreRemembered(t *testing.T) {
	o := Options{Head: "aaaaaaa1", Earlier: []Push{{"bbbbbbb1", "1 slower"}, {"aaaaaaa1", "same"}, {"no hash", "same"}, {"ccccccc1", "<b>"}, {"ddddddd1", "same"}}}
	var b strings.Builder
	if err := Write(&b, result(assay.Faster, timed(faster)), o); err != nil {
		t.Fatal(err)
	}
	text := b.String()
	got, want := Pushes(text), []Push{{"aaaaaaa1", "1 faster"}, {"bbbbbbb1", "1 slower"}, {"ddddddd1", "same"}}
	if !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if told := fold("Earlier pushes", "`bbbbbbb` 1 slower · `ddddddd` same"); !strings.Contains(text, told) {
		t.Errorf("got\n%s\nwant %s in it", text, told)
	}
	o.Earlier = nil
	for range 3 * MaxPushes {
		o.Earlier = append(o.Earlier, Push{"eeeeeee1", "same"})
	}
	b.Reset()
	if err := Write(&b, result(assay.Same, timed(same)), o); err != nil {
		t.Fatal(err)
	}
	if got := Pushes(b.String()); len(got) != MaxPushes || strings.Count(b.String(), "<!-- assay:push ") != MaxPushes || got[0].Commit != o.Head {
		t.Errorf("got %d pushes, the first %+v; want %d, the comment's own first", len(got), got[0], MaxPushes)
	}
}

// A long text keeps its beginning and its end, and counts in characters.
func TestClip(t *testing.T) {
	for _, x := range []struct {
		in   string
		most int
		want string
	}{
		{"abcdef", 6, "abcdef"},
		{"abcdefghij", 6, "abc…ij"},
		{"éééééé", 6, "éééééé"},
		{"ééééééé", 6, "ééé…éé"},
		{"", 6, ""},
	} {
		if got := clip(x.in, x.most); got != x.want {
			t.Errorf("%q: got %q, want %q", x.in, got, x.want)
		}
	}
}
