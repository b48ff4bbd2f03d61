// Package chain describes the steps of a result: what each is compared with, its gates,
// and remarks, on one machine or several side by side. Package report prints
// them.
package chain
