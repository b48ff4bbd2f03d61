package source

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seed-1318a441/assay/internal/disk/disktest"
	"github.com/seed-1318a441/assay/internal/shell"
	"github.com/seed-1318a441/assay/internal/source/sourcetest"
)

// Each command that is suggested in a shallow clone is run there, in a clone of its own:
// after it the revision is known by the name that goes with it.
func TestUnavailableFetched(t *testing.T) {
	dir := sourcetest.Repository(t, nil)
	for _, subject := range []string{"three", "four", "five"} {
		sourcetest.Git(t, dir, "commit", "-q", "--allow-empty", "-m", subject)
	}
	hash := sourcetest.Git(t, dir, "rev-parse", "HEAD~2")
	for name, at := range map[string]string{"rel": "HEAD~1", "maint/1.2": "HEAD~2", "hotfix": "HEAD~1", "v1.2.3": "HEAD~3", "v2": "HEAD~1"} {
		kind := "branch"
		if name == "v1.2.3" {
			kind = "tag"
		}
		sourcetest.Git(t, dir, kind, name, at)
	}
	for _, test := range []struct {
		rev, try, right string
		checkout        bool // HEAD is a commit that no fetched branch has
	}{
		{rev: "HEAD~1", try: "git fetch --deepen=1 origin"},
		{rev: "@^^", try: "git fetch --deepen=2 origin"},
		{rev: "HEAD~2^1", try: "git fetch --deepen=3 origin"},
		{rev: "main~3", try: "git fetch --deepen=3 origin"},
		{rev: "HEAD~1", try: "git fetch --unshallow origin", checkout: true},
		{rev: "origin/rel", try: "git fetch --depth=1 origin rel:refs/remotes/origin/rel"},
		{rev: "rel", try: "git fetch --depth=1 origin rel:refs/remotes/origin/rel", right: "origin/rel"},
		{rev: "rel~1", try: "git fetch --depth=2 origin rel:refs/remotes/origin/rel", right: "origin/rel~1"},
		{rev: "maint/1.2", try: "git fetch --depth=1 origin maint/1.2:refs/remotes/origin/maint/1.2", right: "origin/maint/1.2"},
		{rev: "v2", try: "git fetch --depth=1 origin v2:refs/remotes/origin/v2", right: "origin/v2"},
		{rev: "v1.2.3", try: "git fetch --depth=1 origin tag v1.2.3"},
		{rev: "v1.2.3^", try: "git fetch --depth=2 origin tag v1.2.3"},
		{rev: hash, try: "git fetch --depth=1 origin " + hash},
		{rev: hash[:9], try: "git fetch --unshallow origin"},
	} {
		clone := filepath.Join(t.TempDir(), "clone")
		sourcetest.Git(t, dir, "clone", "-q", "--depth=1", "file://"+filepath.ToSlash(dir), clone)
		if test.checkout {
			sourcetest.Git(t, dir, "update-ref", "refs/pull/1/merge", "hotfix")
			sourcetest.Git(t, clone, "fetch", "-q", "--depth=1", "origin", "refs/pull/1/merge")
			sourcetest.Git(t, clone, "checkout", "-q", "FETCH_HEAD")
		}
		e, right := Unavailable(t.Context(), clone, test.rev)
		if e == nil || e.Try != test.try || right != test.right {
			t.Errorf("%s: got %v, right %q, want %s, right %q", test.rev, e, right, test.try, test.right)
			continue
		}
		words, _ := shell.Split(e.Try)
		sourcetest.Git(t, clone, words[1:]...)
		if right == "" {
			right = test.rev
		}
		if !IsRevision(t.Context(), clone, right) {
			t.Errorf("%s: after %s git does not know %s", test.rev, e.Try, right)
		}
	}
}

// Where the word is simply none there is nothing to say; else each cause is named.
func TestUnavailable(t *testing.T) {
	whole := sourcetest.Repository(t, nil)
	clone := filepath.Join(t.TempDir(), "clone")
	sourcetest.Git(t, whole, "branch", "side")
	sourcetest.Git(t, whole, "clone", "-q", whole, clone)
	unborn := t.TempDir()
	sourcetest.Git(t, unborn, "init", "-q")
	damaged := sourcetest.Repository(t, nil)
	h := sourcetest.Git(t, damaged, "rev-parse", "HEAD~1")
	object := filepath.Join(damaged, ".git", "objects", h[:2], h[2:])
	if err := os.Remove(object); err != nil {
		t.Fatal(err)
	}
	moved := t.TempDir()
	disktest.Write(t, damaged, map[string]string{".git/objects/" + h[:2] + "/" + h[2:]: "x"})
	disktest.Write(t, moved, map[string]string{".git": "gitdir: /nowhere/.git\n"})
	for _, test := range []struct{ dir, rev, want string }{
		{whole, "nope", ""},
		{whole, "HEAD~9", ""},
		{whole, "HEAD", ""},
		{t.TempDir(), "main", ""},
		{clone, "side", `"origin/side"`},
		{unborn, "HEAD", "no commit yet"},
		{damaged, "HEAD~1", "is damaged   [git-refused]"},
		{moved, "HEAD", "fatal: not a git repository: /nowhere/.git"},
	} {
		got := ""
		if e, _ := Unavailable(t.Context(), test.dir, test.rev); e != nil {
			got = e.Error()
		}
		if !strings.Contains(got, test.want) || (got == "") != (test.want == "") {
			t.Errorf("%s: got %q, want %q", test.rev, got, test.want)
		}
	}
}

// Only root can make a repository of somebody else, so this is what git says of one.
func TestRefusedOwner(t *testing.T) {
	e := refused("/w/it's", "exit status 128: fatal: detected dubious ownership in repository at '/w/it''s'\nTo add an exception for this directory, call:\n\n"+
		"\tgit config --global --add safe.directory '/w/it'\\''s'")
	if want := `git config --global --add safe.directory '/w/it'\''s'`; e.Try != want || e.Code != "git-refused" || !strings.Contains(e.Text, "dubious ownership") {
		t.Errorf("got %+v, want %s", e, want)
	}
}
