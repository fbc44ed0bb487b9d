package relational

import (
	"math"
	"strconv"
	"strings"
	"time"
)

// cast converts a value to a type. name is the type's name in the statement, by
// which regclass differs from a number.
func (r *run) cast(v Value, t Type, name string) (Value, error) {
	if v == nil {
		return nil, nil
	}
	if d, ok := v.(document); ok && t.Kind != JSON && t.Kind != JSONB {
		v = string(d)
	}
	switch t.Kind {
	case Bool:
		return toBool(r, v)
	case Int2, Int4, Int8:
		return toInt(r, v, t.Kind)
	case OID:
		return toOID(r, v, name)
	case Float8, Numeric:
		return toNumber(r, v, t)
	case TimestampTZ, Timestamp, Date:
		return toTime(r, v, t.Kind)
	case Text, Varchar, Char, Name, Time, Interval, UUID, Bytes, Unknown:
		return toText(r, v, t)
	case JSON, JSONB:
		return toJSON(r, v, t.Kind)
	case TextArray, IntArray:
		return toArray(r, v, t.Kind)
	}
	return v, nil
}

func toBool(r *run, v Value) (Value, error) {
	switch v := v.(type) {
	case bool:
		return v, nil
	case int64:
		return v != 0, nil
	case string:
		switch strings.ToLower(strings.TrimSpace(v)) {
		case "t", "true", "yes", "on", "1", "y":
			return true, nil
		case "f", "false", "no", "off", "0", "n":
			return false, nil
		}
		if r.engine == MySQL {
			f, _ := prefixNumber(v)
			return f != 0, nil
		}
		return nil, r.engine.badValue(Bool, v)
	}
	return nil, cannot(v, Type{Kind: Bool})
}

func cannot(v Value, t Type) error {
	return &Error{State: "42846", Number: 1366, Message: "cannot cast type " + typeOf(v).Name() + " to " + t.Name()}
}

func toInt(r *run, v Value, kind Kind) (Value, error) {
	var n int64
	switch v := v.(type) {
	case int64:
		n = v
	case bool:
		if v {
			n = 1
		}
	case float64:
		if math.IsNaN(v) || math.Abs(v) >= 1<<62 {
			return tooLarge(r)
		}
		n = int64(math.RoundToEven(v))
	case string:
		var err error
		if n, err = strconv.ParseInt(strings.TrimSpace(v), 10, 64); err != nil {
			if r.engine == MySQL {
				f, _ := prefixNumber(v)
				return int64(max(min(f, 1<<62), -1<<62)), nil
			}
			return nil, r.engine.badValue(kind, v)
		}
	default:
		return nil, cannot(v, Type{Kind: kind})
	}
	bits := map[Kind]uint{Int2: 15, Int4: 31}[kind]
	if r.engine == Postgres && bits > 0 && (n >= 1<<bits || n < -1<<bits) {
		return nil, &Error{State: "22003", Message: kind.info().postgres + " out of range"}
	}
	return n, nil
}

// toOID finds the number of a table or type by its name: 'public.orders'::regclass.
func toOID(r *run, v Value, name string) (Value, error) {
	s, ok := v.(string)
	if !ok {
		return toInt(r, v, Int8)
	}
	if n, err := strconv.ParseInt(s, 10, 64); err == nil {
		return n, nil
	}
	switch name {
	case "regclass":
		schema, table := splitName(s)
		if t := r.store.find(schema, table); t != nil {
			return t.OID, nil
		}
		if n := catalogNumber(table); n != 0 {
			return n, nil
		}
		return nil, r.engine.noTable(s, r.Database)
	case "regtype":
		if k, ok := kindNamed(s); ok {
			return int64(k.OID()), nil
		}
	}
	return nil, r.engine.badValue(OID, s)
}

// splitName divides a name that may have a schema, and removes quotes.
func splitName(s string) (schema, name string) {
	s = strings.ReplaceAll(s, `"`, "")
	schema, name, found := strings.Cut(s, ".")
	if !found {
		return mainSchema, schema
	}
	return schema, name
}

func toNumber(r *run, v Value, t Type) (Value, error) {
	var f float64
	switch v := v.(type) {
	case int64:
		f = float64(v)
	case float64:
		f = v
	case bool:
		f, _ = prefixNumber(v)
	case string:
		var err error
		if f, err = strconv.ParseFloat(strings.TrimSpace(v), 64); err != nil {
			if r.engine == Postgres {
				return nil, r.engine.badValue(t.Kind, v)
			}
			f, _ = prefixNumber(v)
		}
	default:
		return nil, cannot(v, t)
	}
	if t.Kind == Numeric && t.Size > 0 {
		scale := math.Pow10(t.Scale)
		f = math.Round(f*scale) / scale
		if math.Abs(f) >= math.Pow10(t.Size-t.Scale) {
			return nil, r.engine.problem("22003", 1264, "numeric field overflow", "Out of range value for column")
		}
	}
	return f, nil
}

func toTime(r *run, v Value, kind Kind) (Value, error) {
	switch v := v.(type) {
	case time.Time:
		if kind == Date {
			return v.Truncate(24 * time.Hour), nil
		}
		return v, nil
	case string:
		s := strings.TrimSpace(v)
		switch strings.ToLower(s) {
		case "now":
			return r.now, nil
		case "today":
			return r.now.Truncate(24 * time.Hour), nil
		}
		for _, layout := range []string{
			time.RFC3339Nano, "2006-01-02 15:04:05.999999999Z07:00", "2006-01-02 15:04:05.999999999Z07", "2006-01-02T15:04:05.999999999", "2006-01-02 15:04:05.999999999",
			"2006-01-02 15:04", "2006-01-02T15:04", time.DateOnly, "2006/01/02", "20060102", "01/02/2006",
		} {
			if at, err := time.Parse(layout, s); err == nil {
				at = at.UTC()
				if kind == Date {
					at = at.Truncate(24 * time.Hour)
				}
				return at, nil
			}
		}
		return nil, r.engine.badValue(kind, s)
	}
	return nil, cannot(v, Type{Kind: kind})
}

func toText(r *run, v Value, t Type) (Value, error) {
	s, ok := v.(string)
	if !ok {
		if r.engine == Postgres {
			if b, isBool := v.(bool); isBool {
				return strconv.FormatBool(b), nil
			}
		}
		s = r.engine.Format(v, typeOf(v))
	}
	if t.Size > 0 && len([]rune(s)) > t.Size && (t.Kind == Varchar || t.Kind == Char) {
		return string([]rune(s)[:t.Size]), nil
	}
	return r.made(s)
}

// store converts a value to what a column holds.
func (r *run) stored(v Value, c *ColumnDef) (Value, error) {
	if v == nil {
		return nil, nil
	}
	if s, ok := v.(string); ok && (c.Type.Kind == Varchar || c.Type.Kind == Char) && c.Type.Size > 0 && len([]rune(s)) > c.Type.Size {
		return nil, r.engine.problem("22001", 1406, "value too long for type "+c.Type.Name(), "Data too long for column '%s' at row 1", c.Name)
	}
	if c.Type.Kind == Bool && r.engine == MySQL {
		f, _ := prefixNumber(v)
		return f != 0, nil
	}
	v, err := r.cast(v, c.Type, "")
	if s, ok := v.(string); ok && len(s) > maxValue {
		return nil, r.engine.full()
	}
	return v, err
}
