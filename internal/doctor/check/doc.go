// Package check has the checks of assay doctor: what would spoil a measurement on this
// machine.
//
// A check is a method of [Facts] that returns findings, in findings.go and clock.go. Its
// facts come from linux.go and mac.go. Nothing here changes a setting: a finding has the
// commands to type. The A/A control of every run measures how noisy the machine really is
// (packages lab and analysis); the findings here say why.
package check
