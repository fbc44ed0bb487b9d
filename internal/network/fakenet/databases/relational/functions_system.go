package relational

import (
	"fmt"
	"strings"
	"time"
)

// PostgresVersion and MySQLVersion are the versions that the servers say they are.
const (
	PostgresVersion = "15.8 (Debian 15.8-0+deb12u1)"
	MySQLVersion    = "8.0.39"
)

// says makes a function that tells something about the session.
func says(kind Kind, f func(*run) Value) function {
	return function{most: 8, result: Type{Kind: kind}, nulls: true, call: func(r *run, _ []Value) (Value, error) { return f(r), nil }}
}

func systemFunctions() map[string]function {
	database := says(Name, func(r *run) Value { return r.Database })
	user := says(Name, func(r *run) Value {
		if r.engine == MySQL {
			return r.User + "@localhost"
		}
		return r.User
	})
	schema := says(Name, func(r *run) Value {
		if r.engine == MySQL {
			return r.Database
		}
		return mainSchema
	})
	yes, none := says(Bool, func(*run) Value { return true }), says(Text, func(*run) Value { return nil })
	size := says(Int8, func(*run) Value { return int64(16384) })
	nothing := says(Void, func(*run) Value { return "" })
	one := says(Int8, func(r *run) Value { return int64(1) })
	sleep := function{least: 1, most: 1, result: Type{Kind: Int4}, call: func(*run, []Value) (Value, error) {
		return int64(0), nil // nobody waits: the statement itself is the evidence
	}}
	return map[string]function{
		"version": says(Text, func(r *run) Value {
			if r.engine == MySQL {
				return MySQLVersion
			}
			return "PostgreSQL " + PostgresVersion + " on x86_64-pc-linux-gnu, compiled by gcc (Debian 12.2.0-14) 12.2.0, 64-bit"
		}),
		"database": database, "current_database": database, "current_catalog": database, "schema": database, "current_schema": schema,
		"user": user, "current_user": user, "session_user": user, "system_user": user, "current_role": user,
		"current_schemas":  says(TextArray, func(*run) Value { return []Value{"pg_catalog", mainSchema} }),
		"connection_id":    says(Int8, func(*run) Value { return int64(42) }),
		"pg_backend_pid":   says(Int4, func(*run) Value { return int64(4211) }),
		"inet_server_addr": none, "inet_client_addr": none, "inet_server_port": says(Int4, func(*run) Value { return int64(5432) }),
		"last_insert_id": says(Int8, func(r *run) Value { return r.lastID }), "lastval": says(Int8, func(r *run) Value { return r.lastID }),
		"row_count": says(Int8, func(r *run) Value { return r.affected }), "found_rows": says(Int8, func(r *run) Value { return r.found }),
		"nextval": one, "currval": one, "setval": one, "txid_current": one, "pg_table_is_visible": yes, "has_table_privilege": yes, "has_schema_privilege": yes,
		"has_database_privilege": yes, "has_column_privilege": yes, "pg_is_in_recovery": says(Bool, func(*run) Value { return false }),
		"pg_postmaster_start_time": says(TimestampTZ, func(*run) Value { return time.Date(2024, time.June, 1, 4, 0, 0, 0, time.UTC) }),
		"obj_description":          none, "col_description": none, "shobj_description": none, "load_file": none, "pg_get_viewdef": none, "pg_get_partkeydef": none,
		"pg_table_size": size, "pg_relation_size": size, "pg_total_relation_size": size, "pg_indexes_size": size, "pg_database_size": size,
		"pg_sleep": {least: 1, most: 1, result: Type{Kind: Void}, call: func(*run, []Value) (Value, error) { return "", nil }}, "sleep": sleep,
		"benchmark": {least: 2, most: 2, result: Type{Kind: Int4}, call: func(*run, []Value) (Value, error) { return int64(0), nil }},
		"set_config": {least: 3, most: 3, result: Type{Kind: Text}, call: func(r *run, a []Value) (Value, error) {
			r.set(strings.ToLower(r.show(a[0])), r.show(a[1]))
			return a[1], nil
		}},
		"current_setting":  {least: 1, most: 2, result: Type{Kind: Text}, call: currentSetting},
		"pg_advisory_lock": nothing, "pg_advisory_unlock": yes, "pg_try_advisory_lock": yes, "pg_advisory_xact_lock": nothing, "get_lock": one, "release_lock": one,
		"uuid": says(UUID, uuid), "gen_random_uuid": says(UUID, uuid),
		"uuid_generate_v4": says(UUID, uuid),
		"format_type":      {least: 1, most: 2, result: Type{Kind: Text}, nulls: true, call: formatType},
		"pg_get_expr":      {least: 2, most: 3, result: Type{Kind: Text}, call: func(_ *run, a []Value) (Value, error) { return a[0], nil }},
		"to_regclass":      {least: 1, most: 1, result: Type{Kind: OID}, call: toRegclass},
		"pg_size_pretty": {least: 1, most: 1, result: Type{Kind: Text}, call: func(_ *run, a []Value) (Value, error) {
			return fmt.Sprintf("%d kB", whole(a[0])/1024), nil
		}},
		"pg_get_userbyid":      says(Name, func(r *run) Value { return r.User }),
		"pg_get_constraintdef": {least: 1, most: 2, result: Type{Kind: Text}, call: constraintText},
		"pg_get_indexdef":      {least: 1, most: 3, result: Type{Kind: Text}, call: indexText},
		"pg_get_serial_sequence": {least: 2, most: 2, result: Type{Kind: Text}, call: func(r *run, a []Value) (Value, error) {
			_, table := splitName(r.show(a[0]))
			return mainSchema + "." + table + "_" + r.show(a[1]) + "_seq", nil
		}},
		"pg_encoding_to_char": says(Name, func(*run) Value { return "UTF8" }),
		"array_length":        {least: 1, most: 2, result: Type{Kind: Int4}, call: arrayLength}, "cardinality": {least: 1, most: 1, result: Type{Kind: Int4}, call: arrayLength},
		"array_upper":    {least: 2, most: 2, result: Type{Kind: Int4}, call: arrayLength},
		"array_position": {least: 2, most: 2, result: Type{Kind: Int4}, call: arrayPosition},
	}
}

