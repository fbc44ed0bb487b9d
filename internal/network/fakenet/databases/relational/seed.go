package relational

import "time"

// seed makes the tables that are there from the beginning. All names of hosts in
// them are reserved ones, so that no text of a result names somebody else's.
func seed(s *Store) {
	id := ColumnDef{Name: "id", Type: Type{Kind: Int4}, NotNull: true, Auto: true}
	created := ColumnDef{Name: "created_at", Type: Type{Kind: TimestampTZ}, NotNull: true, Default: &expr{op: opCall, name: "now"}, DefaultText: "now()"}
	text := func(name string, size int, needed bool) ColumnDef {
		return ColumnDef{Name: name, Type: Type{Kind: Varchar, Size: size}, NotNull: needed}
	}
	money := Type{Kind: Numeric, Size: 10, Scale: 2}
	primary := Constraint{Kind: "PRIMARY KEY", Columns: []string{"id"}}
	day := func(month time.Month, day, hour, minute int) time.Time {
		return time.Date(2024, month, day, hour, minute, 0, 0, time.UTC)
	}

	s.plant("customers", []ColumnDef{id, text("name", 100, true), text("email", 255, true), text("city", 100, false), created},
		[]Constraint{primary, {Kind: "UNIQUE", Columns: []string{"email"}}}, [][]Value{
			{int64(1), "Alice Meyer", "alice.meyer@customers.example", "Hamburg", day(1, 15, 9, 30)},
			{int64(2), "Benoit Laurent", "benoit@laurent.example", "Lyon", day(2, 3, 14, 5)},
			{int64(3), "Chiara Rossi", "chiara.rossi@mail.example", "Torino", day(2, 20, 11, 45)},
			{int64(4), "David Okafor", "d.okafor@customers.example", "Leeds", day(3, 8, 16, 20)},
			{int64(5), "Elena Novak", "elena.novak@mail.example", "Brno", day(4, 1, 8, 10)},
		})
	s.plant("products", []ColumnDef{id, text("name", 100, true), text("category", 50, false), {Name: "price", Type: money, NotNull: true},
		{Name: "stock", Type: Type{Kind: Int4}, NotNull: true, Default: &expr{op: opLiteral, value: int64(0), typ: Type{Kind: Int4}}, DefaultText: "0"}, created},
		[]Constraint{primary}, [][]Value{
			{int64(1), "Desk lamp", "lighting", 39.9, int64(120), day(1, 2, 10, 0)},
			{int64(2), "Office chair", "furniture", 189.0, int64(35), day(1, 2, 10, 0)},
			{int64(3), "Notebook A5", "stationery", 4.5, int64(800), day(1, 2, 10, 0)},
			{int64(4), "Standing desk", "furniture", 449.0, int64(12), day(1, 9, 13, 30)},
		})
	s.plant("orders", []ColumnDef{id, {Name: "customer_id", Type: Type{Kind: Int4}, NotNull: true}, text("product", 100, true), {Name: "amount", Type: money, NotNull: true},
		{
			Name: "status", Type: Type{Kind: Varchar, Size: 20}, NotNull: true, Default: &expr{op: opLiteral, value: "pending"},
			DefaultText: "'pending'::character varying",
		}, created},
		[]Constraint{primary, {Kind: "FOREIGN KEY", Columns: []string{"customer_id"}, Table: "customers", Other: []string{"id"}}}, [][]Value{
			{int64(1), int64(1), "Office chair", 189.0, "shipped", day(3, 1, 9, 0)},
			{int64(2), int64(1), "Desk lamp", 39.9, "shipped", day(3, 1, 9, 2)},
			{int64(3), int64(2), "Notebook A5", 45.0, "delivered", day(3, 14, 12, 40)},
			{int64(4), int64(3), "Standing desk", 449.0, "pending", day(4, 2, 18, 15)},
			{int64(5), int64(4), "Desk lamp", 79.8, "cancelled", day(4, 11, 7, 55)},
			{int64(6), int64(5), "Office chair", 378.0, "pending", day(4, 22, 15, 30)},
		})
	s.plant("users", []ColumnDef{id, text("name", 100, true), text("email", 255, true), text("role", 20, true), created},
		[]Constraint{primary, {Kind: "UNIQUE", Columns: []string{"email"}}}, [][]Value{
			{int64(1), "Farah Haddad", "farah.haddad@staff.example", "admin", day(1, 1, 8, 0)},
			{int64(2), "Goran Petrov", "goran.petrov@staff.example", "editor", day(1, 8, 8, 0)},
		})
	orders := s.find(mainSchema, "orders")
	orders.Indexes = []Index{{Name: "orders_customer_id_idx", Columns: []string{"customer_id"}}}
}

func (s *Store) plant(name string, columns []ColumnDef, rules []Constraint, rows [][]Value) {
	t := &Table{Schema: mainSchema, Name: name, OID: s.next(), Columns: columns, Constraints: rules, Next: int64(len(rows)) + 1}
	t.named()
	s.tables = append(s.tables, t)
	for _, r := range rows {
		s.put(t, r)
	}
}
