package schema_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/drive/meaning"
	"github.com/mcpsf/mcpsf/internal/drive/refusal"
	"github.com/mcpsf/mcpsf/internal/drive/schema"
)

// planted are values as an assessment has them.
func planted() meaning.Values {
	return meaning.Values{
		Dir: "/home/dev/Documents/projects", File: "/home/dev/Documents/projects/notes.md", NewFile: "/home/dev/Documents/projects/output.txt",
		RepoDir: "/home/dev/code/app",
	}
}

func properties(list string) string { return `{"type":"object","properties":{` + list + `}}` }

func TestMend(t *testing.T) {
	const path = "/home/dev/Documents/projects/"
	tests := []struct {
		name, schema, in, refusal string
		want                      string // "" if nothing changes
		left                      int
	}{
		{"missing, no schema", ``, `{}`, `[{"code":"invalid_type","expected":"array","received":"undefined","path":["paths"]},{"code":"invalid_type","expected":"number","received":"undefined","path":["limit"]}]`, `{"limit":10,"paths":["` + path + `notes.md"]}`, 0},
		{"missing and one of", properties(`"analysisType":{"type":"string"}`), `{}`, `Error: analysisType is required and must be one of ['configuration', 'performance'].`, `{"analysisType":"configuration"}`, 0},
		{"optional becomes required", properties(`"q":{"type":"string"}`), `{}`, `'q' is a required property`, `{"q":"hello"}`, 0},
		{"called by another name", properties(`"issue_key":{"type":"string"}`), `{}`, `Outward issue key is required`, `{"issue_key":"example"}`, 0},
		{"number in text", properties(`"n":{}`), `{"n":"1"}`, `n must be an integer`, `{"n":1}`, 0},
		{"the value tells the place", properties(`"mode":{"type":"string"},"q":{"type":"string"}`), `{"mode":"fast","q":"hello"}`, `'fast' is not one of ['x', 'y']`, `{"mode":"x","q":"hello"}`, 0},
		{"a number of the list", properties(`"level":{"type":"integer"}`), `{"level":7}`, `level must be one of 1, 2, 3`, `{"level":1}`, 0},
		{"unexpected", properties(`"a":{"type":"string"}`), `{"a":"x","zz":1}`, `Unrecognized key(s) in object: 'zz'`, `{"a":"x"}`, 0},
		{"one member", properties(`"status":{"type":"string"},"assignedTo":{"type":"string"}`), `{}`, "At least one of `status` or `assignedTo` must be provided", `{"status":"open"}`, 0},
		{"one member is there", properties(`"status":{"type":"string"}`), `{"status":"open"}`, "At least one of `status` or `assignedTo` must be provided", ``, 1},
		{"uuid", properties(`"id":{"type":"string"}`), `{"id":"1"}`, `id must be a valid UUID`, `uuid`, 0},
		{"cron", properties(`"when":{"type":"string"}`), `{"when":"x"}`, `when must be a valid cron expression`, `{"when":"0 9 * * 1"}`, 0},
		{"GeoJSON", properties(`"area":{"type":"string"}`), `{"area":"x"}`, `area must be valid GeoJSON`, `{"area":"{\"type\":\"Point\",\"coordinates\":[13.405,52.52]}"}`, 0},
		{"positive", properties(`"n":{"type":"integer"}`), `{"n":0}`, `n must be a positive integer`, `{"n":1}`, 0},
		{"at most", properties(`"width":{"type":"integer"}`), `{"width":640}`, `width must be between 1 and 100`, `{"width":100}`, 0},
		{"longer", properties(`"name":{"type":"string","maxLength":20}`), `{"name":"ab"}`, `name must be at least 10 characters`, `{"name":"exampleaaa"}`, 0},
		{"a terabyte", properties(`"name":{"type":"string"},"n":{"type":"integer"}`), `{"name":"ab","n":1}`, "name must be at least 1099511627776 characters\nn must be at least 1099511627776", ``, 2},
		{"outside, a folder of ours", properties(`"outputPath":{"type":"string"}`), `{"outputPath":"` + path + `output.txt"}`, `Invalid path: "` + path + `output.txt" resolves outside the allowed image directory. The server's image directory is "/home/dev/code/server".`, `{"outputPath":"/home/dev/code/server/output.txt"}`, 0},
		{"outside, a folder of nobody", properties(`"path":{"type":"string"}`), `{"path":"` + path + `notes.md"}`, `Access denied - path outside allowed directories: ` + path + `notes.md not in /home/dev/.ssh, /etc`, `{"path":"notes.md"}`, 0},
		{"absolute", properties(`"path":{"type":"string"}`), `{"path":"notes.md"}`, `path must be absolute`, `{"path":"` + path + `notes.md"}`, 0},
		{"new", properties(`"destination":{"type":"string"}`), `{"destination":"` + path + `output.txt"}`, `Destination already exists: ` + path + `output.txt`, `{"destination":"` + path + `output-2.txt"}`, 0},
		{"missing in the open object", properties(`"kind":{"type":"string"},"fields":{"type":"object"}`), `{"kind":"x","asset_tag":"example"}`, `field asset_tag is required for kind x`, `{"asset_tag":"example","fields":{"asset_tag":"example"},"kind":"x"}`, 0},
		{"one more in the open object", properties(`"kind":{"type":"string"},"fields":{"type":"object"}`), `{"kind":"x","fields":{"asset_tag":"example"}}`, `field room is required for kind x`, `{"fields":{"asset_tag":"example","room":"example"},"kind":"x"}`, 0},
		{"in an optional object of the chosen kind", `{"type":"object","properties":{"run":{"anyOf":[{"type":"object","properties":{"operation":{"const":"rename"},"params":{"type":"object","properties":{"title":{"type":"string"}},"required":["title"]}},"required":["operation"]},{"type":"object","properties":{"operation":{"const":"forms"},"params":{"type":"object","properties":{"siteId":{"type":"string"},"forms":{"enum":["enabled","disabled"]}},"required":["siteId"]}},"required":["operation"]}]}},"required":["run"],"additionalProperties":false}`,
			`{"run":{"operation":"forms"}}`, `Missing required parameter: forms`, `{"run":{"operation":"forms","params":{"forms":"enabled","siteId":"1"}}}`, 0},
		{"the code of a thing", properties(`"depot":{"type":"string","description":"Code of the depot"}`), `{"depot":"example"}`, `depot must be three capital letters, a dash and two digits, such as HAM-02`, `{"depot":"HAM-02"}`, 0},
		{"too long for a general name", properties(`"value":{"type":"string"},"color":{"type":"string"}`), `{"value":"The quick brown fox","color":"#336699"}`, `value: String must contain at most 9 character(s)`, `{"color":"#336699","value":"example"}`, 0},
		{"what an answer lacks", properties(`"content":{"type":"string"}`), `{"content":"x"}`, `[{"expected":"date","code":"invalid_type","received":"Invalid Date","path":["createdAt"],"message":"Invalid input: expected date, received Date"}]`, ``, 1},
		{"another type than the value has", properties(`"workspace":{"type":"string"}`), `{"workspace":"x"}`, `[{"expected":"object","code":"invalid_type","path":[],"message":"Invalid input: expected object, received array"}]`, ``, 1},
		{"a date in the future", properties(`"until":{"type":"string","format":"date-time"}`), `{"until":"2024-05-17T09:30:00Z"}`, `until must be later than now`, `{"until":"2037-05-17T09:30:00Z"}`, 0},
		{"a switch to set", properties(`"name":{"type":"string"},"dropTarget":{"type":"boolean"}`), `{"name":"x"}`, `The target already exists. To overwrite it, set the "dropTarget" argument to true.`, `{"dropTarget":true,"name":"x"}`, 1},
		{"somebody else", properties(`"author":{"type":"string"},"reviewer":{"type":"string"}`), `{"author":"example","reviewer":"example"}`, `the reviewer must be somebody else than the author`, `{"author":"example","reviewer":"example-2"}`, 0},
		{"a list among lists", properties(`"to":{"type":"array"}`), `{"to":["x"]}`, `to must be one of ['["a"]', '["b"]']`, `{"to":["a"]}`, 0},
		{"an abbreviated name", properties(`"row_index":{"type":"integer"},"col_index":{"type":"integer"}`), `{"row_index":0,"col_index":1}`, `Invalid column index. Row has 1 cells (0-0).`, `{"col_index":0,"row_index":0}`, 0},
		{"members of each element", properties(`"series_data":{"type":"array","items":{"type":"object","additionalProperties":true}},"n":{"type":"integer"}`), `{"series_data":[{}],"n":1}`, `Each series must have 'name' and 'values' keys`, `{"n":1,"series_data":[{"name":"example","values":"example"}]}`, 0},
		{"not empty", properties(`"data":{"type":"object"}`), `{"data":{}}`, `data is required`, `{"data":{"name":"example"}}`, 0},
		{"new, our own name returned", properties(`"sheet":{"type":"string"}`), `{"sheet":"example-2"}`, `A sheet named 'example-2' already exists.`, `{"sheet":"example-3"}`, 0},
		{"new again", properties(`"destination":{"type":"string"}`), `{"destination":"` + path + `output-2.txt"}`, `Destination already exists: ` + path + `output-2.txt`, `{"destination":"` + path + `output-3.txt"}`, 0},
		{"existing", properties(`"path":{"type":"string"}`), `{"path":"` + path + `output.txt"}`, `File not found: ` + path + `output.txt`, `{"path":"` + path + `notes.md"}`, 0},
		{"an ending", properties(`"filename":{"type":"string"}`), `{"filename":"` + path + `notes.md"}`, `filename must end with .xlsx`, `{"filename":"` + path + `output.xlsx"}`, 0},
		{"a part of an address", properties(`"issueUrl":{"type":"string"}`), `{"issueUrl":"https://www.example.com/"}`, `Invalid Sentry issue URL. Path must contain '/issues/{issue_id}'`, `{"issueUrl":"https://www.example.com/issues/1"}`, 0},
		{"about the answer", properties(`"q":{"type":"string"}`), `{"q":"x"}`, `[{"code":"invalid_type","expected":"string","received":"undefined","path":["items",0,"owner"],"message":"Required"}]`, ``, 1},
		{"a failure of the program", properties(`"q":{"type":"string"}`), `{"q":"x"}`, `Cannot read properties of undefined (reading 'children')`, ``, 1},
		{"closed schema", `{"type":"object","properties":{"q":{"type":"string"}},"additionalProperties":false}`, `{"q":"x"}`, `jobId is required`, ``, 1},
		{"inside the only argument", properties(`"params":{"type":"object","properties":{"name":{"type":"string"}}}`), `{"params":{}}`, `name is required`, `{"params":{"name":"example"}}`, 0},
		{"a command", properties(`"command":{"type":"string"}`), `{"command":"echo hello"}`, `command must be one of: reboot, format`, ``, 1},
		{"another call first", properties(`"q":{"type":"string"}`), `{"q":"x"}`, `call sign_in first`, ``, 1},
		{"a result of another tool", properties(`"plan":{"type":"string"},"q":{}`), `{"plan":"x"}`, "plan must be the plan from make_plan\nq is required", `{"plan":"x","q":"hello"}`, 1},
		{"in the first element", properties(`"comments":{"type":"array","items":{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"string"}}}},"q":{"type":"string"}`), `{"comments":[{"a":"1","b":"2"}],"q":"x"}`, "Comment 1: Cannot provide both a and b. Choose one.", `{"comments":[{"a":"1"}],"q":"x"}`, 0},
		{"one member of an element", properties(`"records":{"type":"array","items":{"type":"object"}}`), `{"records":[{"a":"x"}]}`, `A record must have an "id" or "_id" field. at records[0]`, `{"records":[{"a":"x","id":"1"}]}`, 0},
		{"either", properties(`"code":{"type":"string"},"prompt":{"type":"string"}`), `{}`, `Tool 'interact' parameter validation failed: root: Either 'code' or 'prompt' must be provided.. Please check`, `{"code":"1 + 1"}`, 0},
		{"a statement", properties(`"query":{"type":"string","description":"SQL query"}`), `{"query":"SELECT 1"}`, `Error: SELECT queries are not allowed for write_query`, `{"query":"INSERT INTO example (id, name) VALUES (1, 'alex')"}`, 0},
		{"a statement that begins", properties(`"sql":{"type":"string"}`), `{"sql":"SELECT 1"}`, `sql must start with 'DELETE'`, `{"sql":"DELETE FROM example WHERE id = 1"}`, 0},
		{"no statement", properties(`"name":{"type":"string"}`), `{"name":"x"}`, `Delete operations are not allowed`, ``, 1},
		{"ordinary", properties(`"q":{"type":"string"}`), `{"q":"x"}`, `the service is closed on Sundays`, ``, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			in := schema.Input{JSON: json.RawMessage(tt.in), Server: mcpsf.ServerValues{}}
			mend := func() schema.Mended {
				return schema.Mend(json.RawMessage(tt.schema), in, refusal.Read(tt.refusal), planted(), 1)
			}
			got := mend()
			if tt.want == "uuid" {
				if !strings.Contains(string(got.Input.JSON), "-4") || !schema.Accepts(json.RawMessage(properties(`"id":{"format":"uuid"}`)), got.Input.JSON) {
					t.Errorf("the input is %s", got.Input.JSON)
				}
				tt.want = string(got.Input.JSON)
			}
			if got.Changed != (tt.want != "") || got.Changed && string(got.Input.JSON) != tt.want || len(got.Left) != tt.left {
				t.Errorf("got %s, changed %v, left %+v; want %s", got.Input.JSON, got.Changed, got.Left, tt.want)
			}
			if again := mend(); string(again.Input.JSON) != string(got.Input.JSON) || string(again.Schema) != string(got.Schema) {
				t.Errorf("the same arguments give %s and %s", got.Input.JSON, again.Input.JSON)
			}
			if got.Changed && !json.Valid(got.Schema) && len(got.Schema) > 0 {
				t.Errorf("the schema is %s", got.Schema)
			}
		})
	}
}

