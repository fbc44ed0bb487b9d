package meaning_test

import (
	"testing"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/drive/meaning"
)

func TestIDsAreInTheFormThatTheWordsAroundThemName(t *testing.T) {
	for _, c := range []struct{ server, tool, name, about, want string }{
		{"papers", "get_paper", "paper_id", "The arXiv ID of the paper", "1706.03762"},
		{"arxiv-mcp-server", "read", "paper_id", "", "1706.03762"},
		{"arxiv-mcp-server", "read", "section_id", "", "1"},
		{"x", "pubmed_fetch", "id", "", "31452104"},
		{"x", "resolve", "doi", "", "10.1038/nature14539"},
		{"youtube-mcp", "get_transcript", "video_id", "", "dQw4w9WgXcQ"},
		{"x", "set_note", "cell", "", "A1"},
		{"x", "read", "cell_range", "", "A1:C5"},
		{"excel-mcp", "read_range", "range", "", "A1:C5"},
		{"x", "random_number", "range", "", "example"},
		{"postgres-mcp", "query", "query", "", "SELECT 1"},
		{"mcp-neo4j", "read_neo4j_cypher", "query", "The Cypher query to execute.", "MATCH (n) RETURN n LIMIT 5"},
		{"mcp-neo4j", "write_neo4j_cypher", "query", "The Cypher query to execute.", "MERGE (n:Example {name: 'alex'}) RETURN n.name AS name"},
		{"postgres-mcp", "query", "query", "natural language text", "hello"},
		{"postgres-mcp", "search_docs", "query", "", "hello"},
		{"x", "flights", "origin_airport", "", "BER"},
		{"x", "get", "id", "", "1"},
	} {
		v := meaning.Values{Samples: meaning.Samples{Server: c.server}}.ForTool(&mcpsf.Tool{Name: c.tool})
		if got := v.Pick(c.name, c.about); got != c.want {
			t.Errorf("%s of %s on %s: %q, want %q", c.name, c.tool, c.server, got, c.want)
		}
	}
	if !meaning.HasNotation("cell") || meaning.HasNotation("bundle") {
		t.Error("a cell is written in a form of its own, and a bundle is not")
	}
}
