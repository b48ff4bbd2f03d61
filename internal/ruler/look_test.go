package ruler

import (
	"regexp"
	"strings"
	"testing"

	"github.com/seed-1318a441/assay/web"
)

// The colours of a card are the light ones of a page, each in its role.
func TestColoursOfPage(t *testing.T) {
	roles := map[string]string{}
	for _, m := range regexp.MustCompile(`--([\w-]+):light-dark\((#\w+),`).FindAllStringSubmatch(web.Style, -1) {
		if len(m[2]) == len("#fff") {
			m[2] = regexp.MustCompile(`\w`).ReplaceAllString(m[2], "$0$0")
		}
		roles[m[1]] = m[2]
	}
	want := map[string]string{"bg": white, "text": ink, "muted": muted, "grid": grid, "accent": accent, "better": better, "worse": worse, "unclear": open}
	for class, c := range heats {
		if class != "plain" {
			want[strings.NewReplacer("b", "better-", "w", "worse-").Replace(class)] = c
		}
	}
	for role, c := range want {
		if roles[role] != c {
			t.Errorf("--%s of web/src/style.css is %q, on a card %s", role, roles[role], c)
		}
	}
}
