package assay

// A CodeChange compares two binaries of one benchmark.
type CodeChange struct {
	// For the whole binaries. Text is the size of all functions and File that of the
	// file, in bytes. Same, Differ, OnlyBase and OnlyVariant count functions.
	BaseFile    int64 `json:"base_file"`
	VariantFile int64 `json:"variant_file"`
	BaseText    int64 `json:"base_text"`
	VariantText int64 `json:"variant_text"`
	Same        int   `json:"same"`
	Differ      int   `json:"differ"`
	OnlyBase    int   `json:"only_base"`
	OnlyVariant int   `json:"only_variant"`
	// Packages that grew or shrank, largest change first.
	Packages []SizeChange `json:"packages,omitempty"`
	// Calls are the call edges that changed, summed over their callers, the most first.
	Calls []CallChange `json:"calls,omitempty"`
	// Functions are the relevant functions that differ, heaviest first.
	Functions []FuncChange `json:"functions,omitempty"`
	// Hot counts the relevant functions, SameHot those of them that are the same in both.
	Hot     int `json:"hot"`
	SameHot int `json:"same_hot"`
	// Data names the package variables whose initial value differs, embedded files among
	// them, if the relevant functions are the same.
	Data []string `json:"data,omitempty"`
	// Missing lists what could not be read, such as the symbols of a stripped binary.
	Missing []string `json:"missing,omitempty"`
}

// A SizeChange is the size of a package's functions, in bytes.
type SizeChange struct {
	Name    string `json:"name"`
	Base    int64  `json:"base"`
	Variant int64  `json:"variant"`
}

// A CallChange is a change of calls. From is "" for added calls, To for removed ones.
type CallChange struct {
	From string `json:"from,omitempty"`
	To   string `json:"to,omitempty"`
	// Count is the number of calls, Callers the number of functions that make them.
	Count   int `json:"count"`
	Callers int `json:"callers,omitempty"`
	// Inlined is true if the callee was inlined into the caller: From where To is "", or
	// To where From is "" (formerly inlined, now called).
	Inlined bool `json:"inlined,omitempty"`
	// Line is that of the first such call, on the side that has it. File is a base name.
	File string `json:"file,omitempty"`
	Line int    `json:"line,omitempty"`
}

// A FuncChange is one function that differs.
type FuncChange struct {
	// Name is readable: it has type arguments instead of shapes.
	Name string `json:"name"`
	// Symbol is its name in the binaries. It begins in File (a base name) at Line.
	Symbol string `json:"symbol"`
	// VariantName is the variant's function if it has another name: variants inside one
	// binary run functions of their own.
	VariantName string `json:"variant_name,omitempty"`
	File        string `json:"file,omitempty"`
	Line        int    `json:"line,omitempty"`
	// Base and Variant are nil where a side lacks it.
	Base    *FuncFacts `json:"base,omitempty"`
	Variant *FuncFacts `json:"variant,omitempty"`
	// Weight is its share of the profile, 0 to 1, on the side where it is larger.
	Weight float64      `json:"weight,omitempty"`
	Calls  []CallChange `json:"calls,omitempty"`
	// Decisions are the compiler decisions that differ.
	Decisions []DecisionChange `json:"decisions,omitempty"`
	// Listing has both sides' instructions for the few most important functions.
	Listing []CodeLine `json:"listing,omitempty"`
}

// FuncFacts are counts from a function's instructions.
type FuncFacts struct {
	Size         int `json:"size"`  // bytes
	Frame        int `json:"frame"` // bytes of stack
	Instructions int `json:"instructions"`
	Calls        int `json:"calls"`
	// BoundsChecks counts index panics, WriteBarriers calls of the write barrier.
	BoundsChecks  int `json:"bounds_checks"`
	WriteBarriers int `json:"write_barriers"`
}

// A CodeLine is one row of two listings side by side.
type CodeLine struct {
	// Base and Variant are instructions, "" for a side without one in this row.
	Base    string `json:"base,omitempty"`
	Variant string `json:"variant,omitempty"`
	// Kind is "" for equal lines and CodeDiffers for lines that differ. CodeFolded stands
	// for Count equal lines. CodeCut, at the end, stands for Count omitted lines.
	Kind  string `json:"kind,omitempty"`
	Count int    `json:"count,omitempty"`
	// Mark is "call", "bounds" or "barrier" for lines of interest.
	Mark string `json:"mark,omitempty"`
	// Line is the source line, the base's if it has one.
	Line int `json:"line,omitempty"`
}

// The kinds of code lines.
const (
	CodeDiffers = "differs"
	CodeFolded  = "folded"
	CodeCut     = "cut"
)

// The kinds of compiler decisions.
const (
	DecisionInline   = "inline"    // a function can be inlined
	DecisionNoInline = "no-inline" // it cannot be inlined, and why
	DecisionCall     = "call"      // a call was inlined
	DecisionEscape   = "escape"    // something is allocated on the heap
	DecisionStack    = "stack"     // something stays on the stack
	DecisionBounds   = "bounds"    // an index is checked
)

// A Decision is a decision of the compiler.
type Decision struct {
	// Kind is one of the Decision constants.
	Kind string `json:"kind"`
	File string `json:"file"` // base name
	Line int    `json:"line"`
	Col  int    `json:"col,omitempty"`
	// What it is about, such as "make([]int, n)" or a function. Reason says why.
	What   string `json:"what"`
	Reason string `json:"reason,omitempty"`
}

// A DecisionChange is a decision that only one side has.
type DecisionChange struct {
	Decision
	// Side is "base" or "variant".
	Side string `json:"side"`
}
