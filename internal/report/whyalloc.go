package report

import (
	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/sheet/account"
	"github.com/seed-1318a441/assay/internal/terminal"
)

// maxSites is the number of sites without --all.
const maxSites = 10

// allocations prints what an operation allocates, and the sites that differ.
func (x *explained) allocations() {
	a := x.account.Explanation.Allocs
	if a == nil {
		return
	}
	if alike := account.Alike(a); alike != "" {
		x.out.Blank()
		x.hang("", "allocations per operation   "+alike+"; "+account.AllocNote(a), 3)
		return
	}
	x.out.Table(x.account.AllocTable(a))
	x.siteList(a)
	x.out.Blank()
	x.hang("", account.AllocNote(a), 3)
}

// siteList prints the sites that differ, and with --all those that allocate.
func (x *explained) siteList(a *assay.AllocChange) {
	sites, left := firstOf(a.Sites, maxSites, x.out.Style)
	width := 0
	for _, s := range sites {
		width = max(width, x.out.Style.WidthOf(account.SiteCount(s)))
	}
	for i, s := range sites {
		if i == 0 {
			x.out.Blank()
		}
		x.site(s, min(width, x.out.Style.Columns()/2))
	}
	x.left("  ", left)
}

// site prints a line that allocates: what came or went, and below it the type and why.
func (x *explained) site(s assay.AllocSite, width int) {
	x.hang("  "+terminal.Pad(x.out.Style.Text(account.SiteCount(s)), width, false)+"  ", x.account.Place(s.Function, s.File, s.Line), 2)
	if what := account.SiteObjects(s); what != "" {
		x.hang("      ", what, 3)
	}
}

// collectorWork prints the collector's metrics from the traced trials.
func (x *explained) collectorWork() {
	c := x.account.Explanation.GC
	if c == nil || len(c.Rows) == 0 {
		return
	}
	x.named(x.account.CollectorTable(c), 54)
	if note := account.CollectorNote(c); note != "" {
		x.out.Blank()
		x.hang("", note, 2)
	}
}
