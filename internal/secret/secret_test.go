package secret

import (
	"encoding/base64"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/errortest"
)

func TestRead(t *testing.T) {
	dir := t.TempDir()
	put := func(name, value string, mode os.FileMode) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, name), []byte(value), mode); err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(filepath.Join(dir, name), mode); err != nil { // whatever the umask
			t.Fatal(err)
		}
	}
	for _, test := range []struct{ value, want string }{
		{"s3cr3t", "s3cr3t"}, {"s3cr3t\n", "s3cr3t"}, {"s3cr3t\n\n", "s3cr3t\n"}, {" a b ", " a b "}, {strings.Repeat("x", MaxSize), strings.Repeat("x", MaxSize)},
	} {
		put("pg", test.value, 0o600)
		if got, err := Read(dir, "pg"); err != nil || got != test.want {
			t.Errorf("%.20q: got %.20q, %v", test.value, got, err)
		}
	}
	put("empty", "\n", 0o600)
	put("zero", "a\x00b", 0o600)
	put("long", strings.Repeat("x", MaxSize+1), 0o600)
	put("readable", "s3cr3t", 0o640)
	put("known", "s3cr3t", 0o604)
	put("hard", "s3cr3t", 0o600)
	if err := os.Mkdir(filepath.Join(dir, "folder"), 0o700); err != nil {
		t.Fatal(err)
	}
	if runtime.GOOS != "windows" {
		if err := os.Symlink("pg", filepath.Join(dir, "link")); err != nil {
			t.Fatal(err)
		}
		if err := os.Link(filepath.Join(dir, "hard"), filepath.Join(dir, "another")); err != nil {
			t.Fatal(err)
		}
	}
	for name, want := range map[string]string{
		"missing":  "there is no secret \"missing\" on this machine: DIR/missing is missing   [secret]\n  try: write its value into DIR/missing, then chmod 600 DIR/missing",
		"empty":    "cannot use the secret \"empty\": DIR/empty is empty   [secret]",
		"zero":     "cannot use the secret \"zero\": DIR/zero has a zero byte in it, which no variable can have   [secret]",
		"long":     "cannot use the secret \"long\": DIR/long has more than 64 kB   [secret]",
		"readable": "cannot use the secret \"readable\": DIR/readable has the mode 0640, so that others can use it   [secret]\n  try: chmod 600 DIR/readable",
		"known":    "cannot use the secret \"known\": DIR/known has the mode 0604, so that others can use it   [secret]\n  try: chmod 600 DIR/known",
		"folder":   "cannot use the secret \"folder\": DIR/folder is not a plain file   [secret]",
		"link":     "cannot use the secret \"link\": DIR/link is a link, and must be the file itself   [secret]",
		"hard":     "cannot use the secret \"hard\": DIR/hard has another name elsewhere (a hard link)   [secret]\n  try: cp DIR/hard DIR/hard.new && mv DIR/hard.new DIR/hard && chmod 600 DIR/hard",
		"../x":     "the secret \"../x\" could be a path; the name of a secret has no slashes, and no dot in front   [secret]",
		"a\nb":     "the secret \"a b\" has characters in it that cannot be printed   [secret]",
		"":         "the secret \"\" is no name of a secret   [secret]",
	} {
		if runtime.GOOS == "windows" && strings.Contains("link hard readable known", name) {
			continue
		}
		_, err := Read(dir, name)
		if got := strings.ReplaceAll(errortest.Want(t, err, assay.CodeSecret, assay.ExitUsage), dir, "DIR"); got != want {
			t.Errorf("%q: got\n%s, want\n%s", name, got, want)
		}
	}
}

func TestMask(t *testing.T) {
	var m Mask
	if got := m.String("hunter2"); got != "hunter2" || !m.Empty() {
		t.Errorf("without secrets: %q", got)
	}
	const value = "hunter2?&x=ü \"q\""
	m.Add("pg", value)
	m.Add("pg", value)
	m.Add("short", "abc")
	m.Add("sixes", "666666")
	basic := base64.StdEncoding.EncodeToString([]byte("me:" + value + "!"))
	for _, test := range []struct{ text, want string }{
		{"", ""},
		{"nothing here, abc", "nothing here, abc"},
		{"the password is " + value + ".", "the password is [secret pg]."},
		{value + value, "[secret pg]"},
		{value + "666666", "[secret pg][secret sixes]"},
		{"6666666666", "[secret sixes]"},
		{"x 66666 y", "x 66666 y"},
		{base64.StdEncoding.EncodeToString([]byte(value)), "[secret pg]"},
		{base64.URLEncoding.EncodeToString([]byte(value)), "[secret pg]"},
		{base64.RawStdEncoding.EncodeToString([]byte(value)), base64.RawStdEncoding.EncodeToString([]byte(value))[:0] + "[secret pg]"},
		{url.QueryEscape(value), "[secret pg]"},
		{url.PathEscape(value), "[secret pg]"},
		{strings.ToLower(percent(value)), "[secret pg]"},
		{fmt.Sprintf("%x %X", value, value), "[secret pg] [secret pg]"},
		{fmt.Sprintf("%q", value), `"[secret pg]"`},
		{`{"password":"hunter2?\u0026x=ü \"q\""}`, `{"password":"[secret pg]"}`},
		{"Authorization: Basic " + basic, ""},
		// Where an output was cut, parts of values remain.
		{"ended by a signal: hunter2?&x", "ended by a signal: [secret pg]"},
		{"hunter2?\n... 12 bytes omitted ...\nü \"q\" and more", "[secret pg]\n... 12 bytes omitted ...\n[secret pg] and more"},
		{"it ended: hunter2?…", "it ended: [secret pg]…"},
		{"hunt for it", "hunt for it"},
	} {
		got := m.String(test.text)
		if test.want != "" && got != test.want || test.text == "" && got != "" {
			t.Errorf("%q: got %q, want %q", test.text, got, test.want)
		}
		if got == test.text && strings.Contains(test.text, "Basic") || strings.Contains(got, "hunter2") {
			t.Errorf("%q: got %q", test.text, got)
		}
	}
	if got := m.Name("p99 hunter2?&x"); got != "p99 hunter2?&x" {
		t.Errorf("a name that ends like the beginning of a value: %q", got)
	}
}

// A value of several lines is masked line by line, since a reason is one line.
func TestMaskLines(t *testing.T) {
	var m Mask
	m.Add("key", "-----BEGIN-----\nMIIEvQIBADANBg\n  }\n-----END-----")
	if got, want := m.String("bad key: MIIEvQIBADANBg!  }"), "bad key: [secret key]!  }"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestMaskInParallel(t *testing.T) {
	var m Mask
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			m.Add("a", fmt.Sprintf("value-%d", i))
			if got := m.String(fmt.Sprintf("value-%d", i)); got != "[secret a]" {
				t.Error(got)
			}
		})
	}
	wg.Wait()
}

func FuzzMask(f *testing.F) {
	f.Add("hunter2", "the password is hunter2.")
	f.Add("aaaa", "aaaaaaa")
	f.Fuzz(func(t *testing.T, value, text string) {
		var m Mask
		m.Add("~", value)
		got := m.String(text)
		if mark := "[secret ~]"; len(value) >= least && strings.Contains(strings.ReplaceAll(got, mark, "\xff\xff"), value) && !strings.Contains(mark, value) && !strings.Contains(value, "\xff") {
			t.Errorf("%q in %q: %q", value, text, got)
		}
	})
}
