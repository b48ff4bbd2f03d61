package memo

// An Epoch keeps values for as long as a number stays the same, such as that of the
// trials that they were worked out from. The zero value is ready for use, but not in
// parallel.
type Epoch[K comparable, V any] struct {
	n      int
	values map[K]V
}

// Get returns the value of key in epoch n, from f if it is not known yet.
func (e *Epoch[K, V]) Get(n int, key K, f func() V) V {
	if e.values == nil || e.n != n {
		e.n, e.values = n, map[K]V{}
	}
	v, ok := e.values[key]
	if !ok {
		v = f()
		e.values[key] = v
	}
	return v
}
