package relational

import (
	"encoding/json"
	"math"
	"strconv"
	"strings"
	"time"
)

// Value is a value of a column: nil, bool, int64, float64, string, time.Time or
// []Value for an array.
type Value any

// Kind is a type without its size.
type Kind uint8

// The kinds of columns.
const (
	Unknown Kind = iota // of a literal in quotes, or of a parameter that nothing determines
	Bool
	Int2
	Int4
	Int8
	Float8
	Numeric
	Text
	Varchar
	Char
	TimestampTZ
	Timestamp
	Date
	Time
	Interval
	JSON
	JSONB
	UUID
	Bytes
	OID
	Name
	TextArray
	IntArray
	Void
)

// Type is a kind with its size. Scale counts the digits behind the point.
type Type struct {
	Kind        Kind
	Size, Scale int
}

// kindInfo is what the catalogues and protocols call a kind.
type kindInfo struct {
	postgres, udt, mysql string
	oid                  uint32
	length               int // of a value in PostgreSQL, -1 if it varies
	category             byte
}

func (k Kind) info() kindInfo {
	list := [...]kindInfo{
		Unknown: {"text", "text", "varchar", 25, -1, 'S'}, Bool: {"boolean", "bool", "tinyint", 16, 1, 'B'},
		Int2: {"smallint", "int2", "smallint", 21, 2, 'N'}, Int4: {"integer", "int4", "int", 23, 4, 'N'},
		Int8: {"bigint", "int8", "bigint", 20, 8, 'N'}, Float8: {"double precision", "float8", "double", 701, 8, 'N'},
		Numeric: {"numeric", "numeric", "decimal", 1700, -1, 'N'}, Text: {"text", "text", "text", 25, -1, 'S'},
		Varchar: {"character varying", "varchar", "varchar", 1043, -1, 'S'}, Char: {"character", "bpchar", "char", 1042, -1, 'S'},
		TimestampTZ: {"timestamp with time zone", "timestamptz", "timestamp", 1184, 8, 'D'},
		Timestamp:   {"timestamp without time zone", "timestamp", "datetime", 1114, 8, 'D'}, Date: {"date", "date", "date", 1082, 4, 'D'},
		Time: {"time without time zone", "time", "time", 1083, 8, 'S'}, Interval: {"interval", "interval", "varchar", 1186, 16, 'S'},
		JSON: {"json", "json", "json", 114, -1, 'S'}, JSONB: {"jsonb", "jsonb", "json", 3802, -1, 'S'},
		UUID: {"uuid", "uuid", "char", 2950, 16, 'S'}, Bytes: {"bytea", "bytea", "blob", 17, -1, 'S'},
		OID: {"oid", "oid", "int", 26, 4, 'N'}, Name: {"name", "name", "varchar", 19, 64, 'S'},
		TextArray: {"text[]", "_text", "json", 1009, -1, 'A'}, IntArray: {"integer[]", "_int4", "json", 1007, -1, 'A'},
		Void: {"void", "void", "varchar", 2278, 4, 'S'},
	}
	if int(k) >= len(list) {
		k = Unknown
	}
	return list[k]
}

// OID is the number of the type in PostgreSQL, Length of its values.
func (k Kind) OID() uint32 { return k.info().oid }

// Length is how long a value is in PostgreSQL's binary form, -1 if that varies.
func (k Kind) Length() int { return k.info().length }

func (k Kind) numeric() bool { return k.info().category == 'N' }
func (k Kind) temporal() bool {
	return k.info().category == 'D'
}
func (k Kind) integer() bool { return k == Int2 || k == Int4 || k == Int8 || k == OID }

// OfOID finds the kind of a type's number.
func OfOID(oid uint32) Kind {
	for k := Bool; k <= Void; k++ {
		if k.OID() == oid {
			return k
		}
	}
	return Unknown
}

// kindNamed finds a kind by its name in a statement.
func kindNamed(name string) (Kind, bool) {
	switch name = strings.ToLower(name); name {
	case "bool", "boolean":
		return Bool, true
	case "smallint", "int2", "smallserial", "tinyint", "year":
		return Int2, true
	case "int", "integer", "int4", "serial", "serial4", "mediumint", "signed", "unsigned":
		return Int4, true
	case "bigint", "int8", "bigserial", "serial8":
		return Int8, true
	case "float", "float4", "float8", "real", "double":
		return Float8, true
	case "numeric", "decimal", "dec", "money", "fixed":
		return Numeric, true
	case "text", "longtext", "mediumtext", "tinytext", "citext", "enum", "set", "xml", "vector", "tsvector", "tsquery", "inet", "geometry":
		return Text, true
	case "varchar", "nvarchar":
		return Varchar, true
	case "char", "character", "bpchar", "nchar":
		return Char, true
	case "timestamptz", "timestamp":
		return TimestampTZ, true
	case "datetime":
		return Timestamp, true
	case "bytea", "blob", "longblob", "mediumblob", "tinyblob", "binary", "varbinary", "bit":
		return Bytes, true
	case "oid", "regclass", "regtype", "regproc", "xid":
		return OID, true
	case "date", "time", "interval", "json", "jsonb", "uuid", "name":
		return map[string]Kind{"date": Date, "time": Time, "interval": Interval, "json": JSON, "jsonb": JSONB, "uuid": UUID, "name": Name}[name], true
	}
	return Unknown, false
}

