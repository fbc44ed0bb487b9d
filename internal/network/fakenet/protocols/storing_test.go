package protocols

import (
	"bytes"
	"errors"
	"runtime"
	"strings"
	"testing"
	"time"
)

// TestStoringFloods has clients that never stop storing, and clients that ask for as
// much work as they can. What is kept is bounded, and so is the time.
func TestStoringFloods(t *testing.T) {
	query := func(s string) string { return "Q" + string(be32(uint32(len(s)+5))) + s + "\x00" }
	command := func(s string) string {
		return string(le32(len(s) + 1)[:3]) + "\x00\x03" + s
	}
	array := func(args ...string) string {
		var b strings.Builder
		b.WriteString("*" + itoa(len(args)) + "\r\n")
		for _, a := range args {
			b.WriteString(bulk(a))
		}
		return b.String()
	}
	login, greeted := samples()["postgresql"][:34], samples()["mysql"][:62]
	long := strings.Repeat("x", 8<<10)
	insert := newBSON().text("insert", "loot")
	insert.value("documents", readDocument(writeDocument(nil).bytes(), 0))
	prepare := "a\x00SELECT * FROM orders WHERE id = $1 AND status = 'xxx'\x00\x00\x00" //nolint:unqueryvet // as clients ask
	parse := "P" + string(be32(uint32(len(prepare)+4))) + prepare
	for _, tt := range []struct{ name, protocol, first, again string }{
		{"rows", "postgresql", login, query("INSERT INTO products (name, price) VALUES ('x', 1)")},
		{"long rows", "postgresql", login + query("CREATE TABLE t (a text)"), query("INSERT INTO t VALUES ('" + long + "')")},
		{"tables", "postgresql", login, query("CREATE TABLE t (a text); ALTER TABLE t RENAME TO u; DROP TABLE u")},
		{"transactions", "postgresql", login, query("BEGIN; SAVEPOINT a; UPDATE orders SET amount = amount + 1")},
		{"products", "postgresql", login, query("SELECT * FROM orders a, orders b, orders c, orders d, orders e")}, //nolint:unqueryvet // as clients ask
		{"prepared", "postgresql", login, parse},
		{"copied", "postgresql", login + query("CREATE TABLE t (a text)") + query("COPY t FROM STDIN"), "d\x00\x00\x20\x04" + long},
		{"rows", "mysql", greeted, command("INSERT INTO products (name, price) VALUES ('" + long + "', 1)")},
		{"prepared", "mysql", greeted, "\x20\x00\x00\x00\x16SELECT * FROM orders WHERE id=?"},
		{"long data", "mysql", greeted + "\x09\x00\x00\x00\x16SELECT ?", "\x08\x20\x00\x00\x18\x01\x00\x00\x00\x00\x00x" + long},
		{"keys", "redis", "", array("RPUSH", "l", "x", "y")},
		{"long values", "redis", "", array("APPEND", "a", long)},
		{"ranges", "redis", array("APPEND", "a", long), array("MGET", "a", "a", "a", "a", "a", "a", "a", "a")},
		{"documents", "mongodb", "", message(opMsg, "\x00\x00\x00\x00\x00"+string(insert.bytes()))},
		{"values", "memcached", "", "set a 0 0 4\r\nAKIA\r\nappend a 0 0 8\r\nxxxxxxxx\r\n"},
	} {
		t.Run(tt.protocol+" "+tt.name, func(t *testing.T) {
			o := newWorld()
			conv := o.conversation(nil)
			conv.Conn = &flood{fixture: fixture{in: bytes.NewReader([]byte(tt.first))}, again: repeated(tt.again)}
			before, began := heap(), time.Now()
			if err := within(t, tt.protocol, conv, 256<<10); !errors.Is(err, ErrLimit) {
				t.Errorf("error %v, want ErrLimit", err)
			}
			if kept := heap() - before; kept > 12<<20 {
				t.Errorf("%d bytes kept", kept)
			}
			if took := time.Since(began); took > 60*time.Second {
				t.Errorf("took %v", took)
			}
			runtime.KeepAlive(conv)
		})
	}
}
