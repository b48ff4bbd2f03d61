// Package live shows a run while it goes on.
//
// An [Event] is something that happened to a run; as a line of JSON it is what
// --events prints. A [Model] takes events and gives the text of the view: it knows no
// clock and no terminal, so that the same events give the same text. A [Screen] shows
// a model on a terminal, with Bubble Tea, and passes keys on.
//
// It decides nothing: verdicts come with the events, from analysis.Tracker, and
// only where the stop rule is done. It must not disturb what is measured, so
// nothing is worked out or asked for here, and the view changes when events come and
// not by the clock.
package live
