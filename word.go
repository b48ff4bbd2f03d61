package assay

import (
	"fmt"
	"slices"
)

// A word of a closed list is a type that decodes no other word. A record, result or study
// may be untrusted, and outputs print such words as they are.

// decodeWord sets *w to a word of the list. "" is in lists of values that a record can lack:
// of a trial that was not run, a run that goes on, a gear that calibration chooses.
func decodeWord[T ~string](w *T, text []byte, what string, list ...T) error {
	if !slices.Contains(list, T(text)) {
		return fmt.Errorf("%.40q is no %s", text, what)
	}
	*w = T(text)
	return nil
}

func (v *Verdict) UnmarshalText(text []byte) error {
	return decodeWord(v, text, "verdict", Faster, Slower, Higher, Lower, Less, More, Changed, Same, Unclear, SameCoded, Saturated, Invalid, Mixed, Withheld)
}

func (s *Status) UnmarshalText(text []byte) error {
	return decodeWord(s, text, "status of a trial", "", StatusOK, StatusFailed, StatusTimeout, StatusNoResult, StatusSkipped, StatusWrong)
}

func (s *GateStatus) UnmarshalText(text []byte) error {
	return decodeWord(s, text, "status of a gate", GateHeld, GateFailed, GateUnknown)
}

func (s *StopReason) UnmarshalText(text []byte) error {
	return decodeWord(s, text, "reason to end a run", "", StopDecided, StopBudget, StopBlocks, StopInterrupted, StopNothingLeft, StopSameCode, StopRead)
}

func (b *Better) UnmarshalText(text []byte) error {
	return decodeWord(b, text, "direction of a metric", BetterUnknown, BetterLower, BetterHigher)
}

func (k *Kind) UnmarshalText(text []byte) error {
	return decodeWord(k, text, "kind of workload", KindGoTest, KindCommand, KindService)
}

func (g *Gear) UnmarshalText(text []byte) error {
	return decodeWord(g, text, "gear", append([]Gear{""}, Gears...)...)
}

func (k *CauseKind) UnmarshalText(text []byte) error {
	return decodeWord(k, text, "kind of cause", CauseAllocation, CauseAllocator, CauseGC, CauseInlining, CauseBounds, CauseBarriers,
		CauseCallee, CauseCode, CauseCalls, CauseLayout, CauseSettings, CauseData, CauseUnknown)
}
