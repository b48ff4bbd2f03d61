// Package session does the work behind assay's commands: it builds the variants of a
// study, opens a run or resumes one, and measures.
//
// It takes and returns values, and reports progress to a [Teller]. It never touches a
// console and knows no flags. Every session of one command shares its [Lease], so that
// one assay at a time measures on a machine, and its [Stop].
//
//	measure.go, takeup.go, gates.go    Measure and Plan: from a study to a run and its result
//	several.go                         MeasureAll: that on several machines side by side
//	probe.go                           the measurements of a search, such as a bisection
//	line.go, study.go, steps.go        ReadLine and ReadStudy: from words and files to a study
//	override.go, inherit.go            Override and Complete: flags, and a study's surroundings
//	load.go, cache.go                  assay load, cache
//	progress.go, watched.go            Progress: what a Teller gets to know
package session
