package usage

import (
	"fmt"

	"github.com/seed-1318a441/assay/internal/disk"
)

// A Size is a flag's number of bytes, such as 20GB.
type Size int64

// Set implements pflag.Value.
func (s *Size) Set(text string) error {
	n, err := disk.ParseSize(text)
	*s = Size(n)
	return err
}

// String implements pflag.Value.
func (s *Size) String() string {
	if n := int64(*s); n > 0 && n%1e9 == 0 {
		return fmt.Sprintf("%dGB", n/1e9)
	}
	return fmt.Sprint(int64(*s))
}

// Type implements pflag.Value.
func (s *Size) Type() string { return "size" }
