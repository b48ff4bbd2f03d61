package document

import "testing"

func TestQuoteProse(t *testing.T) {
	for _, s := range []string{"\n", "a\n", "\n\na", "\"\"\"\n\"\"\"\"", "\\\n\\", "tab\t\r\n\x01\x7f", "\\\"\n\"", "'''\n'''", "ünï ☾\n"} {
		root, err := Parse([]byte("a = { x = " + quoteProse(s) + " }\n"))
		if err != nil {
			t.Errorf("%q: %v in %s", s, err, quoteProse(s))
			continue
		}
		if got := root.Find("a").Value.Table.Find("x").Value.Text; got != s {
			t.Errorf("got %q, want %q", got, s)
		}
	}
}
