package design

import (
	"testing"

	"github.com/seed-1318a441/assay"
)

// With Relink a fresh link comes after so many blocks, up to a limit, and the blocks between
// take turns over those that exist.
func TestLinkNumber(t *testing.T) {
	p := &assay.Plan{Relink: 4, Study: assay.Study{Base: "a", Decide: assay.Decide{Confidence: 0.99}}}
	used := map[int]int{}
	for block := 1; block <= 200; block++ {
		n := linkNumber(p, block)
		if n < 1 || n > LinksMade(p, block) || LinksMade(p, block) > maxLinks {
			t.Fatalf("block %d uses link %d of %d", block, n, LinksMade(p, block))
		}
		if fresh := used[n] == 0; fresh != ((block-1)%4 == 0 && block <= 4*maxLinks) {
			t.Errorf("block %d uses link %d for the first time: %t", block, n, fresh)
		}
		used[n]++
	}
	for n, times := range used {
		if times < 8 {
			t.Errorf("link %d is used %d times of 200", n, times)
		}
	}
	if p.Relink = 0; linkNumber(p, 7) != 7 || Reuses(p) {
		t.Error("without Relink every block has links of its own")
	}
}
