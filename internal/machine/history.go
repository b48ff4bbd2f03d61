package machine

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/disk"
	"github.com/seed-1318a441/assay/internal/printable"
)

// A Floor is the noise floor of a machine in one run: what the run found the same code
// to differ from itself.
type Floor struct {
	Time time.Time `json:"time"`
	// Host and Platform say which machine it was: its Platform.Host and Platform.ID.
	Host     string `json:"host,omitempty"`
	Platform string `json:"platform"`
	// Label and Address are what the run called the machine. Address is assay.LocalAddress
	// for the computer that assay ran on.
	Label   string `json:"label,omitempty"`
	Address string `json:"address"`
	// Machine describes it: "linux/amd64 AMD EPYC, 2 CPUs".
	Machine string `json:"machine,omitempty"`
	Run     string `json:"run,omitempty"`
	Study   string `json:"study,omitempty"`
	// AA is true if all variants of the run were the same code, measured to learn the
	// floor.
	AA     bool `json:"aa,omitempty"`
	Blocks int  `json:"blocks,omitempty"`
	// Floor is Noise.Floor of the result.
	Floor assay.Change `json:"floor"`
	// Smallest has for each of analysis.ReachTimes the smallest change that a run of that
	// length shows, 0 for none; empty if too little was measured.
	Smallest []assay.Change `json:"smallest,omitempty"`
}

// Bounds of the files of floors.
const (
	// mostFloors is the number of floors in a file, from which a new one begins. The file
	// before it is kept.
	mostFloors = 200
	// mostBytes is the maximum of bytes read from a file, mostLine that of a line.
	mostBytes = 1 << 20
	mostLine  = 4 << 10
	// mostMachines is the maximum number of files read to find a machine.
	mostMachines = 1000
	// mostFloor is the largest floor that a run can have: far above what is of use.
	mostFloor = 100
	mostText  = 200
)

// historySuffix ends the name of a file of floors, olderSuffix that of the file before.
const (
	historySuffix = ".jsonl"
	olderSuffix   = ".older.jsonl"
)

// historyDir returns the folder with a file of floors per machine.
func historyDir() (string, error) {
	dir, err := disk.StateDir()
	return filepath.Join(dir, "machines"), err
}

// historyName names the files of a machine. A machine that does not say which one it is
// goes by its address as well.
func historyName(host, platform, address string) string {
	if host != "" {
		address = ""
	}
	sum := sha256.Sum256(fmt.Appendf(nil, "%q %q %q", host, platform, address))
	return hex.EncodeToString(sum[:12])
}

// KeepFloor adds a floor to the history of its machine. Floors that are no number above 0 are
// not kept.
func KeepFloor(f Floor) error {
	if !f.sound() {
		return nil
	}
	dir, err := historyDir()
	if err != nil {
		return err
	}
	line, err := json.Marshal(f)
	if err != nil {
		return fmt.Errorf("keep noise floor: %w", err)
	}
	if len(line) > mostLine {
		return fmt.Errorf("keep noise floor: it has %d bytes", len(line))
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return fmt.Errorf("keep noise floor: %w", err)
	}
	base := filepath.Join(dir, historyName(f.Host, f.Platform, f.Address))
	if data := tail(base + historySuffix); bytes.Count(data, []byte("\n")) >= mostFloors {
		// A process that is writing goes on in the renamed file, so that nothing is lost.
		if err := os.Rename(base+historySuffix, base+olderSuffix); err != nil {
			return fmt.Errorf("keep noise floor: %w", err)
		}
	}
	if err := appendLine(base+historySuffix, line); err != nil {
		return fmt.Errorf("keep noise floor: %w", err)
	}
	return nil
}

// appendLine appends a line with one write, which those of other processes do not break
// up. It ends a torn line before.
func appendLine(name string, line []byte) error {
	if st, err := os.Lstat(name); err == nil && !st.Mode().IsRegular() {
		return fmt.Errorf("%s is no file", name)
	}
	if data := tail(name); len(data) > 0 && data[len(data)-1] != '\n' {
		line = append([]byte("\n"), line...)
	}
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(append(line, '\n'))
	return cmp.Or(err, f.Close())
}

// tail returns the last bytes of a plain file, nil if there is none.
func tail(name string) []byte {
	if !disk.IsFile(name) {
		return nil
	}
	f, err := os.Open(name)
	if err != nil {
		return nil
	}
	defer f.Close()
	if st, err := f.Stat(); err == nil && st.Size() > mostBytes {
		if _, err := f.Seek(-mostBytes, io.SeekEnd); err != nil {
			return nil
		}
	}
	data, err := io.ReadAll(io.LimitReader(f, mostBytes))
	if err != nil {
		return nil
	}
	return data
}

// Floors returns the floors of the machine with this platform, the oldest first. address
// is its Host.Address. What cannot be read is omitted.
func Floors(p assay.Platform, address string) []Floor {
	dir, err := historyDir()
	if err != nil {
		return nil
	}
	address = cmp.Or(address, assay.LocalAddress)
	of := func(f Floor) bool {
		return f.Host == p.Host && f.Platform == p.ID && (p.Host != "" || f.Address == address)
	}
	return floorsOf(filepath.Join(dir, historyName(p.Host, p.ID, address)), of)
}

// FloorsAt returns the floors of the machine that was last measured at an address, the
// oldest first: which one that is need not be asked of the machine.
func FloorsAt(address string) (floors []Floor) {
	dir, err := historyDir()
	if err != nil {
		return nil
	}
	address = cmp.Or(address, assay.LocalAddress)
	names, err := filepath.Glob(filepath.Join(dir, "*"+historySuffix))
	if err != nil {
		return nil
	}
	for _, name := range names[:min(len(names), mostMachines)] {
		if filepath.Ext(name[:len(name)-len(historySuffix)]) != "" {
			continue // the older file of a machine
		}
		list := floorsOf(name[:len(name)-len(historySuffix)], func(Floor) bool { return true })
		if n := len(list); n > 0 && list[n-1].Address == address && (len(floors) == 0 || list[n-1].Time.After(floors[len(floors)-1].Time)) {
			floors = list
		}
	}
	return floors
}

// floorsOf reads the files of a machine, and returns the floors that are of it.
func floorsOf(base string, of func(Floor) bool) (floors []Floor) {
	for _, name := range []string{base + olderSuffix, base + historySuffix} {
		for line := range bytes.Lines(tail(name)) {
			var f Floor
			if len(line) > mostLine || json.Unmarshal(line, &f) != nil || !f.sound() || !of(f) {
				continue
			}
			floors = append(floors, f.clean())
		}
	}
	slices.SortStableFunc(floors, func(a, b Floor) int { return a.Time.Compare(b.Time) })
	return floors[max(0, len(floors)-2*mostFloors):]
}

// sound reports whether the figures can be those of a run.
func (f Floor) sound() bool {
	ok := func(x assay.Change) bool { return !math.IsNaN(float64(x)) && x >= 0 && x <= mostFloor }
	return f.Floor > 0 && ok(f.Floor) && len(f.Smallest) <= 10 && !slices.ContainsFunc(f.Smallest, func(x assay.Change) bool { return x < 0 || math.IsNaN(float64(x)) })
}

// clean returns the floor with texts that are fit to print.
func (f Floor) clean() Floor {
	for _, s := range []*string{&f.Host, &f.Platform, &f.Label, &f.Address, &f.Machine, &f.Run, &f.Study} {
		*s = printable.Line(*s, mostText)
	}
	return f
}
