package meaning_test

import (
	"strings"
	"testing"

	"github.com/mcpsf/mcpsf/internal/drive/meaning"
)

func TestPick(t *testing.T) {
	v := meaning.Values{File: "/f", Dir: "/d", Query: "q"}
	tests := []struct{ name, description, want string }{
		{"filePath", "", "/f"},
		{"directory", "", "/d"},
		{"path", "folder to look at", "/d"},
		{"search_query", "", "q"},
		{"arg", "Path of the file", "/f"},
		{"email", "", "alex@example.com"},
		{"", "", "The quick brown fox jumps over the lazy dog."},
		{strings.Repeat("path", 1000), "", "example"},
		{"\xff\xfe", "\xff", "The quick brown fox jumps over the lazy dog."},
		{"folder_id", "", "1"},
		{"locationReminderId", "", "1"},
		{"projectIDs", "", "1"},
		{"repoPath", "", "/d"},
		{"path", "File path relative to the project directory", "/f"},
		{"path", "Where to save the screenshot", "/home/dev/code/server/output.png"},
		{"filepath", "Path of the Excel file", "/home/dev/code/server/output.xlsx"},
		{"path", "Where to save the text", meaning.Values{}.Pick("output_file", "")},
		{"value", "The value to fill in", "example"},
		{"input", "SQL query to run", "SELECT 1"},
		{"query", "The SQL query", "SELECT 1"},
		{"pattern", "Glob pattern", "*.md"},
		{"x", "The name of the file to read", "/f"},
		{"x", "The name of the user to greet", "example"},
		{"content", "The text, as Markdown", "# Hello\n\nThe quick brown fox.\n"},
		{"value", "Settings (a JSON string)", `{"name":"example"}`},
		{"x", "ISO 4217 currency code", "USD"},
		{"country_code", "", "US"},
		{"zip_code", "", "10115"},
		{"endDate", "", "2024-05-24"},
		{"timeZone", "", "UTC"},
		{"mimeType", "", "text/plain"},
		{"cron_expression", "", "0 9 * * 1"},
		{"ip_address", "", "192.0.2.10"},
		{"phoneNumber", "", "+12025550143"},
		{"backgroundColor", "", "#336699"},
	}
	for _, test := range tests {
		if got := v.Pick(test.name, test.description); got != test.want {
			t.Errorf("Pick(%.20q, %q) = %q, want %q", test.name, test.description, got, test.want)
		}
	}
}

func TestValuesFor(t *testing.T) {
	v := meaning.Values{File: "/f", Dir: "/d", NewFile: "/n"}
	for tool, want := range map[string]string{
		"read_file": "/f", "list_directory": "/d", "searchFiles": "/d", "write_file": "/n", "": "/f",
	} {
		if got := v.For(tool).Pick("path", ""); got != want {
			t.Errorf("the path of %q is %s, want %s", tool, got, want)
		}
	}
}
