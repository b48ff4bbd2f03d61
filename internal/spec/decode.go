package spec

import (
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/seed-1318a441/assay/internal/knobs"
	"github.com/seed-1318a441/assay/internal/near"
)

// hint says where an unknown key belongs, or what it may have been meant for.
func hint(u unknownKey) string {
	home := homeOf(u.entry.key)
	if u.where != "" && !strings.HasPrefix(u.where, "[") {
		home = "" // inside a value; what has the name elsewhere is another thing
	}
	known := slices.Sorted(maps.Keys(u.keys))
	right := near.Name(u.entry.key, known)
	switch {
	case strings.HasPrefix(u.where, inWorkload) && strings.HasPrefix(home, "in "+inWorkload):
		return "; it belongs to" + strings.TrimPrefix(home, "in "+inWorkload+",")
	case home != "":
		return "; it belongs " + home
	case right != "":
		return "; did you mean " + strconv.Quote(right) + "?"
	case u.where == "":
		return ": this assay does not know it"
	}
	return "; it has " + strings.Join(known, ", ")
}

func length(p *time.Duration) setter { return text(p, PositiveDuration) }

// runVars stores a table of run variables.
func runVars(p *map[string]string) setter {
	return func(e *entry) error {
		if err := pairs(p, checkRunVar)(e); err != nil {
			return err
		}
		for _, sub := range e.value.table.entries {
			if err := knobs.CheckRunVariable(sub.key, sub.value.text); err != nil {
				return sub.wrong(err.Error())
			}
		}
		return nil
	}
}
