package mcpsf

// WishKind is what is wrong with a value.
type WishKind string

// The kinds of wishes.
const (
	WishMissing    WishKind = "missing"    // there is none
	WishType       WishKind = "type"       // it has another type: Type is the right one
	WishOneOf      WishKind = "one of"     // it is none of Accepted
	WishUnexpected WishKind = "unexpected" // it must not be there
	WishFormat     WishKind = "format"     // it is not in the format Type: "uuid", "date", "url", "GeoJSON", ..., see below
	WishRelative   WishKind = "relative"   // a path must be relative, or inside the folder Accepted[0]
	WishAbsolute   WishKind = "absolute"   // a path must be absolute
	WishExisting   WishKind = "existing"   // it must name something that exists
	WishNew        WishKind = "new"        // it must name something that does not exist
	WishMore       WishKind = "more"       // it is too short or too small: Least is the bound
	WishLess       WishKind = "less"       // it is too long or too large: Most is the bound
	WishAfter      WishKind = "after"      // it must come after, or be larger than, the value called Accepted[0]
	WishProject    WishKind = "project"    // a folder must have a project of the kind, or with the file, Accepted[0]
	WishOneMember  WishKind = "one member" // one of the members Accepted is needed
	WishFirst      WishKind = "first"      // another call must be made before: Accepted are the names or verbs by which the text calls the tool
	WishResult     WishKind = "result"     // it must be what another tool returned: Accepted are the names or things by which the text calls that tool
)

// Formats that are a part of the value, which is in Accepted[0].
const (
	FormatPrefix   = "prefix"
	FormatSuffix   = "suffix"
	FormatContains = "contains"
	FormatPattern  = "pattern" // a regular expression
)

// TypeColumn is the type of a missing member that is a column of a table in a text.
const TypeColumn = "column"

// FormatExample is the format of the values in Accepted: the text gives them as
// examples.
const FormatExample = "example"

// Wish is what a text that refuses a call asks for. The server wrote it: a value in
// it is the server's.
type Wish struct {
	Kind WishKind `json:"kind"`
	// Path leads to the value, by the names of members and the indices of elements;
	// it is empty if the text does not say which value it is.
	Path []string `json:"path,omitempty"`
	// Loose is set if a program failed to read the value in something that it was
	// given: Path is then the last name alone, and what leads there is not known.
	Loose bool `json:"loose,omitempty"`
	// Output is set if it is about what the tool returns, which the server checked
	// before it sent it, or about what a service answered: not about the input.
	Output bool   `json:"output,omitempty"`
	Type   string `json:"type,omitempty"`
	// Got is the type that the refused value has, "" if the text does not say it.
	Got string `json:"got,omitempty"`
	// Value is the refused value as the text repeats it, "" if it does not: it finds
	// the place if the path does not.
	Value    string   `json:"value,omitempty"`
	Accepted []string `json:"accepted,omitempty"`
	// Arguments are those with which another call is wanted first, as the text writes them.
	Arguments map[string]string `json:"arguments,omitempty"`
	Least     *float64          `json:"least,omitempty"`
	Most      *float64          `json:"most,omitempty"`
}
