// Package memo remembers what slow functions return.
package memo

import "sync"

// A Map keeps the results of a slow function by key, and runs it once at a time for each
// key. It keeps no errors: a cancelled call must not fail the next one. The zero value is
// ready, also for parallel use.
type Map[V any] struct {
	mu    sync.Mutex
	cells map[string]*cell[V]
}

type cell[V any] struct {
	mu   sync.Mutex
	done bool
	v    V
}

// Do returns the value of key, computed by f the first time.
func (m *Map[V]) Do(key string, f func() (V, error)) (V, error) {
	c := m.cell(key)
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.done {
		return c.v, nil
	}
	v, err := f()
	if err == nil {
		c.v, c.done = v, true
	}
	return v, err
}

// Forget drops the value of key.
func (m *Map[V]) Forget(key string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.cells, key)
}

// Len returns the number of keys that Do was called with.
func (m *Map[V]) Len() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return len(m.cells)
}

func (m *Map[V]) cell(key string) *cell[V] {
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
