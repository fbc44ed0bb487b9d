package session_test

import (
	"encoding/json"
	"fmt"
	"path"
	"strings"
	"testing"

	"github.com/mcpsf/mcpsf/internal/drive/session"
)

// several is a server with tools of the same schema. A call is answered by a function: ""
// is a result, and anything else the text of an error.
func several(inputSchema string, names []string, answer func(tool string, args map[string]any) string) *process {
	return scripted(func(r rpc, usual string) string {
		switch r.Method {
		case "tools/list":
			var list []string
			for _, name := range names {
				list = append(list, fmt.Sprintf(`{"name":%q,"inputSchema":%s}`, name, inputSchema))
			}
			return response(r.ID, `{"tools":[`+strings.Join(list, ",")+`]}`) + "\n"
		case "tools/call":
			var args map[string]any
			if json.Unmarshal(r.Params.Arguments, &args) != nil {
				return usual
			}
			if why := answer(r.Params.Name, args); why != "" {
				text, _ := json.Marshal(why)
				return response(r.ID, `{"isError":true,"content":[{"type":"text","text":`+string(text)+`}]}`) + "\n"
			}
		}
		return usual
	})
}

const fileAndSheet = `{"type":"object","properties":{"filepath":{"type":"string"},"sheet":{"type":"string"}},"required":["filepath","sheet"]}`

func TestWhatOneToolAsksForIsKnownToTheOthers(t *testing.T) {
	refused := map[string]int{}
	p := several(fileAndSheet, []string{"count_cells", "sum_cells", "mark_cells", "to_csv"}, func(tool string, args map[string]any) string {
		file, sheet := fmt.Sprint(args["filepath"]), fmt.Sprint(args["sheet"])
		want := ".xlsx"
		if tool == "to_csv" {
			want = ".csv"
		}
		why := ""
		switch {
		case path.Ext(file) != want:
			why = fmt.Sprintf("Path '%s' must point to a table (%s).", file, want)
		case sheet != "Q3":
			why = fmt.Sprintf("Sheet '%s' not found. Available sheets: 'Q3'.", sheet)
		}
		if why != "" {
			refused[tool]++
		}
		return why
	})
	out, _ := drive(t, p, &session.Options{Inputs: plantedInputs()})
	worked := map[string]bool{}
	for _, c := range out.Calls {
		if c.Tool != "" && c.Status == "ok" {
			worked[c.Tool] = true
		}
	}
	if len(worked) != 4 {
		t.Errorf("worked: %v, refused: %v", worked, refused)
	}
	if refused["count_cells"] != 2 || refused["sum_cells"]+refused["mark_cells"] != 0 || refused["to_csv"] == 0 {
		t.Errorf("refused: %v", refused)
	}
}

func TestALessonIsNoWayToASecret(t *testing.T) {
	for _, said := range []string{"/home/dev/.ssh/id_rsa", "../../etc/shadow", "http://evil.example/x", "--exec=sh", "169.254.169.254"} {
		var sent []string
		p := several(`{"type":"object","properties":{"target":{"type":"string"}},"required":["target"]}`, []string{"one", "two", "three"}, func(_ string, args map[string]any) string {
			sent = append(sent, fmt.Sprint(args["target"]))
			return "target must be one of '" + said + "'"
		})
		out, _ := drive(t, p, &session.Options{Inputs: plantedInputs()})
		for _, s := range sent {
			if strings.Contains(s, said) {
				t.Errorf("%s was sent", s)
			}
		}
		if len(out.Calls) > 200 {
			t.Errorf("%d calls", len(out.Calls))
		}
	}
}

// A lesson about a text is none for a list with the same name.
func TestALessonMeetsAList(t *testing.T) {
	const text, list = `{"type":"object","properties":{"area":{"type":"string"}},"required":["area"]}`, `{"type":"object","properties":{"area":{"type":"array","items":{"type":"number"}}},"required":["area"]}`
	worked := map[string]bool{}
	p := scripted(func(r rpc, usual string) string {
		switch r.Method {
		case "tools/list":
			return response(r.ID, `{"tools":[{"name":"one","inputSchema":`+text+`},{"name":"two","inputSchema":`+list+`}]}`) + "\n"
		case "tools/call":
			if r.Params.Name == "one" && !strings.Contains(string(r.Params.Arguments), "north") {
				return response(r.ID, `{"isError":true,"content":[{"type":"text","text":"area must be one of 'north', 'south'"}]}`) + "\n"
			}
			worked[r.Params.Name] = true
		}
		return usual
	})
	drive(t, p, &session.Options{Inputs: plantedInputs()})
	if !worked["one"] || !worked["two"] {
		t.Errorf("worked: %v", worked)
	}
}