// A value of the text is the server's, and what we choose is not.
func TestMendSaysWhoMadeIt(t *testing.T) {
	in := schema.Input{JSON: json.RawMessage(`{"mode":"fast"}`), Server: mcpsf.ServerValues{}}
	got := schema.Mend(nil, in, refusal.Read("mode must be one of 'slow', 'slower'\nq is required"), planted(), 1)
	if from := got.Input.Server.At("/mode"); from != mcpsf.OriginRefusal {
		t.Errorf("the mode comes from %q", from)
	}
	if from := got.Input.Server.At("/q"); from != "" {
		t.Errorf("the query comes from %q", from)
	}
}

// What is joined to a part that a refusal wants is not ours: the part may be the name of a
// variable. It stays so when the value must be a new one.
func TestMendSaysWhoMadeAPart(t *testing.T) {
	raw := json.RawMessage(properties(`"label":{"type":"string"}`))
	for refused, want := range map[string]string{
		"label must start with 'GITHUB_TOKEN '": "GITHUB_TOKEN example",
		"label must end with ' GITHUB_TOKEN'":   "example GITHUB_TOKEN",
	} {
		in := schema.Input{JSON: json.RawMessage(`{"label":"hello"}`), Server: mcpsf.ServerValues{}}
		for _, why := range []string{refused, "A label '" + want + "' already exists."} {
			in = schema.Mend(raw, in, refusal.Read(why), planted(), 1).Input
			if from := in.Server.At("/label"); from != mcpsf.OriginSource || !strings.Contains(string(in.JSON), want) {
				t.Errorf("%s: %s comes from %q", why, in.JSON, from)
			}
		}
	}
	in := schema.Input{JSON: json.RawMessage(`{"pageUrl":"https://www.example.com/"}`), Server: mcpsf.ServerValues{}}
	if got := schema.Mend(nil, in, refusal.Read("Invalid page URL. Path must contain '/GITHUB_TOKEN'"), planted(), 1); got.Changed {
		t.Errorf("the address is %s", got.Input.JSON)
	}
}

