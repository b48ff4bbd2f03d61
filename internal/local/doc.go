// Package local is this computer: a Workshop that builds variants with the local sources
// and toolchains, and a Machine that runs their trials. The Workshop checks a variant's
// settings (does its toolchain know them?), the Machine what it needs (CPUs, levels,
// programs, an architecture).
//
// Package build does the building, package trial runs a single process, and package lab
// decides the order of trials and keeps their results.
package local
