//go:build linux && !portable

package trial
