//go:build portable

package trial

func init() { portable = true }
