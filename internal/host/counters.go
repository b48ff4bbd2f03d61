package host

// A Refusal says why something is not available, in words; all are "" if it is.
type Refusal struct {
	Why string
	// Cure is a command or action, Undo the command that takes it back; "" for none.
	Cure, Undo string
}
