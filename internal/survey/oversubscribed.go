package survey

import (
	"cmp"
	"fmt"
	"strconv"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/printable"
)

// oversubscribed warns about variants that may run more threads at once than the machine has
// CPUs. That is a question like others; but on a machine with fewer CPUs than the author's it
// is another question than his, and the numbers say nothing of this.
func oversubscribed(study *assay.Study, variants []assay.Variant, cpus int) []assay.Warning {
	var who []string
	most := 0
	for _, v := range variants {
		own, _ := strconv.Atoi(v.Env["GOMAXPROCS"])
		if n := cmp.Or(max(own, 0), study.Measure.GOMAXPROCS); n > cpus && cpus > 0 {
			who, most = append(who, v.Name), max(most, n)
		}
	}
	if len(who) == 0 {
		return nil
	}
	return []assay.Warning{{Code: assay.CodeOversubscribed, Text: fmt.Sprintf("GOMAXPROCS=%d on a machine with %s: threads take turns on them", most, printable.Count(cpus, "CPU")),
		Facts:  []string{printable.Few(who, someNames), "the result holds for this load on this machine; it does not show what more CPUs gain"},
		Advice: fmt.Sprintf("a machine with %d CPUs, or GOMAXPROCS=%d", most, cpus)}}
}
