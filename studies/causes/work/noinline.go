//go:build !inline

package work

// Step folds one number in.
func Step(h, i uint64) uint64 { return (h ^ i) * 1099511628211 }
