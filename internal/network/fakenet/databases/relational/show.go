package relational

import (
	"fmt"
	"strings"
)

// shown executes SHOW, and DESCRIBE of MySQL.
func (r catalog) shown(st *statement) (*Result, error) {
	var rel *relation
	var err error
	if r.engine == Postgres {
		rel, err = r.showSetting(st)
	} else {
		rel, err = r.showMySQL(st)
	}
	if err != nil {
		return nil, err
	}
	if rel, err = r.matching(rel, st); err != nil {
		return nil, err
	}
	return &Result{Columns: rel.cols, Rows: rel.rows, Tag: "SHOW"}, nil
}

func (r catalog) showSetting(st *statement) (*relation, error) {
	name := strings.Join(st.words, "")
	switch name {
	case "all":
		rel := listing("name setting description")
		for _, s := range r.settings() {
			rel.add(s[0], s[1], "")
		}
		return rel, nil
	case "transactionisolationlevel":
		name = "transaction_isolation"
	case "timezone":
	}
	v, found := r.setting(name)
	if !found {
		return nil, &Error{State: "42704", Message: fmt.Sprintf("unrecognized configuration parameter %q", clip(strings.Join(st.words, " ")))}
	}
	rel := listing(clip(strings.ReplaceAll(name, " ", "")))
	rel.add(v)
	return rel, nil
}

// matching leaves what LIKE and WHERE choose.
func (r catalog) matching(rel *relation, st *statement) (*relation, error) {
	if len(rel.cols) == 0 {
		return rel, nil
	}
	x := st.where
	if st.like != nil {
		first := &expr{op: opColumn, name: rel.cols[0].Name}
		if st.like.op == opLike {
			x = &expr{op: opLike, name: "like", args: []*expr{first, st.like.args[0]}}
		} else {
			x = &expr{op: opBinary, name: "=", args: []*expr{first, st.like}}
		}
	}
	if x == nil {
		return rel, nil
	}
	if _, err := r.infer(x, &scope{cols: rel.cols}); err != nil {
		return nil, err
	}
	rows, err := query(r).filter(rel.rows, x, rel.cols, nil)
	return &relation{rel.cols, rows}, err
}

func (r catalog) showMySQL(st *statement) (*relation, error) {
	words := st.words
	isFull := words[0] == "full" || words[0] == "extended"
	for len(words) > 1 && (words[0] == "full" || words[0] == "global" || words[0] == "session" || words[0] == "extended") {
		words = words[1:]
	}
	switch words[0] {
	case "databases", "schemas":
		rel := listing("Database")
		for _, s := range r.schemas() {
			rel.add(s)
		}
		return rel, nil
	case "tables":
		return r.showTables(st, isFull)
	case "columns", "fields":
		return r.showColumns(st, isFull)
	case "index", "indexes", "keys":
		return r.showIndexes(st)
	case "create":
		return r.showCreate(st)
	case "table":
		return r.showStatus(st)
	}
	return r.showServer(words)
}

// showServer are the forms of SHOW that ask about the server.
func (r catalog) showServer(words []string) (*relation, error) {
	switch words[0] {
	case "variables":
		rel := listing("Variable_name Value")
		for _, s := range r.settings() {
			rel.add(s[0], s[1])
		}
		return rel, nil
	case "status":
		rel := listing("Variable_name Value")
		for _, s := range [][2]string{{"Connections", "131"}, {"Queries", "18310"}, {"Questions", "18310"}, {"Slow_queries", "0"}, {"Threads_connected", "2"}, {"Threads_running", "1"}, {"Uptime", "3551211"}} {
			rel.add(s[0], s[1])
		}
		return rel, nil
	case "processlist":
		rel := listing("Id:l User Host db Command Time:i State Info")
		rel.add(42, r.User, "localhost:50312", r.Database, "Query", 0, "init", "SHOW PROCESSLIST")
		return rel, nil
	case "engines":
		rel := listing("Engine Support Comment Transactions XA Savepoints")
		rel.add("InnoDB", "DEFAULT", "Supports transactions, row-level locking, and foreign keys", "YES", "YES", "YES")
		return rel, nil
	case "grants":
		rel := listing("Grants_for_" + r.User + "@%")
		rel.add("GRANT ALL PRIVILEGES ON `" + r.Database + "`.* TO `" + r.User + "`@`%`")
		return rel, nil
	case "warnings", "errors":
		return listing("Level Code:i Message"), nil
	case "collation":
		rel := listing("Collation Charset Id:l Default Compiled Sortlen:l")
		rel.add("utf8mb4_0900_ai_ci", "utf8mb4", 255, "Yes", "Yes", 0)
		return rel, nil
	case "character", "charset":
		rel := listing("Charset Description Default_collation Maxlen:l")
		rel.add("utf8mb4", "UTF-8 Unicode", "utf8mb4_0900_ai_ci", 4)
		return rel, nil
	case "triggers":
		return listing("Trigger Event Table Statement Timing Created"), nil
	case "procedure", "function":
		return listing("Db Name Type Definer Modified Created"), nil
	case "events", "plugins", "profiles", "privileges", "master", "replica", "slave", "open", "binary":
		return listing("Name"), nil
	}
	return nil, r.engine.syntax(strings.Join(words, " "), 0)
}

// database is the database that SHOW names, by its schema in the store.
func (r catalog) database(name string) (string, error) {
	if name == "" {
		return r.schemaOf(""), nil
	}
	if !r.isSchema(name) {
		return "", &Error{State: "42000", Number: 1049, Message: "Unknown database '" + clip(name) + "'"}
	}
	return r.schemaOf(name), nil
}

