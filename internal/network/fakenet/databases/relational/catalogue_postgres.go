package relational

import (
	"slices"
	"strings"
)

// The numbers of what every PostgreSQL has.
const (
	pgCatalogOID  = 11
	publicOID     = 2200
	schemaOID     = 13183 // of information_schema
	ownerOID      = 16384
	databaseOID   = 16385
	indexOffset   = 100_000 // between a table and its indexes
	otherSchemaAt = 50_000
)

// catalogNumber is the number of a catalogue, 0 for another name.
func catalogNumber(name string) int64 {
	return map[string]int64{"pg_class": 1259, "pg_type": 1247, "pg_attribute": 1249, "pg_proc": 1255, "pg_namespace": 2615, "pg_constraint": 2606, "pg_database": 1262, "pg_index": 2610}[name]
}

func (r catalog) namespaceOID(schema string) int64 {
	if schema == mainSchema {
		return publicOID
	}
	return otherSchemaAt + int64(slices.Index(r.store.schemas, schema))
}

// pgCatalog is a table of the schema pg_catalog.
func (r catalog) pgCatalog(name string) *relation {
	switch name {
	case "pg_class":
		return r.pgClass()
	case "pg_attribute":
		return r.pgAttribute()
	case "pg_type":
		return r.pgType()
	case "pg_index":
		return r.pgIndex()
	case "pg_constraint":
		return r.pgConstraint()
	case "pg_namespace":
		rel := listing("oid:o nspname:n nspowner:o nspacl:a")
		rel.add(pgCatalogOID, "pg_catalog", 10, nil)
		rel.add(schemaOID, "information_schema", 10, nil)
		for _, s := range r.store.schemas {
			rel.add(r.namespaceOID(s), s, ownerOID, nil)
		}
		return rel
	case "pg_tables":
		rel := listing("schemaname:n tablename:n tableowner:n tablespace:n hasindexes:b hasrules:b hastriggers:b rowsecurity:b")
		for _, t := range r.store.tables {
			if !t.View {
				rel.add(t.Schema, t.Name, r.User, nil, len(t.indexes()) > 0, false, false, false)
			}
		}
		for _, name := range []string{"pg_class", "pg_namespace", "pg_attribute", "pg_type"} {
			rel.add("pg_catalog", name, "postgres", nil, true, false, false, false)
		}
		return rel
	}
	return r.pgViews(name)
}

// pgViews are the views of pg_catalog about tables.
func (r catalog) pgViews(name string) *relation {
	switch name {
	case "pg_views", "pg_matviews":
		rel := listing("schemaname:n viewname:n viewowner:n definition")
		if name == "pg_matviews" {
			rel.cols[1].Name, rel.cols[2].Name = "matviewname", "matviewowner"
			return rel
		}
		for _, t := range r.store.tables {
			if t.View {
				rel.add(t.Schema, t.Name, r.User, "")
			}
		}
		return rel
	case "pg_attrdef":
		rel := listing("oid:o adrelid:o adnum:i adbin")
		for _, t := range r.store.tables {
			for i := range t.Columns {
				if s := r.defaultText(t, &t.Columns[i]); s != "" {
					rel.add(t.OID+int64(i)+2*indexOffset, t.OID, i+1, s)
				}
			}
		}
		return rel
	case "pg_indexes":
		rel := listing("schemaname:n tablename:n indexname:n tablespace:n indexdef")
		for _, t := range r.store.tables {
			for _, x := range t.indexes() {
				rel.add(t.Schema, t.Name, x.Name, nil, x.text(t))
			}
		}
		return rel
	}
	return r.pgStatistics(name)
}

func (x *Index) text(t *Table) string {
	return "CREATE " + map[bool]string{true: "UNIQUE "}[x.Unique] + "INDEX " + x.Name + " ON " + t.Schema + "." + t.Name + " USING btree (" + strings.Join(x.Columns, ", ") + ")"
}

