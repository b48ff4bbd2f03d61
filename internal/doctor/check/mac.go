package check

import (
	"context"
	"strconv"
	"strings"
)

// macFacts come from macOS's pmset and sysctl.
type macFacts struct {
	// speed is the clock limit due to heat, in percent, 0 if unknown.
	speed int
	kinds bool // fast and slow cores
}

func readMac(ctx context.Context, run func(context.Context, string, ...string) string) macFacts {
	levels, _ := strconv.Atoi(strings.TrimSpace(run(ctx, "sysctl", "-n", "hw.nperflevels")))
	return macFacts{speed: speedLimit(run(ctx, "pmset", "-g", "therm")), kinds: levels > 1}
}

// speedLimit reads "CPU_Speed_Limit = 80" from the output of pmset -g therm. On Apple
// silicon it prints nothing until there is a limit.
func speedLimit(text string) int {
	for line := range strings.Lines(text) {
		name, value, ok := strings.Cut(line, "=")
		if ok && strings.TrimSpace(name) == "CPU_Speed_Limit" {
			n, _ := strconv.Atoi(strings.TrimSpace(value))
			return n
		}
	}
	if strings.Contains(text, "No thermal warning level has been recorded") {
		return 100
	}
	return 0
}