func (r catalog) showTables(st *statement, isFull bool) (*relation, error) {
	shown := r.Database
	if st.table != "" {
		shown = st.table
	}
	schema, err := r.database(st.table)
	if err != nil {
		return nil, err
	}
	rel := &relation{cols: []Column{{Name: "Tables_in_" + clip(shown), Type: Type{Kind: Text}}}}
	if isFull {
		rel.cols = append(rel.cols, Column{Name: "Table_type", Type: Type{Kind: Text}})
	}
	for _, t := range r.store.tables {
		if t.Schema == schema {
			rel.add([]Value{t.Name, t.kind()}[:len(rel.cols)]...)
		}
	}
	return rel, nil
}

// named is the table that SHOW names.
func (r catalog) tableNamed(st *statement) (*Table, error) {
	if t := r.find(st.schema, st.table); t != nil {
		return t, nil
	}
	_, err := query(r).table(st.schema, st.table)
	if err == nil {
		err = r.engine.denied("table")
	}
	return nil, err
}

func (r catalog) showColumns(st *statement, isFull bool) (*relation, error) {
	t, err := r.tableNamed(st)
	if err != nil {
		return nil, err
	}
	rel := listing("Field Type Null Key Default Extra")
	if isFull {
		rel = listing("Field Type Collation Null Key Default Extra Privileges Comment")
	}
	for i := range t.Columns {
		c := &t.Columns[i]
		var text Value
		if s := r.defaultText(t, c); s != "" {
			text = s
		}
		if isFull {
			rel.add(c.Name, c.Type.mysqlName(), nil, yesNo(!c.NotNull), t.keyOf(c.Name), text, c.extra(), "select,insert,update,references", c.Comment)
			continue
		}
		rel.add(c.Name, c.Type.mysqlName(), yesNo(!c.NotNull), t.keyOf(c.Name), text, c.extra())
	}
	return rel, nil
}

func (r catalog) showIndexes(st *statement) (*relation, error) {
	t, err := r.tableNamed(st)
	if err != nil {
		return nil, err
	}
	rel := listing("Table Non_unique:i Key_name Seq_in_index:i Column_name Collation Cardinality:l Sub_part:l Packed Null Index_type Comment Index_comment Visible Expression")
	for _, x := range t.indexes() {
		name := x.Name
		if name == t.Name+"_pkey" {
			name = "PRIMARY"
		}
		for i, c := range x.Columns {
			rel.add(t.Name, map[bool]int{false: 1}[x.Unique], name, i+1, c, "A", len(t.Rows), nil, nil, "", "BTREE", "", "", "YES", nil)
		}
	}
	return rel, nil
}

func (r catalog) showCreate(st *statement) (*relation, error) {
	if st.words[1] == "database" || st.words[1] == "schema" {
		if _, err := r.database(st.table); err != nil {
			return nil, err
		}
		rel := &relation{cols: []Column{{Name: "Database"}, {Name: "Create Database"}}}
		rel.add(st.table, "CREATE DATABASE `"+st.table+"` /*!40100 DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_ai_ci */")
		return rel, nil
	}
	t, err := r.tableNamed(st)
	if err != nil {
		return nil, err
	}
	var lines []string
	for i := range t.Columns {
		c := &t.Columns[i]
		line := "  `" + c.Name + "` " + c.Type.mysqlName()
		if c.NotNull {
			line += " NOT NULL"
		}
		switch text := r.defaultText(t, c); {
		case c.Auto:
			line += " AUTO_INCREMENT"
		case text == "CURRENT_TIMESTAMP":
			line += " DEFAULT CURRENT_TIMESTAMP"
		case text != "":
			line += " DEFAULT '" + text + "'"
		case !c.NotNull:
			line += " DEFAULT NULL"
		}
		lines = append(lines, line)
	}
	for _, c := range t.Constraints {
		columns := "(`" + strings.Join(c.Columns, "`,`") + "`)"
		switch c.Kind {
		case "PRIMARY KEY":
			lines = append(lines, "  PRIMARY KEY "+columns)
		case "UNIQUE":
			lines = append(lines, "  UNIQUE KEY `"+c.Name+"` "+columns)
		case "FOREIGN KEY":
			lines = append(lines, "  CONSTRAINT `"+c.Name+"` FOREIGN KEY "+columns+" REFERENCES `"+c.Table+"` (`"+strings.Join(c.Other, "`,`")+"`)")
		}
	}
	for _, x := range t.Indexes {
		lines = append(lines, "  "+map[bool]string{true: "UNIQUE "}[x.Unique]+"KEY `"+x.Name+"` (`"+strings.Join(x.Columns, "`,`")+"`)")
	}
	rel := &relation{cols: []Column{{Name: "Table", Type: Type{Kind: Text}}, {Name: "Create Table", Type: Type{Kind: Text}}}}
	rel.add(t.Name, fmt.Sprintf("CREATE TABLE `%s` (\n%s\n) ENGINE=InnoDB AUTO_INCREMENT=%d DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_ai_ci", t.Name, strings.Join(lines, ",\n"), t.Next))
	return rel, nil
}

func (r catalog) showStatus(st *statement) (*relation, error) {
	schema, err := r.database(st.table)
	if err != nil {
		return nil, err
	}
	rel := listing("Name Engine Version:i Row_format Rows:l Avg_row_length:l Data_length:l Max_data_length:l Index_length:l Data_free:l Auto_increment:l Create_time:t Update_time:t Check_time:t Collation Checksum:l Create_options Comment")
	for _, t := range r.store.tables {
		if t.Schema == schema {
			rel.add(t.Name, "InnoDB", 10, "Dynamic", len(t.Rows), 4096, 16384, 0, 0, 0, t.Next, r.now, nil, nil, "utf8mb4_0900_ai_ci", nil, "", "")
		}
	}
	return rel, nil
}
