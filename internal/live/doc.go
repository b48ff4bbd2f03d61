// Package live shows a run in progress.
//
// An [Event] is something that happened to a run; --events prints it as a line of JSON. A
// [Model] turns events into the text of the view. It knows no clock and no terminal, so
// the same events give the same text. A [Screen] shows a model on a terminal, with Bubble
// Tea, and passes keys on.
//
// The package decides nothing: events bring the verdicts of analysis.Tracker, once the
// stop rule is done with them. It must not disturb the trials, so it computes nothing
// from them, and the view changes when events arrive, not by the clock.
package live
