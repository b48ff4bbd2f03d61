package host

import "context"

// A Meter measures the share of the CPUs used by others between two readings. The zero
// value is ready; it is not safe for concurrent use.
type Meter struct {
	last  times
	known bool
}

// Read returns the share of all CPUs, from 0 to 1, used since the last reading by others
// than this process and the children that it has waited for. It returns 0 and false for
// the first reading, and if the share is unknown. It costs two system calls and a file.
func (m *Meter) Read(ctx context.Context) (share float64, ok bool) {
	now, ok := readTimes(ctx)
	family, told := familyCPU()
	if !ok || !told {
		return 0, false
	}
	now.own = family.Seconds()
	before, known := m.last, m.known
	m.last, m.known = now, true
	if !known || now.total-before.total < sampleTime.Seconds() {
		return 0, false
	}
	load, _ := shares(before, now)
	return load, true
}
