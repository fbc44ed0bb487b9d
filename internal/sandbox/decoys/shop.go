package decoys

import (
	"fmt"
	"strings"
	"time"

	"github.com/mcpsf/mcpsf"
)

// shopDatabase is the webshop's local database.
func shopDatabase(k *kit, h *Home) error {
	m := k.mint(shopFile)
	customers := table{name: "customers", create: `CREATE TABLE customers (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  email TEXT NOT NULL,
  city TEXT
)`}
	for _, name := range []string{
		"Ada Winter", "Bruno Salas", "Chiara Rossi", "Daan Visser", "Edda Holm", "Farid Aziz", "Greta Lang", "Hugo Perrin",
	} {
		email := strings.ToLower(strings.ReplaceAll(name, " ", ".")) + "@mail.example"
		customers.rows = append(customers.rows, []any{nil, name, email, pick(m, "Trieste", "Bergen", "Porto", "Tartu", "Ghent")})
	}
	orders := table{name: "orders", create: `CREATE TABLE orders (
  id INTEGER PRIMARY KEY,
  customer_id INTEGER NOT NULL REFERENCES customers (id),
  reference TEXT NOT NULL,
  placed TEXT NOT NULL,
  status TEXT NOT NULL,
  total_cents INTEGER NOT NULL
)`}
	for days := 24; days > 0; days -= 2 {
		orders.rows = append(orders.rows, []any{
			nil, int64(1 + m.rng.IntN(len(customers.rows))), m.ref("ORD-"), k.ago(m, days).Format(time.DateTime),
			pick(m, "open", "paid", "shipped", "returned"), int64(499 + 100*m.rng.IntN(150)),
		})
	}
	file, err := database(customers, orders)
	if err != nil {
		return fmt.Errorf("writing a database: %w", err)
	}
	h.decoy(m, mcpsf.DecoyDocument, "doc", shopFile, string(file))
	return nil
}
