//go:build !portable

package child

import (
	"encoding/binary"
	"errors"
	"io"
	"math"
	"time"

	"golang.org/x/sys/unix"
)

// A message between assay and its starter is a length in four bytes and a text; assay's
// files come with the first byte. It is not JSON, because the starter's memory and time
// count as the trial's: see memory.

var errMessage = errors.New("broken message")

// send writes one message, with files if there are any.
func send(sock int, message []byte, files ...int) error {
	b := binary.NativeEndian.AppendUint32(make([]byte, 0, 4+len(message)), uint32(len(message)))
	b = append(b, message...)
	var rights []byte
	if len(files) > 0 {
		rights = unix.UnixRights(files...)
	}
	for len(b) > 0 {
		n, err := unix.SendmsgN(sock, b, rights, nil, unix.MSG_NOSIGNAL)
		if err == unix.EINTR {
			continue
		}
		if err != nil {
			return err
		}
		b, rights = b[n:], nil
	}
	return nil
}

// receive reads one message and the files that come with it. The message is stored in b,
// of at least four bytes, if it fits.
func receive(sock int, b []byte) (message []byte, files []int, err error) {
	rights := make([]byte, unix.CmsgSpace(4*ownFiles))
	have, want := 0, 4
	for have < want {
		// No further: an order may follow the message.
		n, oob, _, _, err := unix.Recvmsg(sock, b[have:want], rights, unix.MSG_CMSG_CLOEXEC)
		switch {
		case err == unix.EINTR:
			continue
		case err != nil:
			return nil, files, err
		case n == 0:
			return nil, files, io.EOF
		}
		files = append(files, filesIn(rights[:oob])...)
		have += n
		if want == 4 && have == 4 {
			want += int(binary.NativeEndian.Uint32(b))
			if want > len(b) {
				b = append(b[:have], make([]byte, want-have)...)
			}
		}
	}
	return b[4:want], files, nil
}

func filesIn(rights []byte) (files []int) {
	messages, err := unix.ParseSocketControlMessage(rights)
	if err != nil {
		return nil
	}
	for i := range messages {
		some, _ := unix.ParseUnixRights(&messages[i])
		files = append(files, some...)
	}
	return files
}

// Flags of a job, in the order in which encode sets them.
const (
	flagCounters = 1 << iota
	flagAnnounce
)

func (j job) encode() []byte {
	var flags uint64
	for i, set := range []bool{j.Counters, j.Announce} {
		if set {
			flags |= 1 << i
		}
	}
	b := binary.AppendUvarint(nil, flags)
	b = binary.AppendUvarint(b, uint64(len(j.CPUs)))
	for _, cpu := range j.CPUs {
		b = binary.AppendUvarint(b, uint64(cpu))
	}
	b = appendStrings(b, []string{j.Path, j.Dir})
	b = appendStrings(b, j.Args)
	return appendStrings(b, j.Env)
}

func decodeJob(message []byte) (job, error) {
	d := decoder{rest: message}
	flags, cpus := d.number(), d.numbers()
	names, args, env := d.strings(), d.strings(), d.strings()
	if d.broken || len(names) != 2 {
		return job{}, errMessage
	}
	return job{Path: names[0], Dir: names[1], Args: args, Env: env, CPUs: cpus, Counters: flags&flagCounters != 0, Announce: flags&flagAnnounce != 0}, nil
}

func (r report) encode() []byte {
	b := make([]byte, 0, 256)
	usage := uint64(0)
	if r.HasUsage {
		usage = 1
	}
	for _, n := range [...]uint64{
		uint64(r.Start.UnixNano()), uint64(r.Wall), uint64(r.User), uint64(r.Sys), r.PeakRSS, uint64(int64(r.Code)),
		usage, uint64(r.MinorFaults), uint64(r.MajorFaults), uint64(r.VoluntarySwitches), uint64(r.InvoluntarySwitches),
		uint64(r.Escaped),
	} {
		b = binary.AppendUvarint(b, n)
	}
	b = appendStrings(b, []string{r.Signal, r.Err})
	for name, n := range r.Counters {
		b = appendStrings(b, []string{name})
		b = binary.AppendUvarint(b, math.Float64bits(n))
	}
	return b
}

func decodeReport(message []byte) (r report, err error) {
	d := decoder{rest: message}
	var n [12]uint64
	for i := range n {
		n[i] = d.number()
	}
	words := d.strings()
	for len(d.rest) > 0 && !d.broken {
		name := d.strings()
		if value := math.Float64frombits(d.number()); len(name) == 1 {
			if r.Counters == nil {
				r.Counters = map[string]float64{}
			}
			r.Counters[name[0]] = value
		}
	}
	if d.broken || len(words) != 2 {
		return report{}, errMessage
	}
	r.Start, r.Wall, r.User, r.Sys = time.Unix(0, int64(n[0])), time.Duration(n[1]), time.Duration(n[2]), time.Duration(n[3])
	r.PeakRSS, r.Code = n[4], int(int64(n[5]))
	r.Usage = Usage{n[6] == 1, int64(n[7]), int64(n[8]), int64(n[9]), int64(n[10])}
	r.Escaped = int(n[11])
	r.Signal, r.Err = words[0], words[1]
	return r, nil
}

func (a announcement) encode() []byte {
	b := binary.AppendUvarint(make([]byte, 0, 32), uint64(a.pid))
	return binary.AppendUvarint(b, uint64(a.at.UnixNano()))
}

// decodeAnnouncement converts the time to this process's monotonic clock, which both
// processes share.
func decodeAnnouncement(message []byte) (announcement, error) {
	d := decoder{rest: message}
	pid, at := d.number(), d.number()
	if d.broken || len(d.rest) > 0 {
		return announcement{}, errMessage
	}
	now := time.Now()
	return announcement{int(pid), now.Add(time.Duration(int64(at) - now.UnixNano()))}, nil
}

func appendStrings(b []byte, list []string) []byte {
	b = binary.AppendUvarint(b, uint64(len(list)))
	for _, s := range list {
		b = binary.AppendUvarint(b, uint64(len(s)))
		b = append(b, s...)
	}
	return b
}

// A decoder decodes a message; after an error all its results are empty.
type decoder struct {
	rest   []byte
	broken bool
}

func (d *decoder) number() uint64 {
	n, size := binary.Uvarint(d.rest)
	if size <= 0 {
		d.broken, d.rest = true, nil
		return 0
	}
	d.rest = d.rest[size:]
	return n
}

// numbers returns a list of small numbers: processors.
func (d *decoder) numbers() (list []int) {
	n := d.number()
	if n > uint64(len(d.rest)) { // each takes at least one byte
		d.broken = true
		return nil
	}
	for range n {
		one := d.number()
		if one >= maxCPUs {
			d.broken = true
			return nil
		}
		list = append(list, int(one))
	}
	return list
}

func (d *decoder) strings() []string {
	n := d.number()
	if n > uint64(len(d.rest)) { // each takes at least one byte
		d.broken = true
		return nil
	}
	list := make([]string, 0, n)
	for range n {
		size := d.number()
		if size > uint64(len(d.rest)) {
			d.broken = true
			return nil
		}
		list = append(list, string(d.rest[:size]))
		d.rest = d.rest[size:]
	}
	return list
}