func (r catalog) pgClass() *relation {
	rel := listing("oid:o relname:n relnamespace:o reltype:o relowner:o relam:o relkind relpages:i reltuples:f reltoastrelid:o relhasindex:b relpersistence relnatts:i relchecks:i relhasrules:b relhastriggers:b relrowsecurity:b relforcerowsecurity:b relispartition:b reloptions:a relacl:a relpartbound reloftype:o reltablespace:o relreplident relhassubclass:b")
	add := func(oid int64, name, kind, schema string, columns, rows int, indexed bool) {
		rel.add(oid, name, r.namespaceOID(schema), 0, ownerOID, 2, kind, 1, float64(rows), 0, indexed, "p", columns, 0, false, false, false, false, false, nil, nil, nil, 0, 0, "d", false)
	}
	for _, t := range r.store.tables {
		kind := "r"
		if t.View {
			kind = "v"
		}
		add(t.OID, t.Name, kind, t.Schema, len(t.Columns), len(t.Rows), len(t.indexes()) > 0)
		for i, x := range t.indexes() {
			add(t.OID+int64(i+1)*indexOffset, x.Name, "i", t.Schema, len(x.Columns), len(t.Rows), false)
		}
	}
	return rel
}

func (r catalog) pgAttribute() *relation {
	rel := listing("attrelid:o attname:n atttypid:o attlen:i attnum:i atttypmod:i attnotnull:b atthasdef:b attisdropped:b attidentity attgenerated attcollation:o attndims:i attstorage attislocal:b attinhcount:i attcompression attstattarget:i attacl:a attoptions:a")
	for _, t := range r.store.tables {
		for i, c := range t.Columns {
			rel.add(t.OID, c.Name, int64(c.Type.Kind.OID()), c.Type.Kind.Length(), i+1, c.Type.Modifier(), c.NotNull, r.defaultText(t, &c) != "", false, "", "", 0, 0, "p", true, 0, "", -1, nil, nil)
		}
	}
	return rel
}

func (r catalog) pgType() *relation {
	rel := listing("oid:o typname:n typnamespace:o typowner:o typlen:i typbyval:b typtype typcategory typrelid:o typelem:o typarray:o typbasetype:o typtypmod:i typnotnull:b typdefault typinput:o typreceive:o typdelim typispreferred:b")
	for k := Bool; k <= Void; k++ {
		info := k.info()
		elem := map[Kind]int64{TextArray: int64(Text.OID()), IntArray: int64(Int4.OID())}[k]
		array := map[Kind]int64{Text: int64(TextArray.OID()), Int4: int64(IntArray.OID())}[k]
		rel.add(int64(info.oid), info.udt, pgCatalogOID, 10, info.length, info.length > 0 && info.length <= 8, map[bool]string{false: "b", true: "p"}[k == Void], string(info.category),
			0, elem, array, 0, -1, false, nil, 0, 0, ",", false)
	}
	return rel
}

func numbers(t *Table, columns []string) []Value {
	list := []Value{}
	for _, name := range columns {
		list = append(list, int64(t.column(name)+1))
	}
	return list
}

func (r catalog) pgIndex() *relation {
	rel := listing("indexrelid:o indrelid:o indnatts:i indnkeyatts:i indisunique:b indisprimary:b indisexclusion:b indimmediate:b indisclustered:b indisvalid:b indkey:ia indclass:ia indexprs indpred indisreplident:b indnullsnotdistinct:b")
	for _, t := range r.store.tables {
		for i, x := range t.indexes() {
			rel.add(t.OID+int64(i+1)*indexOffset, t.OID, len(x.Columns), len(x.Columns), x.Unique, slices.Equal(x.Columns, t.primary()), false, true, false, true, numbers(t, x.Columns), []Value{}, nil, nil, false, false)
		}
	}
	return rel
}

