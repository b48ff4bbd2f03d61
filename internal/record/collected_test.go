package record

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/seed-1318a441/assay"
)

func testCollected() *assay.Collected {
	return &assay.Collected{
		Latency:     &assay.Histogram{Values: []float64{0.001, 0.002}, Counts: []int{3, 1}},
		Percentiles: []assay.Percentile{{P: 0.99, Seconds: 0.002}},
		Intervals:   []assay.Interim{{At: 1, Rate: 160.5}},
		GC:          []assay.GCCycle{{N: 1, Mark: 0.018, Live: 1 << 20}},
		Memory:      []assay.MemorySample{{At: 0.5, Bytes: 700 << 20}},
	}
}

// What a trial left is read back, also while the record is being written.
func TestCollectedIsRead(t *testing.T) {
	r := create(t, 1)
	raw := Raw{Stdout: []byte("load"), Server: []byte("log\n"), Collected: testCollected()}
	if err := r.Append(testTrial(2), raw); err != nil {
		t.Fatal(err)
	}
	read, err := Read(Folder(r.Dir))
	if err != nil {
		t.Fatal(err)
	}
	for _, run := range []*Run{r.Run(), read} {
		c, ok, err := run.Collected(2)
		if !ok || err != nil || !reflect.DeepEqual(&c, testCollected()) {
			t.Errorf("got %+v, %v, %v", c, ok, err)
		}
		if c, ok, err := run.Collected(1); ok || err != nil {
			t.Errorf("of a trial that left nothing: %+v, %v, %v", c, ok, err)
		}
	}
	if raw, err := read.Printed(2); err != nil || string(raw.Server) != "log\n" {
		t.Errorf("log of the server: %q, %v", raw.Server, err)
	}
	if c, ok, err := new(Run).Collected(1); ok || err != nil {
		t.Errorf("of a run that was not read: %+v, %v, %v", c, ok, err)
	}
}

// A kill after the material and before the line leaves files of a trial that
// does not count; its successor must not have them.
func TestMaterialOfALostTrialGoes(t *testing.T) {
	r := create(t, 1)
	if _, err := r.writeCollected(2, testCollected()); err != nil {
		t.Fatal(err)
	}
	if _, err := r.prints.add(2, Raw{Stdout: []byte("x"), Server: []byte("y")}); err != nil {
		t.Fatal(err)
	}
	if err := r.Append(testTrial(2), Raw{Stderr: []byte("z")}); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(r.Dir, CollectedName(2))); !os.IsNotExist(err) {
		t.Errorf("what the lost trial collected is still there (%v)", err)
	}
	if raw, err := r.Run().Printed(2); err != nil || raw.Stdout != nil || raw.Server != nil || string(raw.Stderr) != "z" {
		t.Errorf("its successor printed %+v, %v", raw, err)
	}
}

// What could not be read again is not kept, and does not end the run.
func TestTooMuchIsNotKept(t *testing.T) {
	r := create(t, 0)
	much := &assay.Collected{Memory: make([]assay.MemorySample, maxCollectedEntries+1)}
	if err := r.Append(testTrial(1), Raw{Collected: much}); err != nil {
		t.Fatal(err)
	}
	if _, ok, err := r.Run().Collected(1); ok || err != nil {
		t.Errorf("got %v, %v; want nothing", ok, err)
	}
}

// What cannot be read in place of a file that the trial's line names was put there.
func TestCollectedThatIsReplaced(t *testing.T) {
	r := create(t, 0)
	if err := r.Append(testTrial(1), Raw{Collected: testCollected()}); err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(r.Dir, CollectedName(1))
	if err := errors.Join(os.Remove(name), os.Mkdir(name, 0o777)); err != nil {
		t.Fatal(err)
	}
	if _, _, err := r.Run().Collected(1); !errors.Is(err, ErrCollected) {
		t.Errorf("got %v, want %v", err, ErrCollected)
	}
}

func zipped(t testing.TB, text string) []byte {
	var buf bytes.Buffer
	z := gzip.NewWriter(&buf)
	z.Write([]byte(text))
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return buf.Bytes()
}

// A record may be anybody's.
func TestHostileCollected(t *testing.T) {
	good, err := json.Marshal(testCollected())
	if err != nil {
		t.Fatal(err)
	}
	whole := zipped(t, string(good))
	for name, data := range map[string][]byte{
		"no gzip":         []byte("nonsense"),
		"empty":           {},
		"torn":            whole[:len(whole)-9],
		"zeros":           make([]byte, len(whole)),
		"no JSON":         zipped(t, "nonsense"),
		"a bomb":          zipped(t, strings.Repeat(" ", maxCollected+1)),
		"many entries":    zipped(t, `{"gc":[`+strings.Repeat("{},", maxCollectedEntries)+`{}]}`),
		"counts missing":  zipped(t, `{"latency":{"values":[1,2],"counts":[1]}}`),
		"values fall":     zipped(t, `{"latency":{"values":[2,1],"counts":[1,1]}}`),
		"negative counts": zipped(t, `{"latency":{"values":[1,2],"counts":[5,-1]}}`),
		"counts overflow": zipped(t, `{"latency":{"values":[1,2],"counts":[9223372036854775807,1]}}`),
	} {
		run := &Run{fsys: fstest.MapFS{CollectedName(7): {Data: data}}}
		c, ok, err := run.Collected(7)
		if ok || err == nil || !strings.Contains(err.Error(), CollectedName(7)) || !reflect.DeepEqual(c, assay.Collected{}) {
			t.Errorf("%s: got %v, %v; want an error that names the file", name, ok, err)
		}
	}
	run := &Run{fsys: fstest.MapFS{CollectedName(7): {Data: whole}}}
	if _, ok, err := run.Collected(7); !ok || err != nil {
		t.Errorf("the good one: %v, %v", ok, err)
	}
}

// No link leads out of a run folder that somebody sent.
func TestFolderKeepsInside(t *testing.T) {
	r := create(t, 1)
	secret := filepath.Join(t.TempDir(), "secret")
	os.WriteFile(secret, zipped(t, "{}"), 0o666)
	os.Mkdir(filepath.Join(r.Dir, CollectedDir), 0o777)
	if err := os.Symlink(secret, filepath.Join(r.Dir, CollectedName(1))); err != nil {
		t.Skip("no symbolic links here")
	}
	if _, ok, err := r.Run().Collected(1); ok || err == nil {
		t.Errorf("got %v, %v; want an error", ok, err)
	}
}

func FuzzCollected(f *testing.F) {
	good, err := json.Marshal(testCollected())
	if err != nil {
		f.Fatal(err)
	}
	f.Add(string(good))
	f.Add(`{"latency":{"values":[1],"counts":[1,2]}}`)
	f.Add(`{"gc":[{}]}`)
	f.Fuzz(func(t *testing.T, text string) {
		c, err := decodeCollected(bytes.NewReader(zipped(t, text)))
		if err == nil && c.Latency != nil && (c.Latency.Total() < 0 || len(c.Latency.Values) != len(c.Latency.Counts)) {
			t.Errorf("took %+v", c.Latency)
		}
		_, _ = decodeCollected(strings.NewReader(text)) // as it stands, which is rarely gzip
	})
}
