package document

import (
	"encoding/binary"
	"slices"
	"strings"
	"sync"
	"time"
)

// What a store holds at most.
// no gap: what a client sends is evidence whether it is stored or not
const (
	maxCollections = 100
	maxDocuments   = 5000 // of all collections
	maxBytes       = 4 << 20
	maxDatabases   = 50
	maxCursors     = 20
	maxTotal       = 300_000_000 // steps of all commands
)

// collection is a list of documents; they are replaced, never changed.
type collection struct {
	db, name string
	docs     []Doc
	indexes  []Doc
}

// Store is what all connections of a run share. It is safe for concurrent use.
type Store struct {
	mu          sync.Mutex
	collections []*collection
	count       int
	bytes       int
	ids         uint32
	spent       int // steps of all commands
	cursors     map[int64]*cursor
	opened      int64
}

// cursor is the rest of a result.
type cursor struct {
	ns   string
	rest []Doc
}

// New makes a store with the customers, orders and products that the other databases
// have.
func New() *Store {
	s := &Store{cursors: map[int64]*cursor{}}
	at := func(month time.Month, day int) time.Time { return time.Date(2024, month, day, 9, 30, 0, 0, time.UTC) }
	doc := func(pairs ...any) Doc {
		d := Doc{{"_id", s.id()}}
		for i := 0; i+1 < len(pairs); i += 2 {
			d = append(d, Member{pairs[i].(string), pairs[i+1]})
		}
		return d
	}
	s.plant("customers",
		doc("name", "Alice Meyer", "email", "alice.meyer@customers.example", "city", "Hamburg", "created_at", at(1, 15)),
		doc("name", "Benoit Laurent", "email", "benoit@laurent.example", "city", "Lyon", "created_at", at(2, 3)),
		doc("name", "Chiara Rossi", "email", "chiara.rossi@mail.example", "city", "Torino", "created_at", at(2, 20)),
		doc("name", "David Okafor", "email", "d.okafor@customers.example", "city", "Leeds", "created_at", at(3, 8)),
		doc("name", "Elena Novak", "email", "elena.novak@mail.example", "city", "Brno", "created_at", at(4, 1)))
	s.plant("orders",
		doc("customer", "Alice Meyer", "items", List{Doc{{"product", "Office chair"}, {"quantity", int32(1)}}}, "amount", 189.0, "status", "shipped", "created_at", at(3, 1)),
		doc("customer", "Benoit Laurent", "items", List{Doc{{"product", "Notebook A5"}, {"quantity", int32(10)}}}, "amount", 45.0, "status", "delivered", "created_at", at(3, 14)),
		doc("customer", "Chiara Rossi", "items", List{Doc{{"product", "Standing desk"}, {"quantity", int32(1)}}}, "amount", 449.0, "status", "pending", "created_at", at(4, 2)),
		doc("customer", "Elena Novak", "items", List{Doc{{"product", "Office chair"}, {"quantity", int32(2)}}}, "amount", 378.0, "status", "pending", "created_at", at(4, 22)))
	s.plant("products",
		doc("name", "Desk lamp", "category", "lighting", "price", 39.9, "stock", int32(120), "tags", List{"light", "desk"}),
		doc("name", "Office chair", "category", "furniture", "price", 189.0, "stock", int32(35), "tags", List{"seat"}),
		doc("name", "Notebook A5", "category", "stationery", "price", 4.5, "stock", int32(800), "tags", List{"paper"}),
		doc("name", "Standing desk", "category", "furniture", "price", 449.0, "stock", int32(12), "tags", List{"desk"}))
	return s
}

func (s *Store) plant(name string, docs ...Doc) {
	c := s.create(seedDatabase, name)
	for _, d := range docs {
		s.add(c, d)
	}
}

// seedDatabase is the name of the database with the first documents. A client that
// uses another name finds them there, too: see [Store.named].
const seedDatabase = "app"

// id makes an ObjectId. They are counted, so that a run can be repeated.
func (s *Store) id() ID {
	s.ids++
	id := ID{0x66, 0x4b, 0x1f, 0x20, 0x9c, 0x3a, 0x41, 0x7e, 0x85}
	binary.BigEndian.PutUint32(id[8:], s.ids+0x0010a000)
	return id
}

func (s *Store) create(db, name string) *collection {
	if len(s.collections) >= maxCollections {
		return nil
	}
	c := &collection{db: db, name: name, indexes: []Doc{{{"v", int32(2)}, {"key", Doc{{"_id", int32(1)}}}, {"name", "_id_"}}}}
	s.collections = append(s.collections, c)
	return c
}

func (s *Store) find(db, name string) *collection {
	for _, c := range s.collections {
		if c.db == db && c.name == name {
			return c
		}
	}
	return nil
}

// named makes sure that a database which a client uses has the first documents: the
// client was configured with some name, and nobody knows which. Databases that every
// server has stay as they are.
func (s *Store) named(db string) {
	if db == "" || db == "admin" || db == "local" || db == "config" || slices.Contains(s.databases(), db) || len(s.databases()) >= maxDatabases {
		return
	}
	if len(s.databases()) == 1 && s.databases()[0] == seedDatabase {
		for _, c := range s.collections {
			c.db = db
		}
	}
}

func (s *Store) databases() []string {
	var list []string
	for _, c := range s.collections {
		if !slices.Contains(list, c.db) {
			list = append(list, c.db)
		}
	}
	slices.Sort(list)
	return list
}

// add stores a document if there is room.
func (s *Store) add(c *collection, d Doc) bool {
	n := size(d)
	if c == nil || s.count >= maxDocuments || s.bytes+n > maxBytes {
		return false
	}
	s.count++
	s.bytes += n
	c.docs = append(c.docs, d)
	return true
}

// replace exchanges a document; false if there is no room.
func (s *Store) replace(c *collection, at int, d Doc) bool {
	n := size(d) - size(c.docs[at])
	if s.bytes+n > maxBytes {
		return false
	}
	s.bytes += n
	c.docs[at] = d
	return true
}

// keep leaves the documents that are not chosen.
func (s *Store) keep(c *collection, gone func(i int) bool) int {
	var left []Doc
	for i, d := range c.docs {
		if gone(i) {
			s.count--
			s.bytes -= size(d)
			continue
		}
		left = append(left, d)
	}
	n := len(c.docs) - len(left)
	c.docs = left
	return n
}

func (s *Store) drop(c *collection) {
	s.keep(c, func(int) bool { return true })
	s.collections = slices.DeleteFunc(s.collections, func(o *collection) bool { return o == c })
}

// open keeps the rest of a result for getMore; the oldest is forgotten.
func (s *Store) open(ns string, rest []Doc) int64 {
	s.opened++
	id := 7_318_000_000 + s.opened
	delete(s.cursors, id-maxCursors)
	s.cursors[id] = &cursor{ns, rest}
	return id
}

// valid says whether a name can be that of a collection.
func valid(name string) bool {
	return name != "" && len(name) <= 120 && !strings.ContainsAny(name, "$\x00") && !strings.HasPrefix(name, "system.")
}
