package schema

// Kind is what a value is, as far as its name, its description and its schema
// tell.
type Kind string

// The kinds. An argument is what goes onto a command line: a flag, a branch, a
// revision. A query is any language of questions that is not SQL.
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

// guarded reports whether a server must not choose values of this kind: they
// say where to go or what to do, and what is then seen would look asked for.
func (k Kind) guarded() bool {
	switch k {
	case KindPath, KindDir, KindURL, KindHost, KindEmail, KindCommand, KindCode:
		return true
	}
	return false
}

// telling orders optional parameters: what a tool works on comes before what
// only tunes it. 0 is not worth filling in by itself.
func (k Kind) telling() int {
	switch k {
	case KindPath, KindDir, KindURL, KindHost, KindCommand, KindSQL, KindCode:
		return 2
	case KindQuery, KindTemplate, KindMarkup, KindJSON, KindXML, KindData, KindText, KindRegexp, KindGlob:
		return 1
	}
	return 0
}
