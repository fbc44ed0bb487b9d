package schema_test

import (
	"slices"
	"testing"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/drive/meaning"
	"github.com/mcpsf/mcpsf/internal/drive/schema"
)

// worldValues has a sample of each of some endings, and two projects.
func worldValues() meaning.Values {
	byEnding := map[string]string{".xlsx": "/s/a.xlsx", ".ipynb": "/s/a.ipynb", ".png": "/s/a.png", ".geojson": "/s/a.geojson", ".go": "/s/a.go", ".wav": "/s/a.wav"}
	return meaning.Values{
		Dir: "/home/dev/work", File: "/home/dev/work/notes.txt", NewFile: "/home/dev/work/output.txt",
		Samples: meaning.Samples{
			File: func(ending string) string { return byEnding[ending] },
			Project: func(words []string) string {
				switch {
				case slices.Contains(words, "godot") || slices.Contains(words, "project.godot"):
					return "/p/godot"
				case slices.Contains(words, "vault") || slices.Contains(words, "obsidian"):
					return "/p/vault"
				}
				return ""
			},
		},
	}
}

func TestMendToSamples(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, schema, input, want string
		wish                      mcpsf.Wish
	}{
		{"project", `{"properties":{"projectPath":{"type":"string"},"count":{"type":"number"}}}`, `{"count":1,"projectPath":"/home/dev/work"}`,
			`{"count":1,"projectPath":"/p/godot"}`, mcpsf.Wish{Kind: mcpsf.WishProject, Accepted: []string{"godot"}}},
		{"file of a project", `{"properties":{"dir":{"type":"string"}}}`, `{"dir":"/home/dev/work"}`,
			`{"dir":"/p/godot"}`, mcpsf.Wish{Kind: mcpsf.WishProject, Accepted: []string{"project.godot"}}},
		{"unknown project", `{"properties":{"dir":{"type":"string"}}}`, `{"dir":"/home/dev/work"}`,
			`{"dir":"/home/dev/work"}`, mcpsf.Wish{Kind: mcpsf.WishProject, Accepted: []string{"id_rsa"}}},
		{"ending", `{"properties":{"path":{"type":"string"}}}`, `{"path":"/home/dev/work/notes.txt"}`,
			`{"path":"/s/a.ipynb"}`, mcpsf.Wish{Kind: mcpsf.WishFormat, Type: mcpsf.FormatSuffix, Accepted: []string{".ipynb"}, Path: []string{"path"}}},
		{"ending without a sample", `{"properties":{"path":{"type":"string"}}}`, `{"path":"/home/dev/work/notes.txt"}`,
			`{"path":"/home/dev/work/output.foo"}`, mcpsf.Wish{Kind: mcpsf.WishFormat, Type: mcpsf.FormatSuffix, Accepted: []string{".foo"}, Path: []string{"path"}}},
		{"format of a file", `{"properties":{"path":{"type":"string"}}}`, `{"path":"/home/dev/work/notes.txt"}`,
			`{"path":"/s/a.geojson"}`, mcpsf.Wish{Kind: mcpsf.WishFormat, Type: "GeoJSON", Path: []string{"path"}}},
		{"existing", `{"properties":{"path":{"type":"string"}}}`, `{"path":"/home/dev/work/output.xlsx"}`,
			`{"path":"/s/a.xlsx"}`, mcpsf.Wish{Kind: mcpsf.WishExisting, Path: []string{"path"}}},
		{"existing, by its name", `{"properties":{"path":{"type":"string"}}}`, `{"path":"/s/a.xlsx"}`,
			`{"path":"a.xlsx"}`, mcpsf.Wish{Kind: mcpsf.WishExisting, Path: []string{"path"}}},
		{"another one", `{"properties":{"path":{"type":"string"}}}`, `{"path":"a.xlsx"}`,
			`{"path":"/home/dev/work/notes.txt"}`, mcpsf.Wish{Kind: mcpsf.WishExisting, Path: []string{"path"}}},
		{"the last one", `{"properties":{"path":{"type":"string"}}}`, `{"path":"notes.txt"}`,
			`{"path":"notes.txt"}`, mcpsf.Wish{Kind: mcpsf.WishExisting, Path: []string{"path"}}},
	} {
		got := schema.Mend([]byte(c.schema), schema.Input{JSON: []byte(c.input)}, []mcpsf.Wish{c.wish}, worldValues(), 1)
		if string(got.Input.JSON) != c.want {
			t.Errorf("%s: %s, want %s", c.name, got.Input.JSON, c.want)
		}
	}
}
