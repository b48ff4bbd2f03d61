package sheet

import (
	"math"
	"slices"
	"strings"
)

// Bar is the bar of a share of the full height: at least the lowest one for a share above
// 0, and a full one for shares above 1.
func Bar(share float64) string {
	bars := []rune(" ▁▂▃▄▅▆▇█")
	if share <= 0 || math.IsNaN(share) {
		return " "
	}
	return string(bars[max(1, int(math.Round(min(share, 1)*float64(len(bars)-1))))])
}

// Bars are values beside each other, on the scale of the largest.
func Bars(values []float64) string {
	var line strings.Builder
	for _, x := range values {
		line.WriteString(Bar(x / slices.Max(values)))
	}
	return line.String()
}
