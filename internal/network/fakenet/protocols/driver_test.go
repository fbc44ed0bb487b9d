package protocols

import (
	"context"
	"database/sql"
	"errors"
	"testing"
	"time"

	mysqldriver "github.com/go-sql-driver/mysql"
	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// These tests use the drivers that servers written in Go have.

func TestDriverPostgres(t *testing.T) {
	for _, mode := range []string{"cache_statement", "describe_exec", "exec", "simple_protocol"} {
		o, port := serve(t, speaks(t, "postgresql"), true)
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
		defer cancel()
		c, err := pgx.Connect(ctx, "postgres://joe:pgx-pw@127.0.0.1:"+port+"/shop?sslmode=require&default_query_exec_mode="+mode)
		if err != nil {
			t.Fatal(err)
		}
		var name, database string
		var amount float64
		var created time.Time
		if err := c.QueryRow(ctx, "SELECT c.name, o.amount, o.created_at, current_database() FROM orders o JOIN customers c ON c.id = o.customer_id WHERE o.id = $1 AND o.status = $2", 3, "delivered").
			Scan(&name, &amount, &created, &database); err != nil {
			t.Fatalf("%s: %v", mode, err)
		}
		if name != "Benoit Laurent" || amount != 45 || database != "shop" || created.Year() != 2024 {
			t.Errorf("%s: %q, %v, %q, %v", mode, name, amount, database, created)
		}
		var id int
		if err := c.QueryRow(ctx, "INSERT INTO customers (name, email, created_at) VALUES ($1, $2, $3) RETURNING id", "pgx-value", "p@mail.example", created).Scan(&id); err != nil || id != 6 {
			t.Errorf("%s: id %d, %v", mode, id, err)
		}
		rows, err := c.Query(ctx, "SELECT name FROM customers WHERE id = ANY($1) ORDER BY id DESC LIMIT $2", []int32{1, 6, 9}, 5)
		if err != nil {
			t.Fatal(err)
		}
		names, err := pgx.CollectRows(rows, pgx.RowTo[string])
		if diff := cmp.Diff([]string{"pgx-value", "Alice Meyer"}, names); diff != "" || err != nil {
			t.Errorf("%s: %v\n%s", mode, err, diff)
		}
		var problem *pgconn.PgError
		if _, err = c.Exec(ctx, "SELECT id FROM nosuch"); !errors.As(err, &problem) || problem.Code != "42P01" {
			t.Errorf("%s: %v", mode, err)
		}
		tx, err := c.Begin(ctx)
		if err != nil {
			t.Fatal(err)
		}
		if tag, err := tx.Exec(ctx, "DELETE FROM orders"); err != nil || tag.RowsAffected() != 6 {
			t.Errorf("%s: %v, %v", mode, tag, err)
		}
		if err := tx.Rollback(ctx); err != nil {
			t.Error(err)
		}
		if n, err := c.CopyFrom(ctx, pgx.Identifier{"t"}, []string{"a"}, pgx.CopyFromRows(nil)); err == nil || n != 0 {
			t.Errorf("%s: copied to a table that is not there", mode)
		}
		if err := c.Close(ctx); err != nil {
			t.Error(err)
		}
		o.wants(t, "login", "joe", "pgx-pw")
		o.wants(t, "query", "pgx-value")
	}
}

func TestDriverMySQL(t *testing.T) {
	for _, options := range []string{"", "&interpolateParams=true"} {
		o, port := serve(t, speaks(t, "mysql"), false)
		db, err := sql.Open("mysql", "joe:mysql-pw@tcp(127.0.0.1:"+port+")/shop?parseTime=true&multiStatements=true"+options)
		if err != nil {
			t.Fatal(err)
		}
		var name, database string
		var amount float64
		var created time.Time
		if err := db.QueryRowContext(t.Context(), "SELECT c.name, o.amount, o.created_at, database() FROM orders o JOIN customers c ON c.id = o.customer_id WHERE o.id = ? AND o.status = ?", 3, "delivered").
			Scan(&name, &amount, &created, &database); err != nil {
			t.Fatal(err)
		}
		if name != "Benoit Laurent" || amount != 45 || database != "shop" || created.Year() != 2024 {
			t.Errorf("%q, %v, %q, %v", name, amount, database, created)
		}
		res, err := db.ExecContext(t.Context(), "INSERT INTO customers (name, email) VALUES (?, ?)", "mysql-value", "m@mail.example")
		if err != nil {
			t.Fatal(err)
		}
		if id, err := res.LastInsertId(); err != nil || id != 6 {
			t.Errorf("id %d, %v", id, err)
		}
		var found string
		var city sql.NullString
		if err := db.QueryRowContext(t.Context(), "SELECT name, city FROM customers WHERE id = 6").Scan(&found, &city); err != nil || found != "mysql-value" || city.Valid {
			t.Errorf("%q, %v, %v", found, city, err)
		}
		var problem *mysqldriver.MySQLError
		if _, err := db.ExecContext(t.Context(), "SELECT id FROM nosuch"); !errors.As(err, &problem) || problem.Number != 1146 {
			t.Errorf("error %v", err)
		}
		if _, err := db.ExecContext(t.Context(), "UPDATE orders SET status = 'x'; SELECT 1"); err != nil {
			t.Error(err)
		}
		if err := db.Close(); err != nil {
			t.Error(err)
		}
		o.wants(t, "query", "mysql-value")
	}
}
