// Package ir is the intermediate form of one source file: flat lists of its
// calls, strings and conditions, with names resolved.
//
// It takes a message from the child process that parsed the file and returns a
// [File] whose indices point into its own lists. Messages are bounded and
// checked, because hostile source may have taken control of the parser.
package ir

// Language of a file.
type Language string

// The supported languages.
const (
	JavaScript Language = "javascript"
	TypeScript Language = "typescript"
	Python     Language = "python"
)

// Mark is the set of sources of a value.
type Mark uint16

// The sources.
const (
	// MarkInput is a parameter of a tool's handler.
	MarkInput Mark = 1 << iota
	// MarkNet was fetched from the network.
	MarkNet
	// MarkEnviron is from the environment.
	MarkEnviron
	// MarkSecret is from a place where credentials are stored.
	MarkSecret
	// MarkDecoded was decoded from a constant or from something unknown.
	MarkDecoded
	// MarkTime is the date or the time.
	MarkTime
	// MarkHost is the name of the machine or user, or the locale.
	MarkHost
	// MarkCount is a counter of the program's own.
	MarkCount
	// MarkCI is a variable that CI machines set.
	MarkCI
	// MarkMachine is the number of processors, the memory, the uptime.
	MarkMachine
	// MarkQuoted was passed through a function that quotes.
	MarkQuoted
	// MarkRandom is random.
	MarkRandom
	// MarkFile was read from a file.
	MarkFile
	// MarkWhole is all of the environment.
	MarkWhole
)

// File is one source file.
type File struct {
	Path     string   `json:"path"`
	Language Language `json:"language"`
	// Whole is set if it was parsed; otherwise it was read loosely, and Note
	// says why.
	Whole bool   `json:"whole"`
	Note  string `json:"note,omitempty"`

	Imports []Import `json:"imports,omitempty"`
	// Funcs are the functions; the first is the file itself.
	Funcs []Func `json:"funcs,omitempty"`
	Calls []Call `json:"calls,omitempty"`
	Texts []Text `json:"texts,omitempty"`
	Reads []Read `json:"reads,omitempty"`
	Conds []Cond `json:"conds,omitempty"`
	Tools []Tool `json:"tools,omitempty"`
	// Exports are the names by which other files import functions.
	Exports map[string]int `json:"exports,omitempty"`
	// Consts are the short texts assigned to names of the file.
	Consts map[string]string `json:"consts,omitempty"`
	// Hidden are lines with hidden characters.
	Hidden []Hidden `json:"hidden,omitempty"`
	Shape  Shape    `json:"shape"`
	// Flow is where values come from; nil in dependencies, and if the file was
	// not parsed.
	Flow *Flow `json:"flow,omitempty"`
	// Contract is which answers the file declares; nil if there are none.
	Contract *Contract `json:"contract,omitempty"`
	// Cut is set if a list was longer than is kept.
	Cut bool `json:"cut,omitempty"`
	// Lost is set if the reading process ended too early.
	Lost bool `json:"-"`
}

// Import of a module.
type Import struct {
	Module string `json:"module"`
	Line   int    `json:"line"`
	// Dynamic is set if it happens in a call; Unknown if its name is not known.
	Dynamic bool `json:"dynamic,omitempty"`
	Unknown bool `json:"unknown,omitempty"`
}

// Func is a function.
type Func struct {
	Name string `json:"name,omitempty"`
	Line int    `json:"line"`
	// In is the enclosing function.
	In int `json:"in"`
	// Handler is the index of the tool it belongs to, -1 if none.
	Handler int `json:"handler"`
	// Returns is the source of its results.
	Returns Mark `json:"returns,omitempty"`
}

// Call of something.
type Call struct {
	// Name is resolved: "child_process.exec", "requests.get().json". It begins
	// with "./" or "." for another file of the same package.
	Name string `json:"name"`
	Line int    `json:"line"`
	Func int    `json:"func"`
	// To is the called function of this file, -1 if it is none.
	To   int   `json:"to"`
	Args []Arg `json:"args,omitempty"`
	// Conds are its conditions, the innermost last.
	Conds []int `json:"conds,omitempty"`
	// Hidden is set if the name is not literally in the source but was computed
	// or decoded.
	Hidden bool `json:"hidden,omitempty"`
	// On is the source of the method's receiver.
	On Mark `json:"on,omitempty"`
	// Capability is filled in by package analysis.
	Capability string `json:"-"`
}

