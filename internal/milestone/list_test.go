package milestone

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/seed-1318a441/assay"
)

// hashOf is a full hash that starts with n.
func hashOf(n int) string { return fmt.Sprintf("%02d", n) + strings.Repeat("a", 38) }

// history has n commits of which each has a subject of its own.
func history(n int) (list []assay.Commit) {
	for i := 1; i <= n; i++ {
		list = append(list, assay.Commit{Hash: hashOf(i), Subject: fmt.Sprintf("change %d", i), Parents: 1})
	}
	return list
}

// ranged is a study as package spec gives it for a range without a base.
func ranged(rng string) *assay.Study {
	s := &assay.Study{
		Steps:     &assay.Steps{Range: rng},
		Workloads: []assay.Workload{{Kind: assay.KindGoTest}},
	}
	s.SetDefaults()
	return s
}

func namesOf(s *assay.Study) (out []string) {
	for _, v := range s.Variants {
		out = append(out, v.Name)
	}
	return out
}

func TestExpand(t *testing.T) {
	s := ranged("v1..HEAD")
	commits := []assay.Commit{{Hash: hashOf(1), Subject: "fix"}, {Hash: hashOf(2), Subject: "fix"}, {Hash: hashOf(3)}, {Hash: hashOf(4), Subject: "control"}, {Hash: hashOf(5), Subject: "v1"}}
	if err := Expand(s, commits); err != nil {
		t.Fatal(err)
	}
	want := []string{"v1", "fix", "fix (02aaaaaaaa)", "03aaaaaaaa", "control (04aaaaaaaa)", "v1 (05aaaaaaaa)"}
	if got := namesOf(s); !slices.Equal(got, want) {
		t.Errorf("names %q, want %q", got, want)
	}
	if s.Base != "v1" || s.Variants[0].Rev != "v1" || s.Variants[2].Rev != hashOf(2) {
		t.Errorf("base %q, revisions %q and %q", s.Base, s.Variants[0].Rev, s.Variants[2].Rev)
	}
	for i, step := range s.Steps.List {
		if !reflect.DeepEqual(step, assay.Step{Variant: want[i+1]}) {
			t.Errorf("step %d: got %+v", i+1, step)
		}
	}
	if err := s.Validate(); err != nil || s.Unlisted() {
		t.Errorf("unlisted %v, %v", s.Unlisted(), err)
	}
	before := namesOf(s)
	if err := Expand(s, history(3)); err != nil || !slices.Equal(namesOf(s), before) {
		t.Errorf("expanded twice: %q, %v", namesOf(s), err)
	}
}

// TestExpandKeepsTheBase: a base that was written stays, and the steps differ
// from it by their commit alone.
func TestExpandKeepsTheBase(t *testing.T) {
	base := assay.Variant{Name: "release", Module: "x.org/m@v1.0.0", GCFlags: []string{"-l"}, Env: map[string]string{"GOGC": "50"}}
	s := ranged("v1.0.0..main")
	s.Variants = []assay.Variant{base}
	if err := Expand(s, history(2)); err != nil {
		t.Fatal(err)
	}
	want := []assay.Variant{base, base, base}
	for i, n := range []int{1, 2} {
		want[n].Name, want[n].Module, want[n].Rev = fmt.Sprintf("change %d", n), "", hashOf(i+1)
	}
	if !reflect.DeepEqual(s.Variants, want) || s.Base != "release" {
		t.Errorf("got  %+v\nwant %+v", s.Variants, want)
	}
	s.Variants[1].Env["GOGC"] = "1"
	if base.Env["GOGC"] != "50" || s.Variants[2].Env["GOGC"] != "50" {
		t.Error("the variants share a map")
	}

	s = ranged(hashOf(7) + "..main")
	if err := Expand(s, history(1)); err != nil || s.Base != "07aaaaaaaa" || s.Variants[0].Rev != hashOf(7) {
		t.Errorf("base %q, %+v, %v", s.Base, s.Variants, err)
	}
	s = ranged("control..main")
	s.Base = "old"
	if err := Expand(s, history(1)); err != nil || s.Variants[0].Name != "old" || s.Variants[0].Rev != "control" {
		t.Errorf("%+v, %v", s.Variants, err)
	}
}

