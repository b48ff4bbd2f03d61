package sheet

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/printable"
)

// Day is the day of a time: "23 November 2026".
func Day(t time.Time) string { return t.UTC().Format("2 January 2006") }

// Platform describes the machine that measured. Imported results may not say.
func Platform(m assay.Platform) []string {
	if m.GOOS == "" && m.CPU == "" {
		return nil
	}
	name := strings.Trim(m.GOOS+"/"+m.GOARCH, "/") + " " + m.CPU
	if m.CPUs > 0 {
		name += ", " + printable.Count(m.CPUs, "CPU")
	}
	return append([]string{strings.TrimSpace(name)}, conditions(m)...)
}

// conditions are the facts about a machine that its owner can change, and whether it is an
// emulator.
func conditions(m assay.Platform) []string {
	var parts []string
	if m.Emulated != "" {
		parts = append(parts, "emulated by "+m.Emulated)
	}
	parts = append(parts, m.Virtual)
	if m.Procs > 0 && m.Procs != m.CPUs {
		parts = append(parts, "GOMAXPROCS="+strconv.Itoa(m.Procs))
	}
	for _, x := range []struct{ before, value, after string }{{"", m.Governor, " governor"}, {"", m.Profile, " profile"}, {"on ", m.Power, ""}} {
		if x.value != "" {
			parts = append(parts, x.before+x.value+x.after)
		}
	}
	return parts
}

// Setting describes what holds for all figures of a result: the machine, the load, the noise.
func (s *Sheet) Setting() (parts []string) {
	for _, part := range append(Platform(s.Result.Platform), Load(s.Result), s.Noise()) {
		if part != "" {
			parts = append(parts, part)
		}
	}
	return parts
}

// Load describes the loads with a fixed rate: "load 500 requests/s, Poisson arrivals". It is
// "" if there is none.
func Load(r *assay.Result) string {
	var all []string
	for _, l := range r.Loads {
		text := "fixed by its generator"
		if l.Rate > 0 {
			text = printable.Group(strconv.FormatFloat(l.Rate, 'f', -1, 64)) + " requests/s"
		}
		if l.BuiltIn {
			text += ", " + l.Arrivals.Text()
		}
		if !slices.Contains(all, text) {
			all = append(all, text)
		}
	}
	if len(all) > 2 {
		return fmt.Sprintf("loads at %d fixed rates", len(all))
	}
	if len(all) == 0 {
		return ""
	}
	return "load " + strings.Join(all, " and ")
}

// Noise is the A/A noise floor in words, or "" where no control ran.
func (s *Sheet) Noise() string {
	n := s.Result.Noise
	if n.Control == "" {
		return ""
	}
	if !n.Known() {
		return "noise not known yet"
	}
	text := "noise " + PlusMinus(n.Floor) + " % (A/A"
	if n.False > 0 {
		text += fmt.Sprintf(", %d of %d called different", n.False, max(len(n.Cells), n.False))
	}
	return text + ")"
}

// MachineParts are the facts about a machine that its name does not say, the CPU first.
func (s *Sheet) MachineParts(name string) []string {
	m := s.Result.Platform
	cpu := m.CPU
	if m.CPUs > 0 {
		cpu = strings.TrimPrefix(cpu+", "+printable.Count(m.CPUs, "CPU"), ", ")
	}
	parts := append([]string{cpu, strings.Trim(m.GOOS+"/"+m.GOARCH, "/")}, conditions(m)...)
	parts = slices.DeleteFunc(parts, func(s string) bool { return s == name })
	if n := s.Result.Spent.Blocks; n > 0 {
		parts = append(parts, printable.Count(n, s.BlockNoun()))
	}
	return append(parts, s.Noise())
}
