package meaning

// Kind is what a value is for, judged by its name, description and schema.
type Kind string

// The kinds. An argument goes onto a command line: a flag, a branch, a
// revision. A query is in any query language other than SQL.
const (
	KindPath     Kind = "path"
	KindDir      Kind = "dir"
	KindURL      Kind = "url"
	KindHost     Kind = "host"
	KindCommand  Kind = "command"
	KindArgument Kind = "argument"
	KindSQL      Kind = "sql"
	KindQuery    Kind = "query"
	KindCode     Kind = "code"
	KindTemplate Kind = "template"
	KindMarkup   Kind = "markup"
	KindJSON     Kind = "json"
	KindXML      Kind = "xml"
	KindData     Kind = "data"
	KindRegexp   Kind = "regexp"
	KindGlob     Kind = "glob"
	KindID       Kind = "id"
	KindName     Kind = "name"
	KindEmail    Kind = "email"
	KindDate     Kind = "date"
	KindNumber   Kind = "number"
	KindBool     Kind = "bool"
	KindText     Kind = "text"
	KindUnknown  Kind = "unknown"
)

// Guarded reports whether a server must not choose values of this kind: they
// name a place or an action, and the resulting access would look requested.
func (k Kind) Guarded() bool {
	switch k {
	case KindPath, KindDir, KindURL, KindHost, KindEmail, KindCommand, KindCode:
		return true
	}
	return false
}

// Telling ranks optional parameters: what a tool works on comes before options
// that only tune it. Kinds with 0 are not filled in.
func (k Kind) Telling() int {
	switch k {
	case KindPath, KindDir, KindURL, KindHost, KindCommand, KindSQL, KindCode:
		return 2
	case KindQuery, KindTemplate, KindMarkup, KindJSON, KindXML, KindData, KindText, KindRegexp, KindGlob:
		return 1
	}
	return 0
}
