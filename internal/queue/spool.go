package queue

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/seed-1318a441/assay/internal/disk"
	"github.com/seed-1318a441/assay/internal/hub"
)

// A spool is the folder in which an agent keeps results until they are in a record: a hub
// may lose what it has taken.
type spool struct{ dir string }

// spooled is a kept result.
type spooled struct {
	Commit Commit          `json:"commit"`
	Result json.RawMessage `json:"result"`
}

const spoolSuffix = ".json"

func openSpool(dir string) (*spool, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("make the folder of results: %w", err)
	}
	return &spool{dir}, nil
}

// file is the name of a result. Jobs are named by their submitters.
func (s *spool) file(run, job string) string {
	return filepath.Join(s.dir, safe(run)+"."+safe(job)+spoolSuffix)
}

// safe returns a name without what could lead elsewhere.
func safe(name string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || r == '-' {
			return r
		}
		return '_'
	}, name)
}

// keep keeps a result, synced.
func (s *spool) keep(k spooled) error {
	data, err := json.Marshal(k)
	if err != nil {
		return fmt.Errorf("keep result: %w", err)
	}
	return disk.WritePrivate(s.file(k.Commit.Run, k.Commit.Job), data)
}

// get returns the result of a job, if it is kept.
func (s *spool) get(run, job string) (k spooled, ok bool) {
	ok = disk.ReadJSON(s.file(run, job), &k)
	return k, ok && k.Commit.Run == run && k.Commit.Job == job
}

// drop removes a result.
func (s *spool) drop(run, job string) error {
	err := os.Remove(s.file(run, job))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// dropAll removes the results of a ticket that has ended: nobody else asks for them.
func (s *spool) dropAll(ticket string) {
	files, _ := filepath.Glob(filepath.Join(s.dir, safe(ticket)+".*"+spoolSuffix))
	for _, f := range files {
		os.Remove(f)
	}
}

// all returns the results that are kept, and removes those that nobody has asked for in
// hub.Kept.
func (s *spool) all() (list []spooled) {
	files, _ := os.ReadDir(s.dir)
	for _, f := range files {
		name := filepath.Join(s.dir, f.Name())
		var k spooled
		info, err := f.Info()
		switch {
		case err != nil || !strings.HasSuffix(f.Name(), spoolSuffix):
		case time.Since(info.ModTime()) > hub.Kept:
			os.Remove(name)
		case disk.ReadJSON(name, &k):
			list = append(list, k)
		}
	}
	return list
}
