package host

import "context"

// A Meter tells what share of the CPUs others used between two readings. The zero
// value is ready; it is not safe for concurrent use.
type Meter struct {
	last  times
	known bool
}

// Read is the share of all CPUs, from 0 to 1, that neither this process nor the
// children that it has waited for used since the last reading. It is 0 and false at
// the first reading and where the system does not tell. It costs two system calls
// and a file.
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
