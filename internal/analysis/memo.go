package analysis

// A memo keeps what was worked out from so many trials: the stop rule, the tables and
// the effects ask for the same.
type memo[K comparable, V any] struct {
	trials int
	values map[K]V
}

// get returns the value of a key, made anew where there are more trials than there were.
func (m *memo[K, V]) get(trials int, key K, make func() V) V {
	if m.values == nil || m.trials != trials {
		m.trials, m.values = trials, map[K]V{}
	}
	v, ok := m.values[key]
	if !ok {
		v = make()
		m.values[key] = v
	}
	return v
}
