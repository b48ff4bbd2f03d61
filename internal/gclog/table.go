package gclog

import (
	"fmt"
	"math"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/printable"
	"github.com/seed-1318a441/assay/internal/sheet"
	"github.com/seed-1318a441/assay/internal/terminal"
)

// Lines returns the comparison of logs as a table with a column for each variant.
func Lines(logs []*Log, r *assay.Result, style terminal.Style) []string {
	head, several := []string{""}, len(logs) > len(r.Variants)
	for i, v := range r.Variants {
		head = append(head, printable.Brief(v.Name))
		if i > 0 {
			head = append(head, "") // of the change
		}
	}
	rows := [][]string{head}
	if several {
		rows = append(rows, eachVariant(r, "logs", func(v string) string { return fmt.Sprint(len(ofVariant(logs, v))) }))
	}
	for _, t := range r.Tables {
		if len(t.Rows) > 0 { // else the first log has no such metric
			rows = append(rows, metricRow(t, style))
		}
		if t.Metric.Name == assay.MetricGCIdleCPU {
			rows = append(rows, eachVariant(r, "assists, workers, idle", func(v string) string { return markSplit(ofVariant(logs, v)) }))
		}
	}
	lines := terminal.Table(rows)
	if several {
		lines = append(lines, "", fmt.Sprintf("medians over the logs; from eight logs on with the %g %% interval", 100*r.Rule.Confidence))
	}
	return lines
}

// eachVariant returns a row without changes.
func eachVariant(r *assay.Result, label string, text func(variant string) string) []string {
	cells := []string{label}
	for i, v := range r.Variants {
		cells = append(cells, text(v.Name))
		if i > 0 {
			cells = append(cells, "")
		}
	}
	return cells
}

// metricRow returns the row of a metric.
func metricRow(t assay.Table, style terminal.Style) []string {
	row := t.Rows[0]
	cells := []string{t.Metric.Name, valueText(t.Metric, row.Base, row.Spread)}
	for _, x := range row.Cells {
		if x.N == 0 {
			cells = append(cells, "", "")
			continue
		}
		change := ""
		if row.Base != 0 {
			change = style.Text(sheet.Change(x.Change, min(0.001, assay.Change(math.Abs(float64(x.Change))))))
		}
		cells = append(cells, valueText(t.Metric, x.Value, x.Spread), change)
	}
	return cells
}

// valueText returns a value with its interval. The trace has two or three digits.
func valueText(m assay.Metric, v float64, spread *assay.Spread) string {
	rel := 0.01
	if m.Name == cycles || m.Name == forcedCycles {
		rel = 0
	}
	text := sheet.Value(m, v, rel)
	if spread == nil {
		return text
	}
	return text + " [" + sheet.Value(m, spread.Lo, rel) + ", " + sheet.Value(m, spread.Hi, rel) + "]"
}
