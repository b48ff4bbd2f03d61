//go:build !linux

package child

import (
	"time"

	"github.com/shirou/gopsutil/v4/process"
)

// A tree is the processes of a server: the started one and its descendants.
type tree struct {
	leader  int
	members []*process.Process
	next    time.Time // to look for members
}

func newTree(leader int) *tree { return &tree{leader: leader} }

// growEvery is how often a tree is searched for members, which costs more than all else.
const growEvery = 2 * time.Second

// grow searches for the members of the tree.
func (t *tree) grow() {
	t.next = time.Now().Add(growEvery)
	t.members = t.members[:0]
	p, err := process.NewProcess(int32(t.leader))
	if err != nil {
		return
	}
	t.members = []*process.Process{p}
	for i := 0; i < len(t.members); i++ {
		children, _ := t.members[i].Children()
		t.members = append(t.members, children...)
	}
}

// look adds up the resources of the members; pages that they share count once for each.
func (t *tree) look() sample {
	if !time.Now().Before(t.next) {
		t.grow()
	}
	s := sample{at: time.Now()}
	for _, p := range t.members {
		if m, err := p.MemoryInfo(); err == nil {
			s.rss += m.RSS
		}
		if c, err := p.Times(); err == nil {
			s.cpu += time.Duration((c.User + c.System) * float64(time.Second))
		}
	}
	return s
}
