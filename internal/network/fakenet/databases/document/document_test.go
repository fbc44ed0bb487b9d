package document

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

func run(t *testing.T, s *Store, command Doc) Doc {
	t.Helper()
	reply, known := s.Run(append(command, Member{"$db", "shop"}), nil)
	if !known {
		t.Fatalf("unknown command %v", command)
	}
	return reply
}

// batch are the documents of an answer.
func batch(d Doc) List { return d.doc("cursor").list("firstBatch") }

func TestFilters(t *testing.T) {
	s := New()
	for _, tt := range []struct {
		name   string
		filter Doc
		want   int
	}{
		{"all", Doc{}, 5}, {"equal", Doc{{"city", "Lyon"}}, 1}, {"not equal", Doc{{"city", Doc{{"$ne", "Lyon"}}}}, 4}, {"an injected operator", Doc{{"name", Doc{{"$gt", ""}}}}, 5},
		{"in", Doc{{"city", Doc{{"$in", List{"Lyon", "Brno", "Oslo"}}}}}, 2}, {"or", Doc{{"$or", List{Doc{{"city", "Lyon"}}, Doc{{"name", Regexp{"^al", "i"}}}}}}, 2},
		{"not there", Doc{{"age", nil}}, 5}, {"exists", Doc{{"age", Doc{{"$exists", true}}}}, 0}, {"not", Doc{{"city", Doc{{"$not", Doc{{"$regex", "o"}}}}}}, 2},
		{"a time", Doc{{"created_at", Doc{{"$lt", time.Date(2024, 2, 1, 0, 0, 0, 0, time.UTC)}}}}, 1}, {"expression", Doc{{"$expr", Doc{{"$eq", List{"$city", "Brno"}}}}}, 1},
		{"another type", Doc{{"city", Doc{{"$gt", int32(3)}}}}, 0},
	} {
		reply := run(t, s, Doc{{"find", "customers"}, {"filter", tt.filter}})
		if got := len(batch(reply)); got != tt.want {
			t.Errorf("%s: %d documents of %v", tt.name, got, reply)
		}
	}
	for name, filter := range map[string]Doc{"code": {{"$where", "sleep(1)"}}, "operator": {{"a", Doc{{"$nosuch", 1}}}}, "top": {{"$nosuch", 1}}, "in": {{"a", Doc{{"$in", "x"}}}}, "regexp": {{"name", Regexp{"(", ""}}}} {
		if reply := run(t, s, Doc{{"find", "customers"}, {"filter", filter}}); reply.flag("ok") {
			t.Errorf("%s: %v", name, reply)
		}
	}
}

func TestCursors(t *testing.T) {
	s := New()
	reply := run(t, s, Doc{{"find", "customers"}, {"batchSize", int32(2)}})
	id, _ := reply.doc("cursor").Get("id")
	if len(batch(reply)) != 2 || id == int64(0) {
		t.Fatalf("%v", reply)
	}
	next := run(t, s, Doc{{"getMore", id}, {"collection", "customers"}})
	if got := next.doc("cursor").list("nextBatch"); len(got) != 3 {
		t.Errorf("%v", next)
	}
	if next = run(t, s, Doc{{"getMore", id}, {"collection", "customers"}}); next.flag("ok") {
		t.Errorf("an ended cursor: %v", next)
	}
}

// Hostile commands end with an error, and what is kept stays small.
func TestBounds(t *testing.T) {
	s := New()
	deep := Doc{{"a", int32(1)}}
	for range 200 {
		deep = Doc{{"$and", List{deep}}}
	}
	long := strings.Repeat("x", 60<<10)
	for range 200 {
		run(t, s, Doc{{"insert", "big"}, {"documents", List{Doc{{"x", long}}}}})
	}
	push := List{}
	for i := range 3000 {
		push = append(push, Doc{{"n", int32(i)}})
	}
	run(t, s, Doc{{"insert", "many"}, {"documents", push}})
	run(t, s, Doc{{"insert", "many"}, {"documents", push}})
	run(t, s, Doc{{"insert", "many"}, {"documents", push}})
	for i := range maxCollections + 20 {
		run(t, s, Doc{{"create", fmt.Sprint("c", i)}})
	}
	if s.count > maxDocuments || s.bytes > maxBytes || len(s.collections) > maxCollections {
		t.Errorf("%d documents, %d bytes, %d collections", s.count, s.bytes, len(s.collections))
	}
	concat := List{}
	for range 2000 {
		concat = append(concat, "$x")
	}
	stages := List{}
	for range 90 {
		stages = append(stages, Doc{{"$addFields", Doc{{"x", Doc{{"$concat", List{"$x", "$x"}}}}}}})
	}
	for name, pipeline := range map[string]List{
		"filter":  {Doc{{"$match", deep}}},
		"concat":  {Doc{{"$project", Doc{{"y", Doc{{"$concat", concat}}}}}}},
		"double":  stages,
		"lookups": {Doc{{"$lookup", Doc{{"from", "many"}, {"localField", "z"}, {"foreignField", "z"}, {"as", "l"}}}}, Doc{{"$unwind", "$l"}}, Doc{{"$lookup", Doc{{"from", "many"}, {"localField", "z"}, {"foreignField", "z"}, {"as", "m"}}}}},
	} {
		began := time.Now()
		if reply := run(t, s, Doc{{"aggregate", map[bool]string{true: "many", false: "big"}[name == "lookups"]}, {"pipeline", pipeline}}); reply.flag("ok") {
			t.Errorf("%s: it worked", name)
		}
		if took := time.Since(began); took > 20*time.Second {
			t.Errorf("%s: took %v", name, took)
		}
	}
}