// Name is the type as PostgreSQL's format_type shows it.
func (t Type) Name() string {
	name := t.Kind.info().postgres
	switch {
	case t.Size > 0 && (t.Kind == Varchar || t.Kind == Char):
		return name + "(" + strconv.Itoa(t.Size) + ")"
	case t.Size > 0 && t.Kind == Numeric:
		return name + "(" + strconv.Itoa(t.Size) + "," + strconv.Itoa(t.Scale) + ")"
	}
	return name
}

// mysqlName is the type as MySQL's SHOW COLUMNS shows it.
func (t Type) mysqlName() string {
	name := t.Kind.info().mysql
	switch {
	case t.Kind == Bool:
		return "tinyint(1)"
	case t.Kind == UUID:
		return "char(36)"
	case name == "varchar" || name == "char":
		return name + "(" + strconv.Itoa(max(t.Size, 1)) + ")"
	case t.Kind == Numeric:
		if t.Size == 0 {
			return "decimal(10,0)"
		}
		return name + "(" + strconv.Itoa(t.Size) + "," + strconv.Itoa(t.Scale) + ")"
	}
	return name
}

// Format writes a value as a server sends it in text.
func (e Engine) Format(v Value, t Type) string {
	switch v := v.(type) {
	case nil:
		return ""
	case bool:
		if e == MySQL {
			return map[bool]string{false: "0", true: "1"}[v]
		}
		return map[bool]string{false: "f", true: "t"}[v]
	case int64:
		if t.Kind == Numeric && t.Scale > 0 {
			return strconv.FormatFloat(float64(v), 'f', t.Scale, 64)
		}
		return strconv.FormatInt(v, 10)
	case float64:
		return formatFloat(v, t)
	case string:
		return v
	case document:
		return string(v)
	case time.Time:
		return e.formatTime(v, t.Kind)
	case []Value:
		return e.formatArray(v)
	}
	return ""
}

func formatFloat(v float64, t Type) string {
	switch {
	case math.IsNaN(v):
		return "NaN"
	case math.IsInf(v, 0):
		return map[bool]string{false: "Infinity", true: "-Infinity"}[v < 0]
	case t.Kind == Numeric && t.Scale > 10: // no more digits than a float has
		n := min(max(15-len(strconv.FormatFloat(math.Abs(v), 'f', 0, 64)), 0), t.Scale)
		return strconv.FormatFloat(v, 'f', n, 64) + strings.Repeat("0", t.Scale-n)
	case t.Kind == Numeric && t.Scale > 0:
		return strconv.FormatFloat(v, 'f', t.Scale, 64)
	case math.Abs(v) < 1e15:
		return strconv.FormatFloat(v, 'f', -1, 64)
	}
	return strconv.FormatFloat(v, 'g', -1, 64)
}

func (e Engine) formatTime(v time.Time, k Kind) string {
	switch {
	case k == Date:
		return v.Format(time.DateOnly)
	case k == TimestampTZ && e == Postgres:
		return v.Format("2006-01-02 15:04:05.999999") + "+00"
	}
	return v.Format("2006-01-02 15:04:05.999999")
}

// formatArray writes an array: in braces for PostgreSQL, as JSON for MySQL.
func (e Engine) formatArray(list []Value) string {
	if e == MySQL {
		return jsonText(list)
	}
	parts := make([]string, 0, len(list))
	for _, v := range list {
		s := e.Format(v, Type{})
		switch {
		case v == nil:
			s = "NULL"
		case s == "" || strings.ContainsAny(s, ` ,{}"\`) || strings.EqualFold(s, "null"):
			s = `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(s) + `"`
		}
		parts = append(parts, s)
	}
	return "{" + strings.Join(parts, ",") + "}"
}

// jsonText writes a value as JSON.
func jsonText(v Value) string {
	p, err := json.Marshal(plain(v))
	if err != nil {
		return "null"
	}
	return string(p)
}

// plain prepares a value for JSON: times are texts, and texts that came from JSON
// are what they hold.
func plain(v Value) any {
	switch v := v.(type) {
	case time.Time:
		return v.Format("2006-01-02T15:04:05+00:00")
	case []Value:
		list := make([]any, len(v))
		for i := range v {
			list[i] = plain(v[i])
		}
		return list
	case float64:
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return nil
		}
	case document:
		return json.RawMessage(v)
	}
	return v
}

// document is JSON inside of JSON: it is not quoted again.
type document string
