package session

import (
	"context"
	"fmt"
	"os"
	"time"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/cache"
	"github.com/seed-1318a441/assay/internal/disk"
	"github.com/seed-1318a441/assay/internal/host"
	"github.com/seed-1318a441/assay/internal/printable"
	"github.com/seed-1318a441/assay/internal/terminal"
)

// CacheLimit is the size from which a measurement prunes the cache.
func CacheLimit() string { return disk.SizeText(cache.Limit) }

// CacheLines returns a table with a line for each kind of entry in the user's cache of
// binaries and sources, and its folder.
func CacheLines() ([]string, error) {
	store := cache.New("")
	entries, err := store.Entries()
	if err != nil {
		return nil, err
	}
	type sum struct {
		n     int
		bytes int64
		used  time.Time
	}
	sums, order, all := map[string]*sum{}, []string{}, int64(0)
	for _, e := range entries {
		if sums[e.Kind] == nil {
			sums[e.Kind], order = &sum{used: e.Used}, append(order, e.Kind)
		}
		sums[e.Kind].n++
		sums[e.Kind].bytes += e.Bytes
		all += e.Bytes
	}
	rows := [][]string{{"kind", "entries", "size", "least recent use"}}
	for _, kind := range order {
		s := sums[kind]
		rows = append(rows, []string{kind, fmt.Sprint(s.n), disk.SizeText(s.bytes), printable.Age(time.Since(s.used)) + " ago"})
	}
	rows = append(rows, []string{"all", fmt.Sprint(len(entries)), disk.SizeText(all), ""})
	return append(terminal.Table(rows), store.Dir), nil
}

// PruneCache removes what was not used for longest from the user's cache, until limit
// bytes are left. It is an error if another assay measures here. It returns the
// size of what it has removed.
func PruneCache(ctx context.Context, limit int64) (freed string, err error) {
	busy := func(o host.Occupant) error {
		return assay.NewError(assay.ExitRefused, assay.CodeMachineBusy, "an assay that measures on this machine uses the cache", []string{o.String()}, "when it is done, the same line again")
	}
	leave, err := host.Occupy(ctx, host.Occupant{PID: os.Getpid(), Command: "assay cache --prune"}, busy)
	if err != nil {
		return "", err
	}
	defer leave()
	n, err := cache.New("").Prune(limit)
	return disk.SizeText(n), err
}