func TestExpandVersions(t *testing.T) {
	s := ranged("v2.0.9..v2.4.0")
	s.Steps.Module = "x.org/toml/v2"
	if err := ExpandVersions(s, []string{"v2.1.1", "v2.4.0"}); err != nil {
		t.Fatal(err)
	}
	want := []assay.Variant{
		{Name: "v2.0.9", Module: "x.org/toml/v2@v2.0.9"}, {Name: "v2.1.1", Module: "x.org/toml/v2@v2.1.1"}, {Name: "v2.4.0", Module: "x.org/toml/v2@v2.4.0"},
	}
	if !reflect.DeepEqual(s.Variants, want) || s.Base != "v2.0.9" || len(s.Steps.List) != 2 {
		t.Errorf("base %q, %d steps\ngot  %+v\nwant %+v", s.Base, len(s.Steps.List), s.Variants, want)
	}
	if err := s.Validate(); err != nil {
		t.Error(err)
	}
}

func TestThin(t *testing.T) {
	for _, test := range []struct {
		n, every int
		want     []int
	}{
		{4, 0, []int{1, 2, 3, 4}}, {4, 1, []int{1, 2, 3, 4}}, {9, 3, []int{3, 6, 9}}, {10, 3, []int{3, 6, 9, 10}},
		{11, 3, []int{3, 6, 9, 11}}, {2, 5, []int{2}}, {0, 3, nil},
	} {
		var items []int
		for i := range test.n {
			items = append(items, i+1)
		}
		if got := everyNth(items, test.every); !slices.Equal(got, test.want) {
			t.Errorf("%d, every %d: got %v, want %v", test.n, test.every, got, test.want)
		}
	}
}

func TestExpandErrors(t *testing.T) {
	const after = "\n  a range has the commits after its first end up to the second, by first parents\n  try: git log --first-parent --oneline a..b"
	for _, test := range []struct {
		steps assay.Steps
		n     int
		want  string
	}{
		{assay.Steps{}, 0, `range "a..b" has no commits   [steps]` + after},
		{assay.Steps{Touching: "internal/x"}, 0, `range "a..b" has no commits that change something in "internal/x"   [steps]` + after},
		{assay.Steps{Module: "x.org/m"}, 0, `range "a..b" has no versions of x.org/m   [steps]` + "\n  a range has what comes after its first end, up to the second"},
		{assay.Steps{}, 201, `range "a..b" has 201 commits; at most 200 can be steps   [steps]` + "\n  try: every = 2 in [steps]"},
		{assay.Steps{Every: 2}, 1000, `range "a..b" has 1000 commits; at most 200 can be steps   [steps]` + "\n  try: every = 5 in [steps]"},
		{assay.Steps{Module: "x.org/m"}, 401, `range "a..b" has 401 versions of x.org/m; at most 200 can be steps   [steps]` + "\n  try: every = 3 in [steps]"},
	} {
		s := ranged("a..b")
		test.steps.Range = "a..b"
		s.Steps = &test.steps
		var err error
		if s.Steps.Module != "" {
			err = ExpandVersions(s, make([]string, test.n))
		} else {
			err = Expand(s, history(test.n))
		}
		e, ok := errors.AsType[*assay.Error](err)
		if !ok || e.Error() != test.want || e.Exit != assay.ExitUsage {
			t.Errorf("got  %v\nwant %s", err, test.want)
		}
		if len(s.Variants) > 0 || len(s.Steps.List) > 0 {
			t.Errorf("%v: the study was changed", err)
		}
	}
	s := ranged("a..b")
	s.Steps.Every = 5
	if err := Expand(s, history(1000)); err != nil || len(s.Steps.List) != 200 {
		t.Errorf("%d steps, %v: the advice to keep every fifth is wrong", len(s.Steps.List), err)
	}
}

