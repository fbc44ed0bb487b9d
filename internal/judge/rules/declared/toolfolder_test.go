package declared

import (
	"encoding/json"
	"testing"

	"github.com/mcpsf/mcpsf"
)

func TestNamesItsFolder(t *testing.T) {
	for _, c := range []struct {
		tool, name, about string
		want              bool
	}{
		{tool: "Read a file.", name: "path", about: "Path of the file"},
		{tool: "Read a file in the given directory.", name: "path"},
		{tool: "Read a file from the local directory.", name: "path", about: "relative to the working directory"},
		{tool: "Lists the files in the notes folder.", name: "folder"},
		{tool: "Read a note.", name: "name", about: "Name of a file in the notes folder", want: true},
		{tool: "Reads one report from /srv/reports.", name: "file", want: true},
		{tool: "Show a template of the `templates` directory", name: "file"},
		{tool: "Show a page from ./site", name: "page", want: true},
		{tool: "Read a note.", name: "path", about: "Path relative to the Obsidian vault", want: true},
	} {
		schema, err := json.Marshal(map[string]any{"properties": map[string]any{c.name: map[string]any{"description": c.about}}})
		if err != nil {
			t.Fatal(err)
		}
		tools := NewTools(map[string]mcpsf.Tool{"read": {Description: c.tool, InputSchema: schema}})
		if got := tools.NamesItsFolder("read", "/"+c.name); got != c.want {
			t.Errorf("%+v: %v", c, got)
		}
	}
}
