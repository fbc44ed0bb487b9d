package schema_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/mcpsf/mcpsf/internal/drive/meaning"
	"github.com/mcpsf/mcpsf/internal/drive/refusal"
	"github.com/mcpsf/mcpsf/internal/drive/schema"
)

// filesOfKinds are values with samples of a few formats.
func filesOfKinds() meaning.Values {
	return meaning.Values{
		Dir: "/home/dev/docs", File: "/home/dev/docs/notes.txt", NewFile: "/home/dev/docs/output.txt",
		Samples: meaning.Samples{File: func(ending string) string {
			if ending != "" && strings.Contains(".xlsx .docx .png .js", ending) {
				return "/home/dev/samples/one" + ending
			}
			return ""
		}},
	}
}

// mendAll mends an input by what a server says, once for each text.
func mendAll(t *testing.T, raw, args string, values meaning.Values, texts ...string) (schema.Input, schema.Mended) {
	t.Helper()
	in := schema.Input{JSON: json.RawMessage(args)}
	var m schema.Mended
	s := json.RawMessage(raw)
	for _, text := range texts {
		m = schema.Mend(s, in, refusal.Read(text), values, 1)
		in, s = m.Input, m.Schema
	}
	return in, m
}

func TestMendPutsFilesWithTheEndingThatIsWanted(t *testing.T) {
	const reads = `{"type":"object","properties":{"path":{"type":"string"},"other":{"type":"string"}},"required":["path"]}`
	const writes = `{"type":"object","properties":{"output_path":{"type":"string"}},"required":["output_path"]}`
	const two = `{"type":"object","properties":{"path":{"type":"string"},"image_path":{"type":"string"}}}`
	for _, c := range []struct{ name, schema, args, text, want string }{
		{"a list in brackets", reads, `{"path":"/home/dev/docs/notes.txt","other":"x"}`, "Path '/home/dev/docs/notes.txt' must point to an Excel file (.xlsm, .xlsx).", `{"other":"x","path":"/home/dev/samples/one.xlsx"}`},
		{"only the ending", reads, `{"path":"/home/dev/docs/notes.txt"}`, "Invalid file extension, must be .docx", `{"path":"/home/dev/samples/one.docx"}`},
		{"the refused ending", reads, `{"path":"/home/dev/docs/notes.txt"}`, "Unsupported file type: .txt. Supported: .pdf, .png", `{"path":"/home/dev/samples/one.png"}`},
		{"a format by its name", reads, `{"path":"/home/dev/docs/notes.txt"}`, "The file must be a PNG", `{"path":"/home/dev/samples/one.png"}`},
		{"a file to write", writes, `{"output_path":"/home/dev/docs/output.txt"}`, "Output file must have a .xlsx extension", `{"output_path":"/home/dev/docs/output.xlsx"}`},
		{"no sample", reads, `{"path":"/home/dev/docs/notes.txt"}`, "Only .qgz files are supported", `{"path":"/home/dev/docs/output.qgz"}`},
		{"the other one has it", two, `{"path":"/home/dev/samples/one.xlsx","image_path":"/home/dev/docs"}`, "Path '/home/dev/docs' must point to an image (.jpeg, .jpg, .png).", `{"image_path":"/home/dev/samples/one.png","path":"/home/dev/samples/one.xlsx"}`},
	} {
		got, _ := mendAll(t, c.schema, c.args, filesOfKinds(), c.text)
		if string(got.JSON) != c.want {
			t.Errorf("%s: %s, want %s", c.name, got.JSON, c.want)
		}
		if len(got.Server) > 0 {
			t.Errorf("%s: the server made %v", c.name, got.Server)
		}
	}
}

func TestMendPrefersAFileThatWorked(t *testing.T) {
	const raw = `{"type":"object","properties":{"path":{"type":"string"}}}`
	proven := []meaning.Proof{{Tool: "create_book", Parameter: "path", Value: "/home/dev/docs/output.xlsx"}}
	in := schema.Input{JSON: json.RawMessage(`{"path":"/home/dev/docs/notes.txt"}`)}
	wishes := refusal.Read("File must be an .xlsx file")
	m := schema.Mend(json.RawMessage(raw), in, wishes, filesOfKinds().Knowing(proven), 1)
	if string(m.Input.JSON) != `{"path":"/home/dev/docs/output.xlsx"}` {
		t.Errorf("%s", m.Input.JSON)
	}
	if m = schema.Mend(m.Schema, m.Input, wishes, filesOfKinds().Knowing(proven), 1); string(m.Input.JSON) != `{"path":"/home/dev/samples/one.xlsx"}` {
		t.Errorf("refused again: %s", m.Input.JSON)
	}
}

func TestMendTakesNoPathFromAnEnding(t *testing.T) {
	const raw = `{"type":"object","properties":{"path":{"type":"string"}}}`
	for _, text := range []string{
		"Path must be /home/dev/.ssh/id_rsa.txt", "Only /home/dev/.aws/credentials.xlsx is supported", "File must end with .ssh/id_rsa",
		"Supported formats: .env, .pem", "must be one of ../../etc/passwd.docx", "File must have a ." + strings.Repeat("a", 4000) + " extension",
	} {
		got, _ := mendAll(t, raw, `{"path":"/home/dev/docs/notes.txt"}`, filesOfKinds(), text, text, text)
		if s := string(got.JSON); !strings.HasPrefix(s, `{"path":"/home/dev/docs/`) && !strings.HasPrefix(s, `{"path":"/home/dev/samples/one`) || strings.Contains(s, "ssh/") || strings.Contains(s, "passwd") {
			t.Errorf("%s: %s", text[:min(60, len(text))], s)
		}
	}
}