func TestName(t *testing.T) {
	taken := map[string]bool{"fix": true, "two": true, "two (0011223344)": true}
	hash := "0011223344556677889900112233445566778899"
	for _, test := range []struct{ subject, hash, want string }{
		{"pool buffers", hash, "pool buffers"},
		{"fix", hash, "fix (0011223344)"},
		{"fix", "", "fix #2"},
		{"two", hash, "two #2"},
		{"control", hash, "control (0011223344)"},
		{"", hash, "0011223344"},
		{"", "", "commit"},
		{"\x1b[31mred\x1b[0m\tand\r\nblue \u202etxt\x00\xff", hash, "red and blue txt"},
		{"one two three four five six seven eight nine ten eleven twelve", hash, "one two three four five six seven eight nine ten eleven…"},
		{strings.Repeat("é", 61), hash, strings.Repeat("é", 59) + "…"},
		{strings.Repeat("x ", 1e5), hash, strings.TrimSpace(strings.Repeat("x ", 30)) + "…"},
	} {
		if got := Name(test.subject, test.hash, taken); got != test.want {
			t.Errorf("Name(%.80q, %q) = %q, want %q", test.subject, test.hash, got, test.want)
		}
	}
}

func TestRename(t *testing.T) {
	s := &assay.Study{
		Variants: []assay.Variant{
			{Name: "main", Rev: "main"}, {Name: "0011223344", Rev: "0011223344556677889900112233445566778899"}, {Name: "arc/02", Rev: "arc/02"},
			{Name: "mine", Rev: "arc/03"}, {Name: "v1.2.3", Rev: "v1.2.3"}, {Name: "arc/05", Rev: "arc/05"}, {Name: "tree"},
		},
		Base: "main", Workloads: []assay.Workload{{Kind: assay.KindGoTest}}, Steps: &assay.Steps{},
	}
	subjects := map[string]string{}
	for _, v := range s.Variants {
		subjects[v.Name] = "pool buffers"
		if v.Name != "main" {
			s.Steps.List = append(s.Steps.List, assay.Step{Variant: v.Name, Story: "of " + v.Name})
		}
	}
	subjects["arc/05"] = " \x07 "
	s.SetDefaults()
	Rename(s, subjects)
	want := []string{"main", "pool buffers", "pool buffers (arc/02)", "mine", "v1.2.3", "arc/05", "tree"}
	if got := namesOf(s); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	for i, step := range s.Steps.List {
		if step.Variant != want[i+1] {
			t.Errorf("step %d is %q, want %q", i+1, step.Variant, want[i+1])
		}
	}
	if got := s.Steps.List[1].Story; got != "of arc/02" {
		t.Errorf("the story became %q", got)
	}
	if err := s.Validate(); err != nil {
		t.Error(err)
	}
	Rename(&assay.Study{}, subjects) // no steps, no panic
}

// FuzzName: whatever a stranger writes, names are printable, short and free.
func FuzzName(f *testing.F) {
	f.Add("fix", "fix", "0011223344556677889900112233445566778899")
	f.Add("control", "\x1b]0;x\x07", "")
	f.Add(strings.Repeat("word ", 30), "…", strings.Repeat("branch", 20))
	f.Fuzz(func(t *testing.T, subject, other, hash string) {
		taken := map[string]bool{}
		for _, s := range []string{subject, other, subject, subject} {
			name := Name(s, hash, taken)
			if taken[name] || name == assay.ControlName || strings.TrimSpace(name) != name || name == "" {
				t.Fatalf("name %q is not one", name)
			}
			if n := utf8.RuneCountInString(name); n > longestName {
				t.Errorf("name %q has %d runes", name, n)
			}
			if strings.ContainsFunc(name, func(r rune) bool { return !unicode.IsPrint(r) }) {
				t.Errorf("name %q is not printable", name)
			}
			taken[name] = true
		}
	})
}