// Arg is an argument.
type Arg struct {
	// Key is the name of a named argument, or of a member of an argument that
	// is an object.
	Key string `json:"key,omitempty"`
	// Text is its known value, with [Hole] for unknown parts.
	Text string `json:"text,omitempty"`
	// Name is the resolved name it refers to, if any.
	Name string `json:"name,omitempty"`
	// Joined is set if a text was concatenated with something unknown.
	Joined bool `json:"joined,omitempty"`
	// List is set if it is a list.
	List bool `json:"list,omitempty"`
	// Func is the index of a function argument, -1 if none.
	Func  int  `json:"func"`
	Marks Mark `json:"marks,omitempty"`
}

// Hole stands for an unknown part of a text.
const Hole = "\ufffc"

// Text is a text constant.
type Text struct {
	Text string `json:"text"`
	Line int    `json:"line"`
	Func int    `json:"func"`
	// Made is set if the code concatenated or decoded it.
	Made bool `json:"made,omitempty"`
	// Compared is set if an unknown value is compared with it.
	Compared bool `json:"compared,omitempty"`
	// Into is the call it is an argument of.
	Into string `json:"into,omitempty"`
	// Name is the variable or property it is assigned to.
	Name string `json:"name,omitempty"`
	// Bytes is set for bytes.
	Bytes bool `json:"bytes,omitempty"`
	// Cut is set if it was longer.
	Cut bool `json:"cut,omitempty"`
}

// Read is a use of a sensitive name, such as the environment.
type Read struct {
	Name   string `json:"name"`
	Line   int    `json:"line"`
	Func   int    `json:"func"`
	Conds  []int  `json:"conds,omitempty"`
	Hidden bool   `json:"hidden,omitempty"`
}

// Cond is a condition.
type Cond struct {
	Line int `json:"line"`
	// Text is its source line.
	Text  string `json:"text"`
	Marks Mark   `json:"marks,omitempty"`
	// Names are what it depends on, Values the constants it compares with.
	Names  []string `json:"names,omitempty"`
	Values []string `json:"values,omitempty"`
	// Calls are the functions of this file it calls.
	Calls []int `json:"calls,omitempty"`
	// Not is set if it must be false.
	Not bool `json:"not,omitempty"`
}

// Tool is the definition of a tool.
type Tool struct {
	Name        string `json:"name"`
	Description string `json:"description,omitempty"`
	Schema      string `json:"schema,omitempty"`
	Annotations string `json:"annotations,omitempty"`
	Line        int    `json:"line"`
	// NameIn and DescriptionIn are names of constants in other files.
	NameIn        string `json:"name_in,omitempty"`
	DescriptionIn string `json:"description_in,omitempty"`
	// Func is its handler, -1 if unknown; Call names a handler in another file.
	Func int    `json:"func"`
	Call string `json:"call,omitempty"`
}

// Word is an identifier and its first position.
type Word struct {
	Text string `json:"text"`
	Line int    `json:"line"`
}

// Hidden is a line with hidden characters.
type Hidden struct {
	Line int `json:"line"`
	// Kind is "bidirectional", "invisible", "tag" or "selector".
	Kind  string `json:"kind"`
	Count int    `json:"count"`
	// First is the first of them, Text the line.
	First string `json:"first"`
	Text  string `json:"text"`
}

// Shape describes how a file is written.
type Shape struct {
	Bytes       int `json:"bytes"`
	Lines       int `json:"lines"`
	Longest     int `json:"longest"`
	Tokens      int `json:"tokens"`
	Idents      int `json:"idents"`
	Distinct    int `json:"distinct"`
	Hex         int `json:"hex"`
	HexDistinct int `json:"hex_distinct"`
	Short       int `json:"short"`
	Punct       int `json:"punct"`
	Escaped     int `json:"escaped"`
	StringBytes int `json:"string_bytes"`
	// Foreign are identifiers with non-ASCII letters.
	Foreign []Word `json:"foreign,omitempty"`
	// Packed is set if it has the signature of a packer.
	Packed bool `json:"packed,omitempty"`
	// Bundled is set if it has the signature of a bundler or compiler.
	Bundled bool `json:"bundled,omitempty"`
}
