//go:build !unix

package record

const noWait = 0
