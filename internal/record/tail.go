package record

import (
	"errors"
	"fmt"
	"io"
	"os"
)

// A tail is a file of a run folder that only grows. A kill or a full disk can leave part
// of an entry at its end, which is cut off.
type tail struct {
	folder folder
	name   string
	whole  int64    // length in bytes up to the end of the last whole entry
	file   *os.File // nil until open
}

// open opens the file to write after its whole entries, and returns how much it cut off.
func (t *tail) open() (cut int64, err error) {
	if t.file, err = t.folder.open(t.name, os.O_RDWR|os.O_CREATE); err != nil {
		return 0, err
	}
	info, err := t.file.Stat()
	if err != nil {
		return 0, err
	}
	t.whole = min(t.whole, info.Size()) // it may have been truncated by hand
	if cut = info.Size() - t.whole; cut > 0 {
		err = t.cut()
	}
	return cut, err
}

// cut cuts off what follows the whole entries.
func (t *tail) cut() error {
	if err := t.folder.truncate(t.file, t.name, t.whole); err != nil {
		return fmt.Errorf("cut torn end of %s: %w", t.name, err)
	}
	return nil
}

// write writes an entry after the whole ones, to which it belongs once whole is moved. If
// it cannot be written completely (disk full) it is cut off again.
func (t *tail) write(entry []byte) error {
	if _, err := t.file.Seek(t.whole, io.SeekStart); err != nil {
		return err
	}
	if err := t.folder.write(t.file, t.name, entry); err != nil {
		return errors.Join(err, t.cut())
	}
	return nil
}

// append writes an entry that is whole at once.
func (t *tail) append(entry []byte) error {
	if err := t.write(entry); err != nil {
		return err
	}
	t.whole += int64(len(entry))
	return nil
}

// sync makes the entries survive a power loss.
func (t *tail) sync() error {
	if t.file == nil {
		return nil
	}
	return t.folder.sync(t.file, t.name)
}

func (t *tail) close() error {
	if t.file == nil {
		return nil
	}
	return t.file.Close()
}
