package session_test

import (
	"testing"
	"testing/synctest"

	"github.com/google/go-cmp/cmp"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/drive/session"
)

func TestFeatures(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := scripted(func(r rpc, usual string) string {
			switch r.Method {
			case "initialize":
				return response(r.ID, `{"protocolVersion":"2025-06-18","capabilities":{"tools":{},"logging":{},"completions":{},"prompts":{},"resources":{"subscribe":true}},"serverInfo":{"name":"test","version":"1"}}`) + "\n"
			case "resources/list":
				return response(r.ID, `{"resources":[{"uri":"notes://1","name":"one"}]}`) + "\n"
			case "resources/templates/list":
				return response(r.ID, `{"resourceTemplates":[{"uriTemplate":"notes://{name}/{+path}"},{"uriTemplate":7},3]}`) + "\n"
			case "prompts/list":
				return response(r.ID, `{"prompts":[{"name":"ask","arguments":[{"name":"query"},{"name":7}]}]}`) + "\n"
			case "tools/list", "tools/call":
				return usual
			default:
				return response(r.ID, `{}`) + "\n"
			}
		})
		s, _ := drive(t, p, &session.Options{Inputs: session.Inputs{Rounds: 2}})
		var got []string
		for _, c := range s.Calls {
			if c.Method != "tools/list" && c.Method != "tools/call" {
				got = append(got, c.Method+" "+string(c.Arguments))
			}
		}
		file := mcpsf.WorkDir + "/README.md"
		want := []string{
			"initialize ",
			`logging/setLevel {"level":"debug"}`,
			"resources/list ", "prompts/list ",
			`resources/read {"uri":"notes://1"}`,
			`prompts/get {"arguments":{"query":"hello"},"name":"ask"}`,
			"ping {}",
			"resources/templates/list ",
			`resources/read {"uri":"notes://example/` + file + `"}`,
			`resources/subscribe {"uri":"notes://1"}`, `resources/unsubscribe {"uri":"notes://1"}`,
			`completion/complete {"argument":{"name":"query","value":"a"},"ref":{"name":"ask","type":"ref/prompt"}}`,
			`completion/complete {"argument":{"name":"name","value":"a"},"ref":{"type":"ref/resource","uri":"notes://{name}/{+path}"}}`,
			`completion/complete {"argument":{"name":"path","value":"a"},"ref":{"type":"ref/resource","uri":"notes://{name}/{+path}"}}`,
			"resources/list ", "prompts/list ",
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("calls (-want +got):\n%s", diff)
		}
	})
}
