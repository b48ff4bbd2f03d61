// Package local is this computer: a Workshop that builds variants with the sources and
// toolchains that are here, and a Machine that runs their trials. The Workshop checks what a
// variant sets (does its toolchain know that?), the Machine what it needs (CPUs, levels,
// programs, an architecture).
//
// What is built, and how, package build knows; how one process runs, package trial. The
// order of trials and what becomes of them is the lab's business.
package local
