package sheet

import (
	"strings"

	"github.com/seed-1318a441/assay"
)

// UnknownRel stands for the uncertainty of a value whose interval is not known:
// three digits.
const UnknownRel = 0.01

// TradeRows are the points that are printed: the front whole, and of the beaten
// ones what there is room for.
func TradeRows(points []assay.TradeoffPoint, all bool) (rows []int, left int) {
	room := MaxRows
	for _, x := range points {
		if x.Beaten == "" {
			room--
		}
	}
	for i, x := range points {
		switch {
		case x.Beaten == "" || all:
			rows = append(rows, i)
		case room > 0:
			rows = append(rows, i)
			room--
		default:
			left++
		}
	}
	return rows, left
}

// PointMarks gives each point its sign in the picture: a capital letter on the
// front, a small one where it is beaten; with more points than letters, the
// letters go to the front and the beaten are dots.
func PointMarks(points []assay.TradeoffPoint) []rune {
	const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	marks := make([]rune, len(points))
	front := 0
	for i, x := range points {
		switch {
		case len(points) <= len(letters) && x.Beaten == "":
			marks[i] = rune(letters[i])
		case len(points) <= len(letters):
			marks[i] = rune(strings.ToLower(letters)[i])
		case x.Beaten != "":
			marks[i] = '.'
		case front < len(letters):
			marks[i] = rune(letters[front])
			front++
		default:
			marks[i] = '*'
		}
	}
	return marks
}
