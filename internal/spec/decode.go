package spec

import (
	"strconv"
	"strings"
	"time"

	"github.com/seed-1318a441/assay/internal/knobs"
	"github.com/seed-1318a441/assay/internal/near"
	"github.com/seed-1318a441/assay/internal/spec/document"
)

// hint says where an unknown key belongs, or which key was probably meant.
func hint(u document.UnknownKey) string {
	home := homeOf(u.Entry.Key)
	if u.Where != "" && !strings.HasPrefix(u.Where, "[") {
		home = "" // inside a value; what has the name elsewhere is another thing
	}
	known := u.Keys.Keys()
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

// length is a length of time above 0.
func length(key string, p *time.Duration) document.Field {
	return document.Scalar(key, p, PositiveDuration, func(d time.Duration) string { return document.Quote(document.FormatDuration(d)) })
}

// share is a percentage.
func share(key string, p *float64, read func(string) (float64, error)) document.Field {
	return document.Scalar(key, p, read, func(f float64) string { return document.Quote(formatPercent(f)) })
}

// runVars is a table of run variables.
func runVars(p *map[string]string) document.Field {
	return document.Pairs("env", p, checkRunVar).Then(func(e *document.Entry) error {
		for _, sub := range e.Value.Table.Entries {
			if err := knobs.CheckRunVariable(sub.Key, sub.Value.Text); err != nil {
				return sub.Wrong(err.Error())
			}
		}
		return nil
	})
}
