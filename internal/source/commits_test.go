package source

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/disk/disktest"
	"github.com/seed-1318a441/assay/internal/errortest"
	"github.com/seed-1318a441/assay/internal/printable"
	"github.com/seed-1318a441/assay/internal/source/sourcetest"
)

// history is a repository of empty and other commits:
//
//	one - two - three - merge - five     main
//	   \              /
//	     side --------                   side
func history(t *testing.T) string {
	t.Helper()
	dir := sourcetest.Repository(t, nil) // one, two
	sourcetest.Git(t, dir, "checkout", "-qb", "side", "HEAD~1")
	disktest.Write(t, dir, map[string]string{"sub/side.txt": "x"})
	sourcetest.Git(t, dir, "add", "-A")
	sourcetest.Git(t, dir, "commit", "-qm", "side")
	sourcetest.Git(t, dir, "checkout", "-q", "main")
	disktest.Write(t, dir, map[string]string{"sub/here.txt": "x"})
	sourcetest.Git(t, dir, "add", "-A")
	sourcetest.Git(t, dir, "commit", "-qm", "three")
	sourcetest.Git(t, dir, "merge", "-q", "--no-ff", "-m", "merge", "side")
	sourcetest.Git(t, dir, "commit", "-q", "--allow-empty", "-m", "five")
	return dir
}

func subjects(list []assay.Commit) string {
	var out []string
	for _, c := range list {
		out = append(out, c.Subject)
	}
	return strings.Join(out, " ")
}

func TestCommits(t *testing.T) {
	dir := history(t)
	// A user's settings do not reach the list.
	sourcetest.Git(t, dir, "config", "format.pretty", "oneline")
	sourcetest.Git(t, dir, "config", "log.showSignature", "true")
	for _, c := range []struct{ dir, rng, touching, want string }{
		{"", "HEAD~3..main", "", "three merge five"},
		{"", "HEAD~4..", "", "two three merge five"},
		{"", "main..HEAD", "", ""},
		{"", "side..main", "", "two three merge five"}, // reached through the merge
		{"", "HEAD~4..main", "sub", "three merge"},
		{"", "HEAD~4..main", "tiny.go", "two"},
		{"", "HEAD~4..main", "*.go", ""}, // a path, no pattern
		{"sub", "HEAD~4..main", "side.txt", "merge"},
	} {
		got, err := Commits(t.Context(), filepath.Join(dir, c.dir), c.rng, c.touching)
		if err != nil || subjects(got) != c.want {
			t.Errorf("%s touching %q: got %q, %v; want %q", c.rng, c.touching, subjects(got), err, c.want)
		}
	}
	list, err := Commits(t.Context(), dir, "HEAD~2..HEAD~1", "")
	if err != nil || len(list) != 1 || list[0].Parents != 2 || list[0].Hash != sourcetest.Git(t, dir, "rev-parse", "HEAD~1") {
		t.Errorf("the merge: got %+v, %v", list, err)
	}
	list, err = Subjects(t.Context(), dir, []string{"main", "side", "HEAD~4", "main~0"})
	if err != nil || subjects(list) != "five side one five" || list[2].Parents != 0 {
		t.Errorf("Subjects: got %+v, %v", list, err)
	}
	if list, err := Subjects(t.Context(), dir, nil); err != nil || len(list) != 0 {
		t.Errorf("no revisions: got %v, %v", list, err)
	}
}

func TestCommitsRefuses(t *testing.T) {
	dir := history(t)
	for _, c := range []struct {
		rng, code string
		want      []string
	}{
		{"nowhere..main", "unknown-revision", []string{`revision "nowhere"`}},
		{"main..nowhere", "unknown-revision", []string{`revision "nowhere"`}},
		{"main..-p", "unknown-revision", []string{`revision "-p"`}},
		{"main", "steps", []string{"FROM..TO"}},
		{"..main", "steps", []string{"FROM..TO"}},
		{"side...main", "steps", []string{"FROM..TO"}},
		{"main..side", "steps", []string{"it is the other way round", `try: range = "side..main"`}},
		{"HEAD~3..side", "steps", []string{`no way from "HEAD~3" to "side"`, "they have parted at " + sourcetest.Git(t, dir, "rev-parse", "HEAD~4")[:12]}},
	} {
		_, err := Commits(t.Context(), dir, c.rng, "")
		text := errortest.Want(t, err, assay.Code(c.code), assay.ExitUsage)
		for _, w := range c.want {
			if !strings.Contains(text, w) {
				t.Errorf("%s: %q is not in %s", c.rng, w, text)
			}
		}
	}
	_, err := Subjects(t.Context(), dir, []string{"main", "nowhere"})
	errortest.Want(t, err, "unknown-revision", assay.ExitUsage)
}

