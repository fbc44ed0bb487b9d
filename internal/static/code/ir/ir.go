// Package ir is the intermediate form of one source file: flat lists of its
// calls, strings and conditions, with names resolved.
//
// In comes a message from the child process that parsed the file, out goes a
// [File] whose indices point into its own lists. Messages are bounded and
// checked, because a parser that read hostile bytes may be under their control.
package ir

// Language of a file.
type Language string

// The languages that are read.
const (
	JavaScript Language = "javascript"
	TypeScript Language = "typescript"
	Python     Language = "python"
)

// Mark says where a value comes from, as a set.
type Mark uint16

// The sources that are told apart.
const (
	// MarkInput is a parameter of a tool's handler.
	MarkInput Mark = 1 << iota
	// MarkNet was fetched from the network.
	MarkNet
	// MarkEnviron is from the environment.
	MarkEnviron
	// MarkSecret is from a place where credentials are kept.
	MarkSecret
	// MarkDecoded was decoded from a constant or from something unknown.
	MarkDecoded
	// MarkTime is the date or the time.
	MarkTime
	// MarkHost is the name of machine or user, or the locale.
	MarkHost
	// MarkCount is a counter of the program's own.
	MarkCount
	// MarkCI is a variable that build machines set.
	MarkCI
	// MarkMachine is the number of processors, the memory, the uptime.
	MarkMachine
	// MarkQuoted was passed through a function that quotes.
	MarkQuoted
	// MarkRandom is chance.
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
	// Whole is set if it was parsed; of the rest only words were read, and Note
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
	// Exports are names that other files know functions by.
	Exports map[string]int `json:"exports,omitempty"`
	// Consts are the short texts that names of the file stand for.
	Consts map[string]string `json:"consts,omitempty"`
	// Hidden are lines with characters that are not shown as they are.
	Hidden []Hidden `json:"hidden,omitempty"`
	Shape  Shape    `json:"shape"`
	// Cut is set if there was more of something than is kept.
	Cut bool `json:"cut,omitempty"`
	// Lost is set if the process that read it ended before it was done.
	Lost bool `json:"-"`
}

// Import of a module.
type Import struct {
	Module string `json:"module"`
	Line   int    `json:"line"`
	// Dynamic is set if it happens in a call; Unknown if its name could not be
	// told.
	Dynamic bool `json:"dynamic,omitempty"`
	Unknown bool `json:"unknown,omitempty"`
}

// Func is a function.
type Func struct {
	Name string `json:"name,omitempty"`
	Line int    `json:"line"`
	// In is the function it is defined in.
	In int `json:"in"`
	// Handler is the number of the tool it belongs to, -1 if none.
	Handler int `json:"handler"`
	// Returns says where what it returns comes from.
	Returns Mark `json:"returns,omitempty"`
}

// Call of something.
type Call struct {
	// Name is resolved: "child_process.exec", "requests.get().json". It begins
	// with "./" or "." if it is of another file of the same package.
	Name string `json:"name"`
	Line int    `json:"line"`
	Func int    `json:"func"`
	// To is a function of this file, -1 if it is none.
	To   int   `json:"to"`
	Args []Arg `json:"args,omitempty"`
	// Conds must hold for it to happen, the innermost last.
	Conds []int `json:"conds,omitempty"`
	// Hidden is set if the name is not literally in the source but was computed
	// or decoded.
	Hidden bool `json:"hidden,omitempty"`
	// On says where the thing comes from that the method is of.
	On Mark `json:"on,omitempty"`
	// Capability is filled in by package analysis.
	Capability string `json:"-"`
}

// Arg is an argument.
type Arg struct {
	// Key is the name of a named argument, or of a member of an argument that
	// is an object.
	Key string `json:"key,omitempty"`
	// Text is its value as far as it is known, with [Hole] for what is not.
	Text string `json:"text,omitempty"`
	// Name is what it refers to, if that has a name.
	Name string `json:"name,omitempty"`
	// Joined is set if a text was put together with something unknown.
	Joined bool `json:"joined,omitempty"`
	// List is set if it is a list.
	List bool `json:"list,omitempty"`
	// Func is the function it is, -1 if none.
	Func  int  `json:"func"`
	Marks Mark `json:"marks,omitempty"`
}

// Hole stands for what is not known of a text.
const Hole = "\ufffc"

// Text is a text constant.
type Text struct {
	Text string `json:"text"`
	Line int    `json:"line"`
	Func int    `json:"func"`
	// Made is set if it was put together or decoded by the code.
	Made bool `json:"made,omitempty"`
	// Compared is set if something unknown is compared with it.
	Compared bool `json:"compared,omitempty"`
	// Into is what it is an argument of.
	Into string `json:"into,omitempty"`
	// Name is the variable or property it is the value of.
	Name string `json:"name,omitempty"`
	// Bytes is set for bytes.
	Bytes bool `json:"bytes,omitempty"`
	// Cut is set if it is longer.
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
	// Text is the line it stands on.
	Text  string `json:"text"`
	Marks Mark   `json:"marks,omitempty"`
	// Names are what it looks at, Values the constants it compares with.
	Names  []string `json:"names,omitempty"`
	Values []string `json:"values,omitempty"`
	// Calls are functions of this file it asks.
	Calls []int `json:"calls,omitempty"`
	// Not is set where it must not hold.
	Not bool `json:"not,omitempty"`
}

// Tool is the definition of a tool.
type Tool struct {
	Name        string `json:"name"`
	Description string `json:"description,omitempty"`
	Schema      string `json:"schema,omitempty"`
	Annotations string `json:"annotations,omitempty"`
	Line        int    `json:"line"`
	// NameIn and DescriptionIn are names in other files that stand for them.
	NameIn        string `json:"name_in,omitempty"`
	DescriptionIn string `json:"description_in,omitempty"`
	// Func is its handler, -1 if that is not known; Call names a handler in
	// another file.
	Func int    `json:"func"`
	Call string `json:"call,omitempty"`
}

// Word is an identifier and where it first stands.
type Word struct {
	Text string `json:"text"`
	Line int    `json:"line"`
}

// Hidden is a line with characters that are not shown as they are.
type Hidden struct {
	Line int `json:"line"`
	// Kind is "bidirectional", "invisible", "tag" or "selector".
	Kind  string `json:"kind"`
	Count int    `json:"count"`
	// First is the first of them, Text the line.
	First string `json:"first"`
	Text  string `json:"text"`
}

// Shape is how a file is written.
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
	// Foreign are identifiers with letters beyond ASCII.
	Foreign []Word `json:"foreign,omitempty"`
	// Packed is set if it carries the mark of a packer.
	Packed bool `json:"packed,omitempty"`
	// Bundled is set if it carries the marks of a bundler or compiler.
	Bundled bool `json:"bundled,omitempty"`
}
