package relational

import (
	"slices"
	"strings"
)

// schemaOf is the schema of the store that a name means. The database of MySQL, by
// the name that the client gave it, and the schema public of PostgreSQL are the same,
// so that both servers have the same tables.
func (s *Session) schemaOf(name string) string {
	if name == "" {
		name = s.Database
		if s.engine == Postgres {
			return mainSchema
		}
	}
	if s.engine == MySQL {
		if slices.Contains(s.store.schemas, name) && name != mainSchema {
			return name
		}
		if s.isSchema(name) {
			return mainSchema
		}
	}
	return name
}

// isSchema says whether a schema, or a database of MySQL, exists.
func (s *Session) isSchema(name string) bool {
	if s.engine == Postgres {
		return slices.Contains(s.store.schemas, name) || name == "pg_catalog" || name == "information_schema"
	}
	name = strings.ToLower(name)
	return name == strings.ToLower(s.Database) || name == "app" || slices.Contains(s.store.schemas, name) && name != mainSchema ||
		slices.Contains([]string{"information_schema", "mysql", "performance_schema", "sys"}, name)
}

// shownSchema is the name of a schema as the server's catalogues have it.
func (s *Session) shownSchema(name string) string {
	if s.engine == MySQL && name == mainSchema {
		if slices.Contains(s.store.schemas, s.Database) {
			return "app"
		}
		return s.Database
	}
	return name
}

// schemas are all schemas as the server shows them.
func (s *Session) schemas() []string {
	var list []string
	for _, name := range s.store.schemas {
		list = append(list, s.shownSchema(name))
	}
	if s.engine == MySQL {
		return append(list, "information_schema", "mysql", "performance_schema", "sys")
	}
	return append(list, "pg_catalog", "information_schema")
}

// settings are the settings of the servers, as far as clients ask for them.
func (s *Session) settings() [][2]string {
	if s.engine == MySQL {
		return [][2]string{
			{"auto_increment_increment", "1"}, {"autocommit", "1"}, {"character_set_client", "utf8mb4"}, {"character_set_connection", "utf8mb4"},
			{"character_set_database", "utf8mb4"}, {"character_set_results", "utf8mb4"}, {"character_set_server", "utf8mb4"},
			{"collation_connection", "utf8mb4_0900_ai_ci"}, {"collation_database", "utf8mb4_0900_ai_ci"}, {"collation_server", "utf8mb4_0900_ai_ci"},
			{"datadir", "/var/lib/mysql/"}, {"default_storage_engine", "InnoDB"}, {"hostname", "db-1"}, {"init_connect", ""}, {"innodb_buffer_pool_size", "134217728"},
			{"interactive_timeout", "28800"}, {"license", "GPL"}, {"lower_case_table_names", "0"}, {"max_allowed_packet", "67108864"}, {"max_connections", "151"},
			{"net_buffer_length", "16384"}, {"net_write_timeout", "60"}, {"performance_schema", "1"}, {"port", "3306"}, {"query_cache_size", "0"}, {"query_cache_type", "OFF"},
			{"secure_file_priv", "/var/lib/mysql-files/"}, {"session_track_schema", "1"}, {"sql_mode", sqlMode}, {"sql_safe_updates", "0"}, {"ssl_cipher", ""},
			{"system_time_zone", "UTC"}, {"time_zone", "UTC"}, {"transaction_isolation", "REPEATABLE-READ"}, {"transaction_read_only", "0"}, {"tx_isolation", "REPEATABLE-READ"},
			{"tx_read_only", "0"}, {"version", MySQLVersion}, {"version_comment", "MySQL Community Server - GPL"}, {"version_compile_machine", "x86_64"},
			{"version_compile_os", "Linux"}, {"wait_timeout", "28800"},
		}
	}
	return [][2]string{
		{"application_name", ""}, {"autovacuum", "on"}, {"client_encoding", "UTF8"}, {"datestyle", "ISO, MDY"}, {"default_transaction_isolation", "read committed"},
		{"default_transaction_read_only", "off"}, {"effective_cache_size", "524288"}, {"intervalstyle", "postgres"}, {"is_superuser", "off"}, {"lc_collate", "en_US.UTF-8"},
		{"maintenance_work_mem", "65536"}, {"max_connections", "100"}, {"max_identifier_length", "63"}, {"port", "5432"}, {"search_path", `"$user", public`},
		{"server_encoding", "UTF8"}, {"server_version", PostgresVersion}, {"server_version_num", "150008"}, {"shared_buffers", "16384"}, {"ssl", "on"},
		{"standard_conforming_strings", "on"}, {"statement_timeout", "0"}, {"timezone", "Etc/UTC"}, {"transaction_isolation", "read committed"},
		{"transaction_read_only", "off"}, {"work_mem", "4096"},
	}
}

const sqlMode = "ONLY_FULL_GROUP_BY,STRICT_TRANS_TABLES,NO_ZERO_IN_DATE,NO_ZERO_DATE,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION"

// setting is the value of a setting: what the client set, or the server's.
func (s *Session) setting(name string) (Value, bool) {
	if name == "transaction_read_only" && s.engine == Postgres {
		return map[bool]string{false: "off", true: "on"}[s.readOnly], true
	}
	if v, found := s.vars[name]; found {
		return v, true
	}
	for _, known := range s.settings() {
		if known[0] == name {
			return known[1], true
		}
	}
	if s.engine == MySQL {
		return "1", true // drivers ask for many variables, and a missing one ends them
	}
	return nil, false
}
