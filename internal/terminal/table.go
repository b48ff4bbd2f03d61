package terminal

import (
	"fmt"
	"strings"
	"text/tabwriter"
)

// Table lays rows out in columns with two blanks between them.
func Table(rows [][]string) (lines []string) {
	var b strings.Builder
	t := tabwriter.NewWriter(&b, 0, 8, 2, ' ', 0)
	for _, row := range rows {
		fmt.Fprintln(t, strings.Join(row, "\t"))
	}
	t.Flush() // a strings.Builder takes everything
	for line := range strings.Lines(b.String()) {
		lines = append(lines, strings.TrimRight(line, " \n"))
	}
	return lines
}
