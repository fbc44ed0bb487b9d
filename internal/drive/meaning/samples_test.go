package meaning_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/mcpsf/mcpsf/internal/drive/meaning"
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

func TestPathOfAKind(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ tool, name, description, want string }{
		{"read_sheet", "filepath", "Path to the workbook", "/s/a.xlsx"},
		{"execute", "notebook_path", "", "/s/a.ipynb"},
		{"describe", "image_path", "", "/s/a.png"},
		{"transcribe", "audio_file", "The file", "/s/a.wav"},
		{"check", "path", "Path of a .go file", "/s/a.go"},
		{"load", "file", "a GeoJSON file", "/s/a.geojson"},
		{"load", "file", "Path to the file", "/home/dev/work/notes.txt"},
		{"render", "output_path", "where the image is saved", "/home/dev/work/output.png"},
		{"export", "output_file", "", "/home/dev/work/output.txt"},
		{"run_scene", "projectPath", "Path to the Godot project directory", "/p/godot"},
		{"list_notes", "folder", "Folder in the vault", "/p/vault"},
		{"list_files", "directory", "The directory", "/home/dev/work"},
	} {
		if got := worldValues().For(c.tool).Pick(c.name, c.description); got != c.want {
			t.Errorf("%s(%s: %s): %s, want %s", c.tool, c.name, c.description, got, c.want)
		}
	}
}

// All folders of a server for Godot are projects for Godot.
func TestProjectByServer(t *testing.T) {
	t.Parallel()
	v := worldValues()
	v.Samples.Server = "godot-mcp"
	if got := v.For("list_scenes").Pick("directory", ""); got != "/p/godot" {
		t.Error(got)
	}
}

// A parameter that takes the text of a document gets one in the format that words name.
func TestDocuments(t *testing.T) {
	t.Parallel()
	v := worldValues()
	v.Samples.Content = func(ending string) []byte {
		return map[string][]byte{
			".geojson": []byte(`{"type":"FeatureCollection"}`), ".ics": []byte("BEGIN:VCALENDAR"), ".gpx": []byte("<gpx/>"), ".toml": []byte("a = 1"),
			".png": {0x89, 'P', 'N', 'G', 0}, ".vcf": []byte(strings.Repeat("x", 5000)), ".json": []byte(`{}`),
		}[ending]
	}
	for _, c := range []struct{ tool, name, description, want string }{
		{"add_features", "geojson", "A GeoJSON FeatureCollection (RFC 7946) as JSON text", `{"type":"FeatureCollection"}`},
		{"near", "geojson", "A GeoJSON geometry", `{"name":"example"}`},
		{"import", "ics", "", "BEGIN:VCALENDAR"},
		{"import_calendar", "content", "iCalendar text", "BEGIN:VCALENDAR"},
		{"import_track", "text", "The GPX document", "<gpx/>"},
		{"import_track", "gpx_data", "", "<gpx/>"},
		{"configure", "toml", "", "a = 1"},
		{"upload", "image_base64", "", "iVBORwA="},
		{"upload", "data", "A PNG image in base64", "iVBORwA="},
		{"import", "content", "A vCard", "The quick brown fox jumps over the lazy dog."}, // too long
		{"import", "json", "", `{"name":"example"}`},                                     // a short one is known
		{"export", "format", "gpx or kml", "text"},
		{"import", "gpx_file", "", "/home/dev/work/notes.txt"},
		{"send", "message", "The text of the message", "The quick brown fox jumps over the lazy dog."},
	} {
		if got := v.WithDefaults().For(c.tool).Pick(c.name, c.description); got != c.want {
			t.Errorf("%s(%s: %s): %s, want %s", c.tool, c.name, c.description, got, c.want)
		}
	}
}

// The address of a document leads to one in the format that words name.
func TestDownloads(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ tool, name, description, want string }{
		{"add", "feed_url", "", "https://www.example.com/feed.xml"},
		{"subscribe_feed", "url", "The address", "https://www.example.com/feed.xml"},
		{"add", "url", "URL of the RSS or Atom feed", "https://www.example.com/feed.xml"},
		{"crawl", "sitemap_url", "", "https://www.example.com/sitemap.xml"},
		{"import", "url", "Where the iCalendar file is", "https://www.example.com/calendar.ics"},
		{"describe", "image_url", "", "https://www.example.com/data.png"},
		{"open", "url", "The page", "https://www.example.com/"},
		{"connect", "api_url", "of the feed", "https://www.example.com/"},
	} {
		if got := worldValues().WithDefaults().For(c.tool).Pick(c.name, c.description); got != c.want {
			t.Errorf("%s(%s: %s): %s, want %s", c.tool, c.name, c.description, got, c.want)
		}
	}
}
