package report

import (
	"encoding/json"
	"html"
	"strings"
	"testing"

	"github.com/seed-1318a441/assay/internal/markdown"
	"github.com/seed-1318a441/assay/internal/page"
	"github.com/seed-1318a441/assay/internal/sheet"
	"github.com/seed-1318a441/assay/internal/terminal"
)

// The costs of a variant and what is undecided stand once in the terminal's text, in
// Markdown and in the page without a script, and once among the facts of the page.
func TestCostAndUndecidedOnce(t *testing.T) {
	r := fixture(t, "six")
	cost, open := "17.5 % more peak memory [+12.1, +22.2]", "b is tied with c, d"
	r.Answer.Text = []string{"use b: 9.0 % less time [−9.9, −8.1] than a, but " + cost}
	r.Answer.Cost, r.Answer.Undecided = []string{cost, "3.3 % more CPU [+2.2, +4.4]"}, open
	var facts []string
	for _, f := range sheet.New(r, false, false).Answer() {
		facts = append(facts, f.Name+" "+sheet.Joined(f.Text...))
	}
	data, err := json.Marshal(r.Answer)
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"text":     textOf(t, r, terminal.Style{Width: 200}),
		"markdown": html.UnescapeString(markdownOf(t, r, markdown.Options{})),
		"page":     html.UnescapeString(staticPart(t, htmlOf(t, pageOf(r), page.EmbedFive))),
		"facts":    strings.Join(facts, "\n"),
		"JSON":     string(data),
	} {
		text = strings.NewReplacer("&#43;", "+", "-", "−", "\u00a0", " ").Replace(text)
		for _, want := range []string{"3.3 % more CPU [+2.2, +4.4]", open} {
			if n := strings.Count(text, want); n != 1 {
				t.Errorf("%s has %q %d times, want once:\n%.3000s", name, want, n, text)
			}
		}
		if !strings.Contains(text, cost) {
			t.Errorf("%s lacks the largest cost", name)
		}
	}
	r.Answer.Cost, r.Answer.Undecided = r.Answer.Cost[:1], ""
	if lines := sheet.AnswerLines(r.Answer); len(lines) != 1 {
		t.Errorf("a cost that the sentence names has a line of its own: %q", lines)
	}
}
