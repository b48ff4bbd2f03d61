package build

import "sync"

// A memo keeps the results of a slow function by key, and runs it once at a
// time for each key. Errors are not kept: a cancelled call must not fail the
// next one. The zero value is ready for use.
type memo[V any] struct {
	mu    sync.Mutex
	cells map[string]*cell[V]
}

type cell[V any] struct {
	mu   sync.Mutex
	done bool
	v    V
}

// do returns the value of key, from f if it is not known yet; hit says that it
// was.
func (m *memo[V]) do(key string, f func() (V, error)) (v V, hit bool, err error) {
	c := m.cell(key)
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.done {
		return c.v, true, nil
	}
	v, err = f()
	if err == nil {
		c.v, c.done = v, true
	}
	return v, false, err
}

// forget drops what is known of key.
func (m *memo[V]) forget(key string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.cells, key)
}

func (m *memo[V]) cell(key string) *cell[V] {
	m.mu.Lock()
	defer m.mu.Unlock()
	c := m.cells[key]
	if c == nil {
		c = new(cell[V])
		if m.cells == nil {
			m.cells = map[string]*cell[V]{}
		}
		m.cells[key] = c
	}
	return c
}