// A shallow clone has the commit but not the way to it, or not even that.
func TestCommitsShallow(t *testing.T) {
	dir := history(t)
	base := sourcetest.Git(t, dir, "rev-parse", "HEAD~4")
	sourcetest.Git(t, dir, "tag", "v1", base)
	clone := filepath.Join(t.TempDir(), "clone")
	sourcetest.Git(t, t.TempDir(), "clone", "-q", "--depth=1", "--no-tags", "file://"+dir, clone)
	_, err := Commits(t.Context(), clone, base+"..main", "")
	text := errortest.Want(t, err, "unknown-revision", assay.ExitUsage)
	if !strings.Contains(text, "shallow (depth 1)") || !strings.Contains(text, "git fetch") {
		t.Errorf("got %s", text)
	}
	sourcetest.Git(t, clone, "fetch", "-q", "--depth=1", "origin", "tag", "v1")
	_, err = Commits(t.Context(), clone, "v1..main", "")
	text = errortest.Want(t, err, "steps", assay.ExitUsage)
	if !strings.Contains(text, "shallow (depth 1)") || !strings.Contains(text, "git fetch --unshallow ") {
		t.Errorf("got %s", text)
	}
}

// What a commit says is by a stranger.
func TestCommitsHostile(t *testing.T) {
	dir := sourcetest.Repository(t, nil)
	long := strings.Repeat("x", 300_000)
	for _, m := range []string{"\x1b]0;title\x07\x1b[31mred\x1b[0m \u202eevil\tand\rmore", "\xff\xfe not UTF-8", long} {
		cmd := exec.Command("git", "-c", "user.name=t", "-c", "user.email=t@example.com", "-c", "i18n.commitEncoding=UTF-8", "commit", "-q", "--allow-empty", "-F", "-")
		cmd.Dir, cmd.Stdin = dir, strings.NewReader(m)
		cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
	}
	list, err := Commits(t.Context(), dir, "HEAD~3..", "")
	if err != nil || len(list) != 3 {
		t.Fatalf("got %v, %v", list, err)
	}
	if got, want := list[0].Subject, "red evil and more"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got, want := list[1].Subject, "not UTF-8"; !strings.HasSuffix(got, want) {
		t.Errorf("got %q, want it to end in %q", got, want)
	}
	if got := []rune(list[2].Subject); len(got) != maxSubject || got[len(got)-1] != '…' {
		t.Errorf("got a subject of %d characters", len(got))
	}
}

func FuzzOneLine(f *testing.F) {
	for _, s := range []string{"", "plain", "\x1b[31mred\x1b[0m", "\x1b]0;x", "a\u202eb", "\xff", "\x1b", strings.Repeat("é", 900)} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		got := printable.Short(s, 50)
		if n := len([]rune(got)); n > 50 {
			t.Errorf("%q: %d characters", s, n)
		}
		if strings.ContainsFunc(got, func(r rune) bool { return r < ' ' || r == 0x7f || r >= 0x80 && r < 0xa0 || r == 0x202e }) {
			t.Errorf("%q: got %q", s, got)
		}
		if again := printable.Short(got, 50); again != got {
			t.Errorf("%q: got %q, and of that %q", s, got, again)
		}
	})
}

func TestZeroFields(t *testing.T) {
	var z zeroFields
	for _, p := range []string{"a\x00b", "c\x00", "\x00unended"} {
		if n, err := z.Write([]byte(p)); n != len(p) || err != nil {
			t.Fatal(n, err)
		}
	}
	if want := []string{"a", "bc", ""}; !slices.Equal(z.all, want) {
		t.Errorf("got %q, want %q", z.all, want)
	}
}