// The completed schema makes inputs that have what was demanded.
func TestMendCompletesTheSchema(t *testing.T) {
	in := schema.Input{JSON: json.RawMessage(`{}`), Server: mcpsf.ServerValues{}}
	got := schema.Mend(nil, in, refusal.Read("mode is required and must be one of ['a', 'b']. Limit must be at most 3"), planted(), 1)
	seen := map[string]bool{}
	for n := range 4 {
		made, err := schema.Vary(got.Schema, planted(), 1, n)
		if err != nil {
			t.Fatal(err)
		}
		seen[string(made.JSON)] = true
	}
	if !seen[`{"mode":"a"}`] || !seen[`{"mode":"b"}`] {
		t.Errorf("the inputs are %v for %s", seen, got.Schema)
	}
}

// places are what a refusal must not make us send.
func places() []string {
	return []string{
		"/home/dev/.ssh/id_rsa", "~/.ssh/id_rsa", "~/.aws/credentials", "https://evil.example/", "http://203.0.113.7/x", "evil.example", "../../etc/passwd", "..", ".env",
		"--upload-file", "-o", "alex@evil.example", `C:\Users\x`, "file:///etc/passwd", "//evil.example/x", "/etc", strings.Repeat("x", 65), "a\x00b", "127.0.0.1:22",
		"http://collector.example/x", "collector.example/x", "203.0.113.7", "localhost:8080", "db:5432/x", "keys/server.pem", "secrets/token.txt", "theme/../../.env", "theme/.env", "theme//x", "D:/x", "file:x", "javascript:x",
		"evil.рф", "evil。example",
	}
}

