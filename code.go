package assay

// A CodeChange compares two binaries of one benchmark.
type CodeChange struct {
	// Whole binaries. Text is the size of all functions, File that of the file, in
	// bytes; Same, Differ, OnlyBase and OnlyVariant count functions.
	BaseFile    int64 `json:"base_file"`
	VariantFile int64 `json:"variant_file"`
	BaseText    int64 `json:"base_text"`
	VariantText int64 `json:"variant_text"`
	Same        int   `json:"same"`
	Differ      int   `json:"differ"`
	OnlyBase    int   `json:"only_base"`
	OnlyVariant int   `json:"only_variant"`
	// Packages that grew or shrank, by the size of the change.
	Packages []SizeChange `json:"packages,omitempty"`
	// Calls are the changed edges of the whole binary, summed over their callers,
	// those with the most callers first.
	Calls []CallChange `json:"calls,omitempty"`
	// Functions are those that matter here and differ, the heaviest first.
	Functions []FuncChange `json:"functions,omitempty"`
	// Hot counts the functions that matter here, SameHot those of them that are the
	// same in both.
	Hot     int `json:"hot"`
	SameHot int `json:"same_hot"`
	// Missing says what could not be read, such as symbols of a stripped binary.
	Missing []string `json:"missing,omitempty"`
}

// A SizeChange is the size of a package's functions, in bytes.
type SizeChange struct {
	Name    string `json:"name"`
	Base    int64  `json:"base"`
	Variant int64  `json:"variant"`
}

// A CallChange is calls that changed: From became To. From is "" for calls that
// came, To for calls that went.
type CallChange struct {
	From string `json:"from,omitempty"`
	To   string `json:"to,omitempty"`
	// Count is the number of calls, Callers that of functions which make them; of
	// one function it is 1.
	Count   int `json:"count"`
	Callers int `json:"callers,omitempty"`
	// Inlined is true where the callee's code is in the caller instead: that of From
	// where To is "", that of To where From is "" (it was inlined and is called now).
	Inlined bool `json:"inlined,omitempty"`
	// Line of the first such call, in the side that has it; File is a base name.
	File string `json:"file,omitempty"`
	Line int    `json:"line,omitempty"`
}

// A FuncChange is one function that differs.
type FuncChange struct {
	// Name is readable: type arguments instead of shapes.
	Name string `json:"name"`
	// Symbol is its name in the binaries; File (a base name) and Line where it begins.
	Symbol string `json:"symbol"`
	File   string `json:"file,omitempty"`
	Line   int    `json:"line,omitempty"`
	// Base and Variant are nil where a side lacks it.
	Base    *FuncFacts `json:"base,omitempty"`
	Variant *FuncFacts `json:"variant,omitempty"`
	// Weight is its part of the profile on the side where that is larger, 0 to 1; 0
	// without a profile.
	Weight float64      `json:"weight,omitempty"`
	Calls  []CallChange `json:"calls,omitempty"`
	// Decisions are the compiler's that differ.
	Decisions []DecisionChange `json:"decisions,omitempty"`
	// Listing has both sides' instructions beside each other, for the few functions
	// that matter most; equal stretches are folded.
	Listing []CodeLine `json:"listing,omitempty"`
}

// FuncFacts are counted in a function's instructions.
type FuncFacts struct {
	Size         int `json:"size"`  // bytes
	Frame        int `json:"frame"` // bytes of stack
	Instructions int `json:"instructions"`
	Calls        int `json:"calls"`
	// BoundsChecks counts places that panic for an index, WriteBarriers calls of the
	// barrier.
	BoundsChecks  int `json:"bounds_checks"`
	WriteBarriers int `json:"write_barriers"`
}

// A CodeLine is a row of two listings beside each other.
type CodeLine struct {
	// Base and Variant are instructions, "" where a side has none there.
	Base    string `json:"base,omitempty"`
	Variant string `json:"variant,omitempty"`
	// Kind is "" for equal lines, else CodeDiffers; CodeFolded stands for Count
	// equal lines, CodeCut, at the end, for Count that are left out.
	Kind  string `json:"kind,omitempty"`
	Count int    `json:"count,omitempty"`
	// Mark is "call", "bounds" or "barrier" for lines to look at.
	Mark string `json:"mark,omitempty"`
	// Line is the source line, of the base if it has one there.
	Line int `json:"line,omitempty"`
}

// The kinds of code lines.
const (
	CodeDiffers = "differs"
	CodeFolded  = "folded"
	CodeCut     = "cut"
)

// The kinds of a compiler's decisions.
const (
	DecisionInline   = "inline"    // a function can be inlined
	DecisionNoInline = "no-inline" // it cannot, and why
	DecisionCall     = "call"      // a call was inlined
	DecisionEscape   = "escape"    // something is allocated on the heap
	DecisionStack    = "stack"     // something stays on the stack
	DecisionBounds   = "bounds"    // an index is checked
)

// A Decision is one of the compiler's.
type Decision struct {
	// Kind is one of the Decision constants.
	Kind string `json:"kind"`
	File string `json:"file"` // base name
	Line int    `json:"line"`
	Col  int    `json:"col,omitempty"`
	// What it is about, such as "make([]int, n)" or a function; Reason is why.
	What   string `json:"what"`
	Reason string `json:"reason,omitempty"`
}

// A DecisionChange is a decision that only one side has.
type DecisionChange struct {
	Decision
	// Side is "base" or "variant".
	Side string `json:"side"`
}
