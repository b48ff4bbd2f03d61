// Package gclog reads what Go programs printed under GODEBUG=gctrace=1, and compares the
// logs. Nothing pairs one log with another, so there are no verdicts. Package gctrace
// parses the lines.
package gclog
