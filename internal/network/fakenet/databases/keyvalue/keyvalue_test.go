package keyvalue

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// What is set is got, for every kind of key.
func TestCommands(t *testing.T) {
	c := New().Session()
	for _, tt := range []struct{ command, want string }{
		{"SET a 1 EX 60", "OK"}, {"GET a", "1"}, {"TTL a", "60"}, {"INCRBY a 4", "5"}, {"APPEND a x", "2"}, {"INCR a", string(notInt)}, {"SET a 2 NX", "<nil>"},
		{"HSET h f 1 g 2", "2"}, {"HGETALL h", "[f 1 g 2]"}, {"HINCRBY h f 2", "3"}, {"HDEL h f g", "2"}, {"EXISTS h", "0"}, {"GET tags", string(wrongType)},
		{"RPUSH l a b c", "3"}, {"LPUSH l z", "4"}, {"LRANGE l 0 -1", "[z a b c]"}, {"LPOP l", "z"}, {"RPOP l 2", "[c b]"}, {"LLEN l", "1"},
		{"SADD s a b a", "2"}, {"SISMEMBER s b", "1"}, {"SMEMBERS s", "[a b]"}, {"SREM s a b", "2"}, {"TYPE s", "none"},
		{"ZADD z 2 b 1 a", "2"}, {"ZRANGE z 0 -1 WITHSCORES", "[a 1 b 2]"}, {"ZRANGEBYSCORE z (1 +inf", "[b]"}, {"ZINCRBY z 5 a", "6"}, {"ZREVRANK z a", "0"},
		{"XADD x * k v", "1716200000000-0"}, {"XADD x * k w", "1716200000001-0"}, {"XRANGE x - + COUNT 1", "[[1716200000000-0 [k v]]]"}, {"XLEN x", "2"},
		{`JSON.SET j $ {"a":{"b":[1,2]}}`, "OK"}, {"JSON.GET j $.a.b[1]", "[2]"}, {"JSON.SET j $.a.c true", "OK"}, {"JSON.GET j .a", `{"b":[1,2],"c":true}`}, {"JSON.DEL j $.a.b", "1"}, {"JSON.GET j", `{"a":{"c":true}}`},
		{"FT._LIST", "[]"}, {"FT.SEARCH i *", "Unknown index name"}, {"FT.CREATE i", "OK"}, {"FT.SEARCH i *", "[0]"},
		{"KEYS customer:*", "[customer:1 customer:2]"}, {"SCAN 0 MATCH c*1 COUNT 9", "[0 [customer:1]]"}, {"SELECT 1", "OK"}, {"DBSIZE", "0"}, {"SELECT 16", "ERR DB index is out of range"},
		{"NOPE a", "ERR unknown command 'NOPE', with args beginning with: 'a' "}, {"GET", "ERR wrong number of arguments for 'get' command"},
	} {
		if diff := cmp.Diff(tt.want, fmt.Sprint(c.Do(strings.Fields(tt.command)))); diff != "" {
			t.Errorf("%s\n%s", tt.command, diff)
		}
	}
}

// A client that stores without end gets errors, and what is kept stays small.
func TestStoreIsBounded(t *testing.T) {
	s := New()
	c := s.Session()
	long := strings.Repeat("x", 100<<10)
	for i := range maxKeys + 100 {
		c.Do([]string{"SET", fmt.Sprint("k", i), "x"})
		c.Do([]string{"RPUSH", "l", "a", "b", "c", "d"})
		c.Do([]string{"APPEND", "a", long})
		c.Do([]string{"HSET", "h", fmt.Sprint(i), long})
	}
	kept := 0
	for key, e := range s.keys {
		kept += len(key) - 2 + e.size()
	}
	if len(s.keys) > maxKeys || s.bytes > maxBytes || kept != s.bytes || s.keys["0:l"].elements() > maxElements {
		t.Errorf("%d keys, %d bytes (%d)", len(s.keys), s.bytes, kept)
	}
}

// FuzzCommands executes arbitrary commands.
func FuzzCommands(f *testing.F) {
	for _, line := range []string{"SET a 1 PX 5 GET", "ZADD z NX CH 1 a 2 b", "XADD s MAXLEN ~ 5 1-1 a b", "XREAD COUNT 2 STREAMS events 0", "JSON.SET product:1 $.a[0].b 1", "JSON.DEL product:1 $.price", "LINSERT l BEFORE a b", "SCAN 0 MATCH [a-z]*\\*", "GETRANGE greeting -3 -1", "LTRIM queue:emails 1 0", "ZRANGE leaderboard (1 +inf BYSCORE REV WITHSCORES"} {
		f.Add(line)
	}
	f.Fuzz(func(_ *testing.T, lines string) {
		c := New().Session()
		for line := range strings.Lines(lines) {
			c.Do(strings.Fields(line))
		}
	})
}
