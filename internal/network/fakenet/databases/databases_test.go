package databases

import (
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/mcpsf/mcpsf/internal/network/fakenet/databases/document"
	"github.com/mcpsf/mcpsf/internal/network/fakenet/databases/objects"
	"github.com/mcpsf/mcpsf/internal/network/fakenet/databases/relational"
)

// Connections of one run share its stores; two runs share nothing.
func TestShared(t *testing.T) {
	d := New()
	var all sync.WaitGroup
	for _, e := range []relational.Engine{relational.Postgres, relational.MySQL, relational.Postgres} {
		all.Go(func() {
			s := d.SQL.Session(e, time.Time{})
			defer s.Close()
			for range 50 {
				for _, text := range []string{
					"BEGIN", "INSERT INTO products (name, price) VALUES ('x', 1)", "SELECT count(*) FROM products", "UPDATE products SET stock = stock + 1",
					"ROLLBACK", "SELECT * FROM information_schema.columns", "CREATE TABLE IF NOT EXISTS t (a int)", "DROP TABLE IF EXISTS t",
				} {
					list, err := s.Parse(text)
					if err != nil {
						t.Error(err)
						return
					}
					_ = s.Describe(list[0], nil)
					_, _ = s.Run(list[0], nil) // another connection may have changed what it names
				}
			}
		})
		all.Go(func() {
			c := d.Keys.Session()
			for range 100 {
				c.Do([]string{"RPUSH", "l", "a"})
				c.Do([]string{"LRANGE", "l", "0", "-1"})
			}
		})
		all.Go(func() {
			for i := range 50 {
				body := d.Objects.Draft()
				_, _ = body.Write([]byte("x"))
				if _, err := d.Objects.Put("app-exports", strconv.Itoa(i), body, &objects.Object{}, nil); err != nil {
					t.Error(err)
				}
				_, _ = d.Objects.List("app-exports", objects.Query{Delimiter: "/", Most: 10})
				_ = d.Objects.Remove("app-exports", strconv.Itoa(i-1), nil)
				body.Discard()
			}
		})
		all.Go(func() {
			for range 50 {
				d.Documents.Run(document.Doc{{Name: "insert", Value: "c"}, {Name: "documents", Value: document.List{document.Doc{{Name: "a", Value: int32(1)}}}}}, nil)
				d.Documents.Run(document.Doc{{Name: "find", Value: "c"}}, nil)
			}
		})
	}
	all.Wait()
	if n := d.Keys.Session().Do([]string{"LLEN", "l"}); n != int64(300) {
		t.Errorf("%v elements", n)
	}
	if _, err := d.Objects.Get("app-exports", "49"); err != nil {
		t.Error(err)
	}
	if _, err := New().Objects.Get("app-exports", "49"); err == nil {
		t.Error("another run has the object")
	}
	if n := New().Keys.Session().Do([]string{"LLEN", "l"}); n != int64(0) {
		t.Errorf("another run has %v elements", n)
	}
}

// All names of hosts in the first content are reserved ones.
func TestNames(t *testing.T) {
	s := New().SQL.Session(relational.Postgres, time.Time{})
	list, err := s.Parse("SELECT email FROM customers")
	if err != nil {
		t.Fatal(err)
	}
	res, err := s.Run(list[0], nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range res.Rows {
		if address, _ := row[0].(string); !strings.HasSuffix(address, ".example") {
			t.Errorf("%v is no reserved name", row[0])
		}
	}
}
