package protocols

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"github.com/mcpsf/mcpsf"
)

// The driver that servers for Neo4j have connects, reads nodes and relationships, and
// writes.
func TestDriverNeo4j(t *testing.T) {
	o, port := serve(t, speaks(t, "bolt"), false)
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	driver, err := neo4j.NewDriverWithContext("bolt://127.0.0.1:"+port, neo4j.BasicAuth("neo4j", "bolt-pw", ""))
	if err != nil {
		t.Fatal(err)
	}
	result, err := neo4j.ExecuteQuery(ctx, driver, "MATCH (p:Person)-[k:KNOWS]->(q) WHERE p.name = $name RETURN p, k, p.name AS who, p.age, labels(p) ORDER BY who",
		map[string]any{"name": "bolt-value", "limits": []any{1, -200, 2.5, nil, true}}, neo4j.EagerResultTransformer)
	if err != nil {
		t.Fatal(err)
	}
	if len(result.Records) != 2 || strings.Join(result.Keys, " ") != "p k who p.age labels(p)" {
		t.Fatalf("%v: %d records", result.Keys, len(result.Records))
	}
	row := result.Records[1].AsMap()
	if p, ok := row["p"].(neo4j.Node); !ok || p.Props["name"] != "Mira Sandberg" || row["who"] != "Mira Sandberg" || row["p.age"] != int64(35) {
		t.Errorf("%v", row)
	}
	if k, ok := row["k"].(neo4j.Relationship); !ok || k.Type != "KNOWS" {
		t.Errorf("%v", row["k"])
	}
	session := driver.NewSession(ctx, neo4j.SessionConfig{})
	written, err := session.ExecuteWrite(ctx, func(tx neo4j.ManagedTransaction) (any, error) {
		r, err := tx.Run(ctx, "CREATE (:Person {name: 'x'})", nil)
		if err != nil {
			return nil, err
		}
		return r.Consume(ctx)
	})
	if err != nil || written.(neo4j.ResultSummary).Counters().NodesCreated() != 1 {
		t.Errorf("%v, %v", written, err)
	}
	if err := session.Close(ctx); err != nil {
		t.Error(err)
	}
	if err := driver.Close(ctx); err != nil {
		t.Error(err)
	}
	o.wants(t, "login", "neo4j", "bolt-pw")
	o.wants(t, "query", "bolt-value", "CREATE (:Person")
}

func TestCypher(t *testing.T) {
	for text, want := range map[string]string{
		"MATCH (n) RETURN count(n) AS number": `number [[2]]`,
		"MATCH (n) RETURN n.name LIMIT 1":     `n.name [["Johan Lindqvist"]]`,
		"RETURN 1":                            `1 [[1]]`,
		"CALL db.labels()":                    `label [["Person"], ["Person"]]`,
		"CALL apoc.meta.schema({sample: 1000}) YIELD value RETURN value":      `value`,
		"MATCH (n:Person) WHERE n.name = 'a, b' RETURN [n.name, 'x, y'] AS l": `l`,
		"CREATE (n) SET n.a = 1": ` []`,
		"SHOW INDEXES":           `id name state`,
	} {
		c := cypher(text, true)
		rows := []any{}
		for _, r := range c.rows {
			rows = append(rows, r)
		}
		if got := strings.Join(c.fields, " ") + " " + shown(rows); !strings.HasPrefix(got, want) {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
	if cypher(" ", false) != nil {
		t.Error("an empty statement has a result")
	}
}

// The statement is reported with its parameters.
func TestBoltAsks(t *testing.T) {
	var asked []string
	g := &graph{wire: &wire{mute: true, conversation: &Conversation{Asked: func(q *mcpsf.QueryDetail) { asked = append(asked, q.Language+" "+q.Text) }}}}
	g.obey(&packed{boltRun, []any{"MATCH (n) WHERE n.x = $x RETURN n", []member{{"x", "a\"b"}}, []member{}}})
	if len(asked) != 1 || asked[0] != `cypher MATCH (n) WHERE n.x = $x RETURN n {x: "a\"b"}` {
		t.Errorf("%q", asked)
	}
}

func FuzzUnpack(f *testing.F) {
	f.Add([]byte{0xb1, 0x01, 0xa1, 0x81, 'a', 0x92, 0x01, 0xc0})
	f.Add([]byte{0xd6, 0xff, 0xff, 0xff, 0xff, 0x91, 0x91, 0x91})
	f.Add(pack(nil, packed{boltRun, []any{strings.Repeat("x", 300), []member{{"a", []any{1, -1, 1 << 40, 2.5, true, nil}}}}}))
	f.Fuzz(func(t *testing.T, p []byte) {
		u := &unpacker{p: p}
		value := u.value(0)
		if u.broken {
			return
		}
		again := &unpacker{p: pack(nil, value)}
		if got := again.value(0); !again.broken && shown(got) != shown(value) {
			t.Errorf("%s became %s", shown(value), shown(got))
		}
	})
}

// boltSample is what a client sends: the versions that it speaks, a login, a statement, and
// good-bye.
func boltSample() string {
	message := func(tag byte, fields ...any) string {
		p := pack(nil, packed{tag, fields})
		return string([]byte{byte(len(p) >> 8), byte(len(p))}) + string(p) + "\x00\x00"
	}
	return "\x60\x60\xb0\x17\x00\x04\x04\x05\x00\x02\x04\x04\x00\x00\x00\x03\x00\x00\x00\x00" +
		message(boltHello, []member{{"user_agent", "example/1.0"}}) + message(boltLogon, []member{{"scheme", "basic"}, {"principal", "neo4j"}, {"credentials", "bolt-pw"}}) +
		message(boltRun, "MATCH (n) RETURN n", []member{}, []member{}) + message(boltPull, []member{{"n", -1}}) + message(boltGoodbye)
}
