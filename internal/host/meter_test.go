package host

import (
	"os/exec"
	"runtime"
	"testing"
	"time"
)

// What a child did that has been waited for is not the load of others.
func TestMeterLeavesOutChildren(t *testing.T) {
	var m Meter
	if _, ok := m.Read(t.Context()); ok {
		t.Error("the first reading knows a share")
	}
	if runtime.GOOS != "linux" {
		t.Skip("needs a shell and the CPU time of children")
	}
	before, _ := familyCPU()
	if err := exec.Command("sh", "-c", "i=0; while [ $i -lt 300000 ]; do i=$((i+1)); done").Run(); err != nil {
		t.Fatal(err)
	}
	time.Sleep(sampleTime) // the readings are a quarter of a second apart at least
	share, ok := m.Read(t.Context())
	if !ok || share < 0 || share > 1 {
		t.Errorf("share %v, %v", share, ok)
	}
	if after, _ := familyCPU(); after <= before {
		t.Errorf("the child's CPU time of %v is not counted", after-before)
	}
}