func (r catalog) pgConstraint() *relation {
	rel := listing("oid:o conname:n connamespace:o contype condeferrable:b condeferred:b convalidated:b conrelid:o contypid:o conindid:o conparentid:o confrelid:o confupdtype confdeltype confmatchtype conislocal:b coninhcount:i connoinherit:b conkey:ia confkey:ia conbin")
	n := int64(0)
	r.eachRule(func(t *Table, c *Constraint, _ string) {
		n++
		kind := map[string]string{"PRIMARY KEY": "p", "UNIQUE": "u", "FOREIGN KEY": "f", "CHECK": "c"}[c.Kind]
		var other int64
		var keys Value
		if c.Kind == "FOREIGN KEY" {
			if o := r.store.find(t.Schema, c.Table); o != nil {
				other, keys = o.OID, numbers(o, c.Other)
			}
		}
		rel.add(3*indexOffset+n, c.Name, r.namespaceOID(t.Schema), kind, false, false, true, t.OID, 0, 0, 0, other, "a", "a", "s", true, 0, true, numbers(t, c.Columns), keys, nil)
	})
	return rel
}

// constraintText is pg_get_constraintdef.
func constraintText(r *run, a []Value) (Value, error) {
	n := int64(3 * indexOffset)
	var found Value
	(catalog{r}).eachRule(func(_ *Table, c *Constraint, _ string) {
		if n++; n != int64(whole(a[0])) {
			return
		}
		s := c.Kind + " (" + strings.Join(c.Columns, ", ") + ")"
		if c.Kind == "FOREIGN KEY" {
			s += " REFERENCES " + c.Table + "(" + strings.Join(c.Other, ", ") + ")"
		}
		found = s
	})
	return found, nil
}

// indexText is pg_get_indexdef.
func indexText(r *run, a []Value) (Value, error) {
	for _, t := range r.store.tables {
		for i, x := range t.indexes() {
			if t.OID+int64(i+1)*indexOffset == int64(whole(a[0])) {
				return x.text(t), nil
			}
		}
	}
	return nil, nil
}

// pgStatistics are the views of statistics and settings.
func (r catalog) pgStatistics(name string) *relation {
	switch name {
	case "pg_stat_user_tables", "pg_stat_all_tables", "pg_statio_user_tables":
		rel := listing("relid:o schemaname:n relname:n seq_scan:l seq_tup_read:l idx_scan:l idx_tup_fetch:l n_tup_ins:l n_tup_upd:l n_tup_del:l n_live_tup:l n_dead_tup:l last_vacuum:t last_autovacuum:t last_analyze:t last_autoanalyze:t vacuum_count:l analyze_count:l heap_blks_read:l heap_blks_hit:l")
		for _, t := range r.store.tables {
			rel.add(t.OID, t.Schema, t.Name, 12, 60, 34, 34, len(t.Rows), 0, 0, len(t.Rows), 0, nil, nil, nil, nil, 0, 0, 2, 120)
		}
		return rel
	case "pg_stat_user_indexes", "pg_statio_user_indexes":
		rel := listing("relid:o indexrelid:o schemaname:n relname:n indexrelname:n idx_scan:l idx_tup_read:l idx_tup_fetch:l idx_blks_read:l idx_blks_hit:l")
		for _, t := range r.store.tables {
			for i, x := range t.indexes() {
				rel.add(t.OID, t.OID+int64(i+1)*indexOffset, t.Schema, t.Name, x.Name, 34, 34, 34, 1, 60)
			}
		}
		return rel
	case "pg_stat_activity":
		rel := listing("datid:o datname:n pid:i usesysid:o usename:n application_name client_addr backend_start:t xact_start:t query_start:t state_change:t wait_event_type wait_event state query backend_type")
		rel.add(databaseOID, r.Database, 4211, ownerOID, r.User, "", nil, r.now, nil, r.now, r.now, nil, nil, "active", "", "client backend")
		return rel
	case "pg_database", "pg_stat_database":
		rel := listing("oid:o datname:n datdba:o encoding:i datcollate datctype datistemplate:b datallowconn:b datconnlimit:i dattablespace:o datacl:a numbackends:i xact_commit:l xact_rollback:l blks_read:l blks_hit:l deadlocks:l temp_files:l conflicts:l stats_reset:t")
		names := []string{"postgres", r.Database}
		if r.Database == "postgres" {
			names = names[:1]
		}
		for i, db := range names {
			rel.add(databaseOID-1+i, db, ownerOID, 6, "en_US.UTF-8", "en_US.UTF-8", false, true, -1, 1663, nil, 1, 120, 0, 40, 9000, 0, 0, 0, nil)
		}
		return rel
	case "pg_settings":
		rel := listing("name setting unit category short_desc context vartype source boot_val reset_val pending_restart:b")
		for _, s := range r.settings() {
			rel.add(s[0], s[1], nil, "Preset Options", "", "user", "string", "default", s[1], s[1], false)
		}
		return rel
	case "pg_extension", "pg_available_extensions":
		rel := listing("oid:o extname:n extowner:o extnamespace:o extrelocatable:b extversion")
		if name == "pg_available_extensions" {
			rel = listing("name:n default_version installed_version comment")
			rel.add("plpgsql", "1.0", "1.0", "PL/pgSQL procedural language")
			rel.add("uuid-ossp", "1.1", nil, "generate universally unique identifiers (UUIDs)")
			return rel
		}
		for i, x := range r.store.extensions {
			rel.add(13500+i, x, 10, pgCatalogOID, false, "1.0")
		}
		return rel
	case "pg_roles", "pg_user":
		rel := listing("oid:o rolname:n rolsuper:b rolinherit:b rolcreaterole:b rolcreatedb:b rolcanlogin:b rolreplication:b rolconnlimit:i rolbypassrls:b usename:n usesuper:b")
		rel.add(ownerOID, r.User, false, true, false, false, true, false, -1, false, r.User, false)
		return rel
	case "pg_am":
		rel := listing("oid:o amname:n amtype")
		rel.add(2, "heap", "t")
		rel.add(403, "btree", "i")
		return rel
	}
	return emptyCatalog(name)
}

