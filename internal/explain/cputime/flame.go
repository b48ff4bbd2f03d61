package cputime

import (
	"cmp"
	"slices"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/binary"
)

// Limits of the tree of stacks.
const (
	// flameShare is the smallest share of the larger side's total that a frame has.
	flameShare = 0.005
	flameDepth = 60
	flameRoot  = "all"
)

// A node is a function in the tree, with nanoseconds of each side.
type node struct {
	nanos    [2]int64
	children map[string]*node
}

// newFlame merges the stacks of both sides into one tree, root first, with inlined
// functions. The children of its root are the benchmark, the goroutines that it starts,
// the collector's workers and the scheduler.
func newFlame(c *comparison) *assay.Frame {
	top := new(node)
	for side, blocks := range c.stacks {
		for _, all := range blocks {
			for _, s := range all {
				top.insert(s, side)
			}
		}
	}
	least := float64(max(top.nanos[0], top.nanos[1])) * flameShare
	f := top.frame(flameRoot, least, 1e9*float64(c.in.N)*float64(len(c.in.Base)))
	return &f
}

// insert adds a stack; frames deeper than flameDepth count for the frame there.
func (n *node) insert(s stack, side int) {
	n.nanos[side] += s.nanos
	for _, f := range slices.Backward(s.frames[max(0, len(s.frames)-flameDepth):]) {
		name := binary.ReadableName(f.name)
		child := n.children[name]
		if child == nil {
			child = new(node)
			if n.children == nil {
				n.children = map[string]*node{}
			}
			n.children[name] = child
		}
		child.nanos[side] += s.nanos
		n = child
	}
}

// frame is the node without small descendants, in seconds per operation: nanoseconds over
// scale.
func (n *node) frame(name string, least, scale float64) assay.Frame {
	f := assay.Frame{Name: name, Base: float64(n.nanos[0]) / scale, Variant: float64(n.nanos[1]) / scale}
	for child, c := range n.children {
		if float64(max(c.nanos[0], c.nanos[1])) >= least {
			f.Children = append(f.Children, c.frame(child, least, scale))
		}
	}
	slices.SortFunc(f.Children, func(a, b assay.Frame) int { return cmp.Compare(a.Name, b.Name) })
	return f
}
