package session

import (
	"context"

	"github.com/seed-1318a441/assay"
)

// ReadAA makes the study of a line that measures the same code under several names. Every
// verdict that differs is false. Without benchmarks after "--" they are those of strconv
// and sort of the standard library.
func ReadAA(ctx context.Context, line Line) (*assay.Study, error) {
	if len(line.Dashed) == 0 {
		line.Dashed = []string{"-bench=.", "strconv", "sort"}
	}
	line.Variants = []string{"base: .", "same1: .", "same2: .", "same3: ."}
	s, err := ReadLine(ctx, line)
	if err != nil {
		return nil, err
	}
	s.Name, s.Measure.Force = "aa", true
	return s, nil
}
