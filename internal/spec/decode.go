package spec

import (
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/seed-1318a441/assay/internal/knobs"
	"github.com/seed-1318a441/assay/internal/near"
	"github.com/seed-1318a441/assay/internal/spec/document"
)

// hint says where an unknown key belongs, or what it may have been meant for.
func hint(u document.UnknownKey) string {
	home := homeOf(u.Entry.Key)
	if u.Where != "" && !strings.HasPrefix(u.Where, "[") {
		home = "" // inside a value; what has the name elsewhere is another thing
	}
	known := slices.Sorted(maps.Keys(u.Keys))
	right := near.Name(u.Entry.Key, known)
	switch {
	case strings.HasPrefix(u.Where, inWorkload) && strings.HasPrefix(home, "in "+inWorkload):
		return "; it belongs to" + strings.TrimPrefix(home, "in "+inWorkload+",")
	case home != "":
		return "; it belongs " + home
	case right != "":
		return "; did you mean " + strconv.Quote(right) + "?"
	case u.Where == "":
		return ": this assay does not know it"
	}
	return "; it has " + strings.Join(known, ", ")
}

func length(p *time.Duration) document.Setter { return document.Text(p, PositiveDuration) }

// runVars stores a table of run variables.
func runVars(p *map[string]string) document.Setter {
	return func(e *document.Entry) error {
		if err := document.Pairs(p, checkRunVar)(e); err != nil {
			return err
		}
		for _, sub := range e.Value.Table.Entries {
			if err := knobs.CheckRunVariable(sub.Key, sub.Value.Text); err != nil {
				return sub.Wrong(err.Error())
			}
		}
		return nil
	}
}