// uuid depends on how many the session has made, so that a run can be repeated.
func uuid(r *run) Value {
	r.uuids++
	return fmt.Sprintf("6f1d2c3a-8b4e-4f70-9a51-%012x", r.uuids)
}

func currentSetting(r *run, a []Value) (Value, error) {
	name := strings.ToLower(r.show(a[0]))
	if v, found := r.setting(name); found {
		return v, nil
	}
	if len(a) > 1 {
		return nil, nil
	}
	return nil, &Error{State: "42704", Message: fmt.Sprintf("unrecognized configuration parameter %q", clip(name))}
}

func formatType(_ *run, a []Value) (Value, error) {
	t := Type{Kind: OfOID(uint32(whole(a[0])))}
	if a[0] == nil {
		return nil, nil
	}
	if len(a) > 1 && whole(a[1]) > 0 {
		mod := whole(a[1])
		switch t.Kind {
		case Varchar, Char:
			t.Size = mod - 4
		case Numeric:
			t.Size, t.Scale = (mod-4)>>16, (mod-4)&0xffff
		}
	}
	return t.Name(), nil
}

// Modifier is the type's size as pg_attribute has it.
func (t Type) Modifier() int64 {
	switch {
	case t.Size > 0 && (t.Kind == Varchar || t.Kind == Char):
		return int64(t.Size) + 4
	case t.Size > 0 && t.Kind == Numeric:
		return int64(t.Size)<<16 + int64(t.Scale) + 4
	}
	return -1
}

func toRegclass(r *run, a []Value) (Value, error) {
	schema, name := splitName(r.show(a[0]))
	if t := r.store.find(schema, name); t != nil {
		return t.OID, nil
	}
	return nil, nil
}

func arrayLength(_ *run, a []Value) (Value, error) {
	list, _ := a[0].([]Value)
	if len(list) == 0 {
		return nil, nil
	}
	return int64(len(list)), nil
}

func arrayPosition(r *run, a []Value) (Value, error) {
	list, _ := a[0].([]Value)
	for i, v := range list {
		if same, err := r.compareBy("=", v, a[1]); err == nil && same == true {
			return int64(i + 1), r.step(i)
		}
	}
	return nil, r.step(len(list))
}
