//go:build race

package trial

func init() { raceEnabled = true }