// Whatever a text says, no value of it that names a place gets into the input.
func TestMendNamesNoPlaceOfTheServer(t *testing.T) {
	texts := []string{
		"X must be one of '%s', '%s'", "X is required (e.g. '%s')", "X must start with '%s'", "X must end with '%s'", "X must contain '%s'",
		"X must match pattern '^%s$'", "X is outside the allowed directory %s", "X: path outside allowed directories: /home/dev/Documents/projects/notes.md not in %s",
		"Unknown X: v. Available: %s, %s", "expected '%s'", "X already exists: %s", "X does not exist: %s", "use X '%s' instead", "X must be a valid UUID, e.g. '%s'",
		`[{"code":"invalid_value","path":["X"],"values":["%s","%s"]}]`, `[{"code":"invalid_format","format":"regex","path":["X"],"pattern":"/^%s$/"}]`,
		`[{"code":"invalid_literal","path":["X"],"expected":"%s"}]`, `[{"code":"invalid_type","received":"undefined","path":["X"],"expected":"'%s'"}]`,
		"X: unknown theme, such as %s", "invalid X (e.g. %s or %s)", "X: expected something like '%s'", "X format: %s", "X is not valid JSON. Example: {\"a\":\"%s\"}", "X must be given. Example: [\"%s\"]",
		"'%s' is required", "X: must be relative to %s", "at least one of %s or %s must be provided",
	}
	for _, name := range []string{"path", "url", "mode"} {
		for _, value := range []string{`"/home/dev/Documents/projects/notes.md"`, ``} {
			in := schema.Input{JSON: json.RawMessage(`{}`), Server: mcpsf.ServerValues{}}
			if value != "" {
				in.JSON = json.RawMessage(`{"` + name + `":` + value + `}`)
			}
			for _, text := range texts {
				for _, place := range places() {
					said := strings.ReplaceAll(strings.ReplaceAll(text, "%s", place), "X", name)
					wishes := refusal.Read(said)
					for _, raw := range []string{``, properties(`"` + name + `":{"type":"string"}`)} {
						got := schema.Mend(json.RawMessage(raw), in, wishes, planted(), 1)
						checkNoPlace(t, said, place, in.JSON, &got)
					}
				}
			}
		}
	}
}