// emptyCatalog are the tables that are there and have no rows in a small database.
func emptyCatalog(name string) *relation {
	spec, found := map[string]string{
		"pg_description": "objoid:o classoid:o objsubid:i description", "pg_proc": "oid:o proname:n pronamespace:o prokind prosrc prorettype:o proargtypes:ia pronargs:i prolang:o proargnames:a",
		"pg_enum": "oid:o enumtypid:o enumsortorder:f enumlabel:n", "pg_range": "rngtypid:o rngsubtype:o rngmultitypid:o", "pg_inherits": "inhrelid:o inhparent:o inhseqno:i",
		"pg_sequences": "schemaname:n sequencename:n sequenceowner:n start_value:l last_value:l", "pg_locks": "locktype database:o relation:o pid:i mode granted:b transactionid:o",
		"pg_policies": "schemaname:n tablename:n policyname:n permissive roles:a cmd qual with_check", "pg_policy": "oid:o polname:n polrelid:o",
		"pg_trigger": "oid:o tgrelid:o tgname:n tgfoid:o tgenabled tgisinternal:b", "pg_collation": "oid:o collname:n collnamespace:o", "pg_depend": "classid:o objid:o objsubid:i refclassid:o refobjid:o refobjsubid:i deptype",
		"pg_stats":             "schemaname:n tablename:n attname:n null_frac:f avg_width:i n_distinct:f most_common_vals most_common_freqs correlation:f",
		"pg_stat_replication":  "pid:i usename:n application_name state sent_lsn replay_lsn",
		"pg_partitioned_table": "partrelid:o partstrat partnatts:i", "pg_rewrite": "oid:o rulename:n ev_class:o", "pg_language": "oid:o lanname:n",
		"pg_tablespace": "oid:o spcname:n spcowner:o", "pg_auth_members": "roleid:o member:o", "pg_foreign_table": "ftrelid:o ftserver:o", "pg_shdescription": "objoid:o classoid:o description",
		"pg_publication": "oid:o pubname:n", "pg_replication_slots": "slot_name:n plugin:n slot_type active:b", "pg_prepared_xacts": "transaction gid", "pg_operator": "oid:o oprname:n", "pg_opclass": "oid:o opcname:n",
	}[name]
	if !found {
		return nil
	}
	return listing(spec)
}
