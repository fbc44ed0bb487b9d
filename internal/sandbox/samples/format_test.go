package samples

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"go/parser"
	"go/token"
	"io"
	"net/mail"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/evanw/esbuild/pkg/api"
	"go.yaml.in/yaml/v3"

	"github.com/mcpsf/mcpsf/internal/document"
)

// TestText reads every file of every format that has a decoder here, those of
// projects as well.
func TestText(t *testing.T) {
	decoders := textDecoders()
	checked := make(map[string]bool)
	for _, f := range all(t) {
		ending := path.Ext(f.Path)
		decode, ok := decoders[ending]
		if !ok || strings.Contains(f.Path, "/templates/") {
			continue // what Helm fills in is no YAML yet
		}
		checked[ending] = true
		if err := decode(f.Content); err != nil {
			t.Errorf("%s: %v", f.Path, err)
		}
	}
	for ending := range decoders {
		if !checked[ending] {
			t.Errorf("no file ends in %s", ending)
		}
	}
}

func textDecoders() map[string]func([]byte) error {
	all := map[string]func([]byte) error{
		".toml": func(b []byte) error { _, err := document.TOML(b); return err },
		".go": func(b []byte) error {
			_, err := parser.ParseFile(token.NewFileSet(), "x.go", b, parser.AllErrors)
			return err
		},
		".jsonl": readJSONLines, ".ndjson": readJSONLines,
		".csv":  func(b []byte) error { return readTable(b, ',') },
		".tsv":  func(b []byte) error { return readTable(b, '\t') },
		".eml":  func(b []byte) error { _, err := mail.ReadMessage(bytes.NewReader(b)); return err },
		".yaml": readYAML, ".yml": readYAML,
		".ics": bracketed("BEGIN:VCALENDAR\r\n", "END:VCALENDAR\r\n"),
		".vcf": bracketed("BEGIN:VCARD\r\n", "END:VCARD\r\n"),
		".rtf": bracketed(`{\rtf1`, "}\n"),
		".vtt": bracketed("WEBVTT\n\n", "\n"),
		".stl": bracketed("solid shelf\n", "endsolid shelf\n"),
		".dxf": bracketed("  0\nSECTION\n", "  0\nEOF\n"),
		".md":  readFrontMatter,
	}
	for ending := range strings.FieldsSeq(".json .ipynb .geojson .excalidraw .har .kicad_pro .uproject") {
		all[ending] = func(b []byte) error { return json.Unmarshal(b, new(any)) }
	}
	for ending := range strings.FieldsSeq(".xml .xsd .gpx .kml .svg .drawio .bpmn .rss .plist .csproj .xcworkspacedata") {
		all[ending] = readXML
	}
	for ending, loader := range map[string]api.Loader{
		".js": api.LoaderJS, ".mjs": api.LoaderJS, ".cjs": api.LoaderJS, ".jsx": api.LoaderJSX,
		".ts": api.LoaderTS, ".tsx": api.LoaderTSX, ".css": api.LoaderCSS, ".json5": api.LoaderJS,
	} {
		all[ending] = script(loader)
	}
	return all
}

// script reads what esbuild understands; an object of JSON5 is an expression.
func script(loader api.Loader) func([]byte) error {
	return func(b []byte) error {
		if bytes.HasPrefix(b, []byte("// What the screen")) {
			_, object, _ := bytes.Cut(b, []byte("\n"))
			b = append([]byte("x = "), object...)
		}
		result := api.Transform(string(b), api.TransformOptions{Loader: loader})
		if len(result.Errors) > 0 {
			return fmt.Errorf("line %d: %s", result.Errors[0].Location.Line, result.Errors[0].Text)
		}
		return nil
	}
}

func bracketed(first, last string) func([]byte) error {
	return func(b []byte) error {
		if !bytes.HasPrefix(b, []byte(first)) || !bytes.HasSuffix(b, []byte(last)) {
			return fmt.Errorf("not from %q to %q", first, last)
		}
		return nil
	}
}

func readXML(b []byte) error {
	d := xml.NewDecoder(bytes.NewReader(b))
	elements := 0
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) && elements > 0 {
			return nil
		}
		if err != nil {
			return err
		}
		if _, ok := token.(xml.StartElement); ok {
			elements++
		}
	}
}

func readYAML(b []byte) error {
	d := yaml.NewDecoder(bytes.NewReader(b))
	for {
		if err := d.Decode(new(any)); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
	}
}

func readJSONLines(b []byte) error {
	for line := range bytes.Lines(b) {
		if err := json.Unmarshal(line, new(map[string]any)); err != nil {
			return err
		}
	}
	return nil
}

func readTable(b []byte, comma rune) error {
	r := csv.NewReader(bytes.NewReader(b))
	r.Comma = comma
	rows, err := r.ReadAll()
	if err == nil && (len(rows) < 3 || len(rows[0]) < 2) {
		return fmt.Errorf("only %d rows", len(rows))
	}
	return err
}

// readFrontMatter wants YAML or TOML between the lines that begin a note.
func readFrontMatter(b []byte) error {
	for fence, read := range map[string]func([]byte) error{
		"---\n": readYAML,
		"+++\n": func(b []byte) error { _, err := document.TOML(b); return err },
	} {
		rest, ok := bytes.CutPrefix(b, []byte(fence))
		if !ok || bytes.Contains(b, []byte("{{")) {
			continue
		}
		front, _, closed := bytes.Cut(rest, []byte("\n"+fence))
		if !closed {
			return fmt.Errorf("%q is not closed", fence)
		}
		return read(front)
	}
	return nil
}

// Text is UTF-8, ends with a line end, and has one kind of it.
func TestPlainText(t *testing.T) {
	for _, folder := range []string{"text", "projects"} {
		list, err := archives(folder)
		if err != nil {
			t.Fatal(err)
		}
		for _, a := range list {
			for _, f := range a.files {
				if !utf8.Valid(f.content) || bytes.Contains(f.content, []byte("\r")) {
					t.Errorf("%s: %s is no plain text", a.name, f.name)
				}
			}
		}
	}
}

// Each hunk of a patch has the lines that its header counts.
func TestPatches(t *testing.T) {
	header := regexp.MustCompile(`^@@ -\d+,(\d+) \+\d+,(\d+) @@`)
	for _, ending := range []string{".diff", ".patch"} {
		var before, after int
		lines := bufio.NewScanner(bytes.NewReader(sample(t, ending)))
		for lines.Scan() {
			line := lines.Text()
			switch m := header.FindStringSubmatch(line); {
			case m != nil:
				_, _ = fmt.Sscan(m[1]+" "+m[2], &before, &after)
			case before+after > 0 && strings.HasPrefix(line, "-"):
				before--
			case before+after > 0 && strings.HasPrefix(line, "+"):
				after--
			case before+after > 0:
				before, after = before-1, after-1
			}
		}
		if before != 0 || after != 0 {
			t.Errorf("%s: %d and %d lines are missing", ending, before, after)
		}
	}
}

// sample is the file that stands for an ending.
func sample(t *testing.T, ending string) []byte {
	t.Helper()
	files, err := documents()
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if slices.Contains(keys(f.name), ending) {
			return f.content
		}
	}
	t.Fatalf("no file for %s", ending)
	return nil
}
