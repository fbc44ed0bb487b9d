package relational

import (
	"fmt"
	"strings"
)

// Engine is the server that is imitated.
type Engine uint8

// The two servers.
const (
	Postgres Engine = iota
	MySQL
)

// Error is an error of the database, as the client gets it.
type Error struct {
	State   string // SQLSTATE
	Number  uint16 // of MySQL
	Message string
	At      int // where in the statement, from one; 0: nowhere
}

// Error is the message.
func (e *Error) Error() string { return e.Message }

// problem makes an error with the words of the engine.
func (e Engine) problem(state string, number uint16, postgres, mysql string, args ...any) *Error {
	text := postgres
	if e == MySQL {
		text, state = mysql, mysqlState(number)
	}
	if n := strings.Count(text, "%"); n < len(args) {
		args = args[:n]
	}
	return &Error{State: state, Number: number, Message: fmt.Sprintf(text, args...)}
}

// mysqlState is the SQLSTATE of an error's number.
func mysqlState(number uint16) string {
	switch number {
	case 1222, 1241, 1242:
		return "21000"
	case 1136:
		return "21S01"
	case 1048, 1052, 1062:
		return "23000"
	case 1050:
		return "42S01"
	case 1051, 1146:
		return "42S02"
	case 1060:
		return "42S21"
	case 1054:
		return "42S22"
	case 1049, 1055, 1061, 1064, 1072, 1091, 1103, 1227, 1235, 1305, 1582, 3143:
		return "42000"
	case 1264, 1690:
		return "22003"
	case 1292:
		return "22007"
	case 1406:
		return "22001"
	case 1792:
		return "25006"
	}
	return "HY000"
}

func (e Engine) noTable(name, database string) *Error {
	if e == MySQL {
		return &Error{State: "42S02", Number: 1146, Message: fmt.Sprintf("Table '%s.%s' doesn't exist", database, name)}
	}
	return &Error{State: "42P01", Message: fmt.Sprintf("relation %q does not exist", name)}
}

func (e Engine) noColumn(table, name, clause string) *Error {
	full := name
	if table != "" {
		full = table + "." + name
	}
	if e == MySQL {
		return &Error{State: "42S22", Number: 1054, Message: fmt.Sprintf("Unknown column '%s' in '%s'", full, clause)}
	}
	if table == "" {
		full = `"` + name + `"`
	}
	return &Error{State: "42703", Message: fmt.Sprintf("column %s does not exist", full)}
}

func (e Engine) ambiguous(name string) *Error {
	return e.problem("42702", 1052, `column reference "%s" is ambiguous`, "Column '%s' in field list is ambiguous", name)
}

func (e Engine) noFunction(name string, types []string) *Error {
	if e == MySQL {
		return &Error{State: "42000", Number: 1305, Message: fmt.Sprintf("FUNCTION app.%s does not exist", name)}
	}
	return &Error{State: "42883", Message: fmt.Sprintf("function %s(%s) does not exist", name, strings.Join(types, ", "))}
}

func (e Engine) badValue(kind Kind, s string) *Error {
	name := kind.info().postgres
	if kind == TimestampTZ || kind == Timestamp || kind == Date {
		return e.problem("22007", 1292, `invalid input syntax for type `+name+`: "%s"`, "Incorrect datetime value: '%s'", s)
	}
	return e.problem("22P02", 1366, `invalid input syntax for type `+name+`: "%s"`, "Incorrect "+kind.info().mysql+" value: '%s'", s)
}

// tooMuch ends a statement that uses up its budget.
func (e Engine) tooMuch() *Error {
	return e.problem("57014", 3024, "canceling statement due to statement timeout",
		"Query execution was interrupted, maximum statement execution time exceeded")
}

// full says that the store has no room.
func (e Engine) full() *Error {
	return e.problem("53100", 1114, "could not extend file \"base/16384/16397\": No space left on device", "The table is full")
}

func (e Engine) unsupported(what string) *Error {
	return e.problem("0A000", 1235, "%s is not supported", "This version of MySQL doesn't yet support '%s'", what)
}

func (e Engine) denied(what string) *Error {
	return e.problem("42501", 1227, "permission denied for %s", "Access denied; you need (at least one of) the %s privilege(s) for this operation", what)
}
