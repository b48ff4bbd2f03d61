package host

import (
	"context"
	"strconv"
	"strings"
)

// macFacts are what macOS tells by pmset and sysctl.
type macFacts struct {
	// speed is the limit on the clock in percent that heat sets, 0 where it is not
	// told.
	speed int
	kinds bool // of core, fast ones and slow ones
}

func readMac(ctx context.Context, run func(context.Context, string, ...string) string) macFacts {
	levels, _ := strconv.Atoi(strings.TrimSpace(run(ctx, "sysctl", "-n", "hw.nperflevels")))
	return macFacts{speed: speedLimit(run(ctx, "pmset", "-g", "therm")), kinds: levels > 1}
}

// speedLimit reads "CPU_Speed_Limit = 80" of what pmset -g therm prints. On Apple
// silicon it notes nothing until there is something to note.
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
