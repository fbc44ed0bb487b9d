package protocols

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"strings"

	"github.com/mcpsf/mcpsf"
)

// The query languages that are reported.
const (
	languageSQL   = "sql"
	languageMongo = "mongodb"
	languageRedis = "redis"
	languageLDAP  = "ldap"
	// languageCypher is that of graph databases.
	languageCypher = "cypher"

	// askedMax is how many bytes of a statement are reported, nestedMax how
	// many levels.
	askedMax  = 4 << 10
	nestedMax = 32
)

// ask reports one statement of the client.
func (w *wire) ask(language, text string) {
	text = strings.TrimRight(strings.ToValidUTF8(text, "?"), "\x00")
	if w.conversation.Asked == nil || text == "" {
		return
	}
	d := &mcpsf.QueryDetail{Language: language, Text: text}
	if len(text) > askedMax {
		d.Text, d.Cut = strings.ToValidUTF8(text[:askedMax], ""), true
	}
	w.conversation.Asked(d)
}

// commandLine writes a command as a user would type it.
func commandLine(args []string) string {
	list := make([]string, 0, len(args))
	for _, a := range args {
		if a == "" || strings.ContainsAny(a, " \t\r\n\"'\\") {
			a = fmt.Sprintf("%q", a)
		}
		list = append(list, a)
	}
	return strings.Join(list, " ")
}

// asJSON writes a BSON document as JSON, up to the first unknown field.
func asJSON(b *strings.Builder, p []byte, list bool, depth int) {
	open, end := byte('{'), byte('}')
	if list {
		open, end = '[', ']'
	}
	b.WriteByte(open)
	defer b.WriteByte(end)
	if len(p) < 5 || depth > nestedMax {
		return
	}
	p = p[4:]
	for first := true; len(p) > 1 && p[0] != 0 && b.Len() <= askedMax; first = false {
		kind := p[0]
		key, rest := cstring(p[1:])
		n, from := width(kind, rest)
		if kind == bsonCode {
			n, from = width(bsonText, rest)
		}
		if n < 0 || n > len(rest) {
			return
		}
		if !first {
			b.WriteByte(',')
		}
		if !list {
			b.WriteString(quoted(key) + ":")
		}
		value(b, kind, rest[:n], from, depth)
		p = rest[n:]
	}
}

const bsonCode = 0x0d

func value(b *strings.Builder, kind byte, p []byte, from, depth int) {
	switch kind {
	case bsonText, bsonCode:
		b.WriteString(quoted(strings.TrimRight(string(p[from:]), "\x00")))
	case bsonDocument, bsonArray:
		asJSON(b, p, kind == bsonArray, depth+1)
	case bsonInt:
		fmt.Fprint(b, int32(binary.LittleEndian.Uint32(p)))
	case bsonLong:
		fmt.Fprint(b, int64(binary.LittleEndian.Uint64(p)))
	case bsonDouble:
		if f := math.Float64frombits(binary.LittleEndian.Uint64(p)); !math.IsNaN(f) && !math.IsInf(f, 0) {
			fmt.Fprint(b, f)
			return
		}
		b.WriteString("null")
	case bsonBool:
		fmt.Fprint(b, p[0] != 0)
	default:
		b.WriteString("null")
	}
}

func quoted(s string) string {
	p, err := json.Marshal(s)
	if err != nil {
		return `""`
	}
	return string(p)
}