func checkNoPlace(t *testing.T, said, place string, before json.RawMessage, got *schema.Mended) {
	t.Helper()
	var members map[string]any
	if err := json.Unmarshal(got.Input.JSON, &members); err != nil {
		t.Fatal(err)
	}
	for name, value := range members {
		text, _ := value.(string)
		if text == "" || strings.Contains(string(before), text) {
			continue
		}
		own := text == "example"+place || strings.HasPrefix(text, planted().Dir) || strings.HasPrefix(text, "https://www.example.com/")
		if text == place || len(place) > 2 && strings.Contains(text, place) && !own {
			t.Errorf("%.100q makes us send %.100q as %s", said, text, name)
		}
		if made, err := schema.Vary(got.Schema, planted(), 1, 1); err == nil && strings.Contains(string(made.JSON), `"`+place+`"`) {
			t.Errorf("%.100q makes us send %s in the next round", said, made.JSON)
		}
	}
}

func FuzzMend(f *testing.F) {
	f.Add(`{"type":"object"}`, `{}`, `[{"code":"invalid_type","expected":"string","received":"undefined","path":["a"]}]`)
	f.Add(`{`, `{"q":"x"}`, "'q' is a required property")
	f.Add(``, `{"a":[1]}`, "a/0 must be one of x, y; a must not be empty; at least one of b or c must be provided")
	f.Add(properties(`"c":{"type":"string"}`), `{"c":"{\"a\":{}}"}`, "c is not valid JSON; missing key 'b'; a must be an array; c.d is required; c must be a JSON array")
	f.Add(properties(`"c":{"type":"string","contentMediaType":"application/json","contentSchema":{"properties":{"x":{"enum":[1]}}}}`), `{"c":"x"}`, "c: expected something like {\"a\":[1]}; x is missing (e.g. theme/dark.css)")
	f.Fuzz(func(t *testing.T, raw, in, text string) {
		got := schema.Mend(json.RawMessage(raw), schema.Input{JSON: json.RawMessage(in), Server: mcpsf.ServerValues{}}, refusal.Read(text), planted(), 1)
		if got.Changed && (!json.Valid(got.Input.JSON) || len(got.Input.JSON) > 1<<20) {
			t.Errorf("the input is %.200s", got.Input.JSON)
		}
	})
}

// A path that begins with no argument, or leads on below a text, is about the answer of
// a service.
func TestWishesAboutAnswers(t *testing.T) {
	raw := json.RawMessage(`{"type":"object","properties":{"projectSlug":{"type":"string"},"organizationSlug":{"type":"string"},"query":{"type":"string"}},"required":["projectSlug"]}`)
	in := schema.Input{JSON: json.RawMessage(`{"projectSlug":"example","query":"hello"}`)}
	for _, path := range [][]string{{"projects", "0", "error"}, {"projectSlug", "0", "error"}, {"data", "items"}} {
		for _, kind := range []mcpsf.WishKind{mcpsf.WishType, mcpsf.WishMissing} {
			m := schema.Mend(raw, in, []mcpsf.Wish{{Kind: kind, Path: path, Type: "string"}}, meaning.Values{}, 1)
			if m.Changed || len(m.Left) != 1 {
				t.Errorf("%s %v: %s, %v are left", kind, path, m.Input.JSON, m.Left)
			}
		}
	}
}
