package session

import (
	"cmp"
	"fmt"
	"strconv"
	"time"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/spec"
)

// Override sets a key of a study to the value of a flag. A flag that may be repeated has
// several values. Flags without a key in a study change nothing. The error follows the
// name of the flag.
func Override(s *assay.Study, flag string, values ...string) (err error) {
	text := values[len(values)-1]
	m, d := &s.Measure, &s.Decide
	switch flag {
	case "base":
		s.Base = text
	case "name":
		s.Name = text
	case "budget":
		d.Budget, err = someTime(text)
	case "min-effect":
		d.MinEffect, err = spec.Flag(text, spec.Percent)
	case "gate":
		d.Gate, err = spec.Flag(text, spec.Percent)
	case "confidence":
		d.Confidence, err = spec.Flag(text, spec.Percent)
	case "blocks":
		d.MinBlocks, d.MaxBlocks, err = spec.Blocks(text)
	case "trial":
		m.Trial, err = someTime(text)
	case "timeout":
		m.Timeout, err = someTime(text)
	case "gomaxprocs":
		m.GOMAXPROCS, err = strconv.Atoi(text)
		err = cmp.Or(err, aboveZero(m.GOMAXPROCS))
	case "goarch":
		m.GOARCH, err = spec.Flag(text, spec.Arch)
	case "layouts":
		m.Layouts, err = spec.Flag(text, spec.Layouts)
	case "collect":
		m.Collect, err = spec.CollectList(text)
	case "seed":
		if m.Seed, err = strconv.ParseUint(text, 0, 64); err != nil || m.Seed == 0 {
			return fmt.Errorf("%s is not a number above 0 of 64 bits, such as 7 or 0x5d31", text)
		}
	case "force":
		m.Force = text == "true"
	case "remote-load":
		m.RemoteLoad = text == "true"
	case "pass":
		m.Pass = values
	case "on":
		s.Hosts, err = spec.Hosts(values)
	}
	return err
}

// someTime reads a length of time above 0.
func someTime(text string) (time.Duration, error) {
	d, err := time.ParseDuration(text)
	return d, cmp.Or(err, aboveZero(d))
}

func aboveZero[T int | time.Duration](x T) error {
	if x <= 0 {
		return fmt.Errorf("%v is not above 0", x)
	}
	return nil
}
