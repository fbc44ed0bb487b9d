package mcpsf

import "strings"

// The pointers with which we name values are JSON pointers with one addition: where
// an argument is a text that holds a JSON document, a "#" leads from the text into
// the document, as in "/filter#/author". A "#" in a name is therefore written "~2".

// intoText is where a pointer leads from a text into the document that it holds.
const intoText = "#/"

// PointerPart writes a name as a part of a pointer.
func PointerPart(name string) string {
	return strings.NewReplacer("~", "~0", "/", "~1", "#", "~2").Replace(name)
}

// PointerName returns the name that a part of a pointer stands for.
func PointerName(part string) string {
	return strings.NewReplacer("~1", "/", "~0", "~", "~2", "#").Replace(part)
}

// PointerText splits a pointer that leads into the document of a text: into that of
// the text, and that in the document. If it leads into none, ok is false and text
// the pointer itself.
func PointerText(pointer string) (text, inside string, ok bool) {
	text, inside, ok = strings.Cut(pointer, intoText)
	if ok {
		inside = "/" + inside
	}
	return text, inside, ok
}

// PointerArgument returns the name of the argument that a pointer leads into.
func PointerArgument(pointer string) string {
	text, _, _ := PointerText(pointer)
	part, _, _ := strings.Cut(strings.TrimPrefix(text, "/"), "/")
	return PointerName(part)
}

// PointerWithin reports whether a pointer is that of a value or of a part of it.
func PointerWithin(pointer, whole string) bool {
	rest, ok := strings.CutPrefix(pointer, whole)
	return ok && (rest == "" || rest[0] == '/' || strings.HasPrefix(rest, intoText))
}
