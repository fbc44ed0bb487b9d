// Package syntax is the small language-neutral tree that the readers of
// JavaScript and Python produce and that package resolve reads.
//
// It has one vocabulary for the statements and expressions of both languages:
// names, assignments, calls, concatenations, comparisons, each with its line.
// Anything that no analysis needs is an [Other] node that only holds its parts.
package syntax

// Kind is the kind of a node.
type Kind uint8

// The kinds, with what Text and Kids hold.
const (
	// Other only holds its parts.
	Other Kind = iota
	// Name is an identifier in Text.
	Name
	// String is a text constant: Text is its value. Op is "b" for bytes.
	String
	// Number is a numeric constant as it is written.
	Number
	// Regexp is a pattern as it is written, without delimiters.
	Regexp
	// Join is a text concatenated from its parts: a template, an f-string.
	Join
	// Binary is an operation, Text the operator. Chains of "+" are one node.
	Binary
	// Unary is an operation with one operand: "!", "not", "-", "await",
	// "typeof", "++", "each" for an element of the operand.
	Unary
	// Call has the callee first and then the arguments. Op is "new" for a
	// constructor.
	Call
	// Member is Kids[0] with its property Text.
	Member
	// Index is Kids[0] with the property that Kids[1] evaluates to. A slice has
	// a Slice there.
	Index
	// Slice has start, end and step, each of which may be nil.
	Slice
	// List is an array, a tuple or a set.
	List
	// Object has Pairs and Spreads.
	Object
	// Pair is a property: Text its name, Kids[0] its value; a computed name is
	// Kids[1].
	Pair
	// Spread is "...x", "*x", "**x".
	Spread
	// Keyword is a named argument.
	Keyword
	// Func has Params, the body, and an Other with decorators (may be nil). Its Op is
	// "arrow", or "str" if Python says that it returns a text.
	// Text is its name. Op is "arrow" if the body is one expression.
	Func
	// Params has Param nodes.
	Params
	// Param is a parameter: Text its name, "" if it is a pattern; Kids are the
	// default, the annotation, the pattern; each may be nil. Op is "*" for rest.
	Param
	// Class has a Block with its members, then its bases.
	Class
	// Assign has a target and a value, and perhaps an annotation. Text is the
	// operator if it is not "=". Op is "let" if the target's names are new.
	Assign
	// If has a condition, a then branch, and perhaps an else branch.
	If
	// Loop has the condition or an Assign of each element, then the body.
	Loop
	// Comprehension has the element, then an Assign of each, then conditions.
	Comprehension
	// Block is a sequence of statements.
	Block
	// Return has a value or none. Text is "throw" for raise and throw.
	Return
	// Import of module Text has Pairs: imported name and its local Name. "*"
	// stands for the module itself.
	Import
	// Export has Pairs: the exported name and its value. Text is the module it
	// is re-exported from.
	Export
)

// Node is a piece of a program.
type Node struct {
	Kind Kind
	Text string
	Op   string
	Line int
	Kids []*Node
}

// Kid returns the i-th part, nil if there is none.
func (n *Node) Kid(i int) *Node {
	if n == nil || i >= len(n.Kids) {
		return nil
	}
	return n.Kids[i]
}

// Is reports whether n is not nil and of a kind.
func (n *Node) Is(k Kind) bool { return n != nil && n.Kind == k }

// Comment is a comment of the source.
type Comment struct {
	Text string
	Line int
}

// Tree is a parsed file.
type Tree struct {
	Root     *Node
	Comments []Comment
	// Whole is set if the whole file was parsed.
	Whole bool
	// Note says why it was not.
	Note string
	// Words counts the tokens of the file.
	Words Words
}

// Words are counts over the tokens of a file.
type Words struct {
	// Tokens counts all tokens, Idents the identifiers, Distinct the different
	// ones.
	Tokens, Idents, Distinct int
	// Hex are identifiers such as _0x1a2b, HexDistinct different ones.
	Hex, HexDistinct int
	// Short are identifiers of one or two letters.
	Short int
	// Punct are brackets and operators.
	Punct int
	// Escaped counts letters that are needlessly written as \xNN or \u00NN in
	// strings.
	Escaped int
	// StringBytes is the total size of string constants.
	StringBytes int
	// Foreign are identifiers with non-ASCII letters.
	Foreign []Comment
}

// Plus makes one node of a chain of additions.
func Plus(left, right *Node, line int) *Node {
	if left.Is(Binary) && left.Text == "+" {
		left.Kids = append(left.Kids, right)
		return left
	}
	return &Node{Kind: Binary, Text: "+", Line: line, Kids: []*Node{left, right}}
}

// Needless counts the printable characters in a string that are written as
// escapes.
func Needless(s string) int {
	n := 0
	for i := 0; i+3 < len(s); i++ {
		if s[i] != '\\' {
			continue
		}
		switch {
		case s[i+1] == 'x' && s[i+2] >= '2' && s[i+2] <= '7':
			n++
		case s[i+1] == 'u' && i+5 < len(s) && s[i+2] == '0' && s[i+3] == '0' && s[i+4] >= '2' && s[i+4] <= '7':
			n++
		}
		i++
	}
	return n
}
