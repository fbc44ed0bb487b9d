package meaning_test

import (
	"encoding/json"
	"testing"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/drive/meaning"
)

func TestDocument(t *testing.T) {
	for _, c := range []struct{ server, name, about, want string }{
		{"mongodb-mcp-server", "update", "", `{"$set":{"name":"example"}}`},
		{"mongodb-mcp-server", "pipeline", "", `{"$match":{}}`},
		{"x", "keys", "The keys of the index in MongoDB", `{"name":1}`},
		{"mongodb-mcp-server", "filter", "", `null`},
		{"x", "update", "", `null`},
	} {
		v := meaning.Values{Samples: meaning.Samples{Server: c.server}}.WithDefaults().ForTool(&mcpsf.Tool{Name: "work"})
		if got, err := json.Marshal(v.Document(c.name, c.about)); err != nil || string(got) != c.want {
			t.Errorf("%s of %s: %s, want %s", c.name, c.server, got, c.want)
		}
	}
}
