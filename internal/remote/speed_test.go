package remote

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/seed-1318a441/assay/internal/lab"
	"github.com/seed-1318a441/assay/internal/local"
)

// BenchmarkBlock is what a block costs elsewhere, over pipes to an agent in a process of
// its own, beyond the same block here, in turns; what it sends and receives; and the
// memory of the agent.
func BenchmarkBlock(b *testing.B) {
	there := connectTo(b, b.TempDir())
	s := subjectStudy(b)
	s.Workloads = s.Workloads[1:] // a command that takes some milliseconds
	plan, as := planned(b, there.shop, there, s)
	here, err := local.NewMachine(there.builder.Cache)
	if err != nil {
		b.Fatal(err)
	}
	defer here.Close()
	if _, err := lab.Build(b.Context(), local.NewWorkshop(there.builder, here), s, func(lab.Event) {}); err != nil {
		b.Fatal(err)
	}
	runBlock(b, there, requestOf(plan, as, 1))
	runBlock(b, here, requestOf(plan, as, 1))
	sent, received := there.Traffic()
	var took [2]time.Duration
	index := 1
	for b.Loop() {
		index++
		for i, m := range []lab.Machine{there, here} {
			began := time.Now()
			runBlock(b, m, requestOf(plan, as, index))
			took[i] += time.Since(began)
		}
	}
	blocks := float64(index - 1)
	nowSent, nowReceived := there.Traffic()
	b.ReportMetric((took[0]-took[1]).Seconds()*1000/blocks, "overhead-ms")
	b.ReportMetric(took[0].Seconds()/took[1].Seconds(), "there/here")
	b.ReportMetric(float64(nowSent-sent+nowReceived-received)/blocks/1000, "kB/block")
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", there.agent().cmd.Process.Pid))
	if err != nil {
		b.Skip("there is no /proc here")
	}
	_, after, _ := strings.Cut(string(data), "VmRSS:")
	if kb, err := strconv.ParseFloat(strings.Fields(after)[0], 64); err == nil {
		b.ReportMetric(kb/1000, "agent-MB")
	}
}
