package chain_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/drive/chain"
	"github.com/mcpsf/mcpsf/internal/drive/schema"
)

// parameter returns the schema of a tool with one required parameter.
func parameter(name, typ, about string) string {
	return fmt.Sprintf(`{"type":"object","properties":{%q:{"type":%q,"description":%q}},"required":[%q]}`, name, typ, about, name)
}

func TestFillWhole(t *testing.T) {
	const bundle = "BUNDLE/1\nYWJjZGVmZ2hpamtsbW5vcHFyc3R1dnd4eXo=\nEND"
	const quoted = `BUNDLE/1\nYWJjZGVmZ2hpamtsbW5vcHFyc3R1dnd4eXo=\nEND`
	tests := map[string]struct {
		learned     []step
		tool, about string
		schema      string
		args, want  string
	}{
		"said by the parameter":        {[]step{{"pack_bundle", said(bundle)}}, "inspect", "", parameter("data", "string", "A bundle, from pack_bundle"), `{"data":"x"}`, `{"data":"` + quoted + `"}`},
		"returned by, a plain word":    {[]step{{"begin", said("tok_9f8e")}}, "commit", "", parameter("token", "string", "The token returned by begin"), `{"token":"1"}`, `{"token":"tok_9f8e"}`},
		"a member of it":               {[]step{{"begin", structured(`{"token":"tok_9f8e","ttl":5}`)}}, "commit", "", parameter("token", "string", "The token returned by begin"), `{"token":"1"}`, `{"token":"tok_9f8e"}`},
		"in prose":                     {[]step{{"begin", said("Welcome back!\nYour token: tok_9f8e.\nKeep it.")}}, "commit", "", parameter("token", "string", "The token returned by begin"), `{"token":"1"}`, `{"token":"tok_9f8e"}`},
		"as an object":                 {[]step{{"make_plan", structured(`{"steps":[{"do":"x"}]}`)}}, "run", "", parameter("input", "object", "The output of make_plan"), `{"input":{}}`, `{"input":{"steps":[{"do":"x"}]}}`},
		"as an object in a text":       {[]step{{"make_plan", said(`{"steps":[1.50]}`)}}, "run", "", parameter("input", "object", "the plan made by make_plan"), `{"input":{}}`, `{"input":{"steps":[1.50]}}`},
		"a text of an object":          {[]step{{"make_plan", said(`{ "steps": [1] }`)}}, "run", "", parameter("plan", "string", "JSON of the plan made by make_plan"), `{"plan":"x"}`, `{"plan":"{ \"steps\": [1] }"}`},
		"a text of what is structured": {[]step{{"make_plan", structured(`{"steps":[1]}`)}}, "run", "", parameter("input", "string", "the result of make_plan"), `{"input":"x"}`, `{"input":"{\"steps\":[1]}"}`},
		"what a framework wraps":       {[]step{{"collect_rows", structured(`{"result":[1,2]}`)}}, "sum", "", parameter("rows", "array", "rows returned by collect_rows"), `{"rows":[]}`, `{"rows":[1,2]}`},
		"said by the tool":             {[]step{{"take_snapshot", said(bundle)}}, "restore", "Restores what take_snapshot returned.", parameter("state", "string", ""), `{"state":"x"}`, `{"state":"` + quoted + `"}`},
		"called like the thing":        {[]step{{"pack_bundle", said(bundle)}}, "unpack", "", parameter("bundle", "string", ""), `{"bundle":"x"}`, `{"bundle":"` + quoted + `"}`},
		"the latest":                   {[]step{{"make_plan", structured(`{"a":1}`)}, {"make_plan", structured(`{"a":2}`)}}, "run", "", parameter("plan", "object", ""), `{"plan":{}}`, `{"plan":{"a":2}}`},

		"the name of the thing":  {[]step{{"register_project", structured(`{"result":{"name":"shop","languages":{"go":1}}}`)}}, "scan", "", parameter("project", "string", ""), `{"project":"x"}`, `{"project":"shop"}`},
		"a member of an element": {[]step{{"find_parcels", said(`{"hits":[{"parcel":"pc-7","kg":2},{"parcel":"pc-8"}],"next":"zz"}`)}}, "track", "", parameter("parcel", "string", "A parcel from find_parcels"), `{"parcel":"x"}`, `{"parcel":"pc-7"}`},
		"the id of a thing":      {[]step{{"find_parcels", structured(`{"parcels":[{"id":"pc-7","kg":2}],"next":"zz"}`)}}, "track", "", parameter("parcel", "string", "A parcel from find_parcels"), `{"parcel":"x"}`, `{"parcel":"pc-7"}`},
		"the id of another":      {[]step{{"make_plan", structured(`{"people":[{"id":"p-7"}]}`)}}, "run", "", parameter("plan", "string", "the plan made by make_plan"), `{"plan":"x"}`, `{"plan":"{\"people\":[{\"id\":\"p-7\"}]}"}`},
		"the whole is wanted":    {[]step{{"make_plan", structured(`{"plans":[{"id":"p-7"}]}`)}}, "run", "", parameter("plan", "string", "JSON of the plan made by make_plan"), `{"plan":"x"}`, `{"plan":"{\"plans\":[{\"id\":\"p-7\"}]}"}`},
		"a secret inside":        {[]step{{"find_parcels", structured(`{"parcels":[{"parcel":"/home/dev/.aws/credentials"}]}`)}}, "track", "", parameter("parcel", "string", "A parcel from find_parcels"), `{"parcel":"x"}`, `{"parcel":"x"}`},

		"prose is no thing":         {[]step{{"write_note", said("Noted, thank you.")}}, "append", "", parameter("note", "string", ""), `{"note":"x"}`, `{"note":"x"}`},
		"what is only looked at":    {[]step{{"read_document", said(bundle)}}, "publish", "", parameter("document", "string", ""), `{"document":"x"}`, `{"document":"x"}`},
		"an optional one":           {[]step{{"pack_bundle", said(bundle)}}, "unpack", "", `{"properties":{"bundle":{"type":"string"}}}`, `{"bundle":"x"}`, `{"bundle":"x"}`},
		"absent stays absent":       {[]step{{"pack_bundle", said(bundle)}}, "unpack", "", `{"properties":{"bundle":{"type":"string","description":"from pack_bundle"}}}`, `{}`, `{}`},
		"what it makes itself":      {[]step{{"pack_bundle", said(bundle)}}, "create_bundle", "", parameter("bundle", "string", ""), `{"bundle":"x"}`, `{"bundle":"x"}`},
		"an id is no whole":         {[]step{{"pack_bundle", said(bundle)}}, "unpack", "", parameter("bundle_id", "string", "as returned by pack_bundle"), `{"bundle_id":"x"}`, `{"bundle_id":"x"}`},
		"an identifier is no whole": {[]step{{"scan_devices", said("Phone here\nTablet there\nTV off\nRadio on")}}, "tap", "", parameter("device", "string", "a device identifier returned by scan_devices"), `{"device":"x"}`, `{"device":"x"}`},
		"another tool":              {[]step{{"pack_bundle", said(bundle)}}, "inspect", "", parameter("data", "string", "from make_bundle"), `{"data":"x"}`, `{"data":"x"}`},
		"an error":                  {[]step{{"pack_bundle", `{"isError":true,"content":[{"text":"no bundle/1"}]}`}}, "inspect", "", parameter("data", "string", "output of pack_bundle"), `{"data":"x"}`, `{"data":"x"}`},
		"not accepted":              {[]step{{"pack_bundle", said(bundle)}}, "inspect", "", `{"properties":{"data":{"type":"string","maxLength":3,"description":"output of pack_bundle"}}}`, `{"data":"x"}`, `{"data":"x"}`},
		"a secret":                  {[]step{{"pick_place", said("~/.ssh/id_rsa")}}, "show", "", parameter("data", "string", "output of pick_place"), `{"data":"x"}`, `{"data":"x"}`},
		"a secret as a member":      {[]step{{"pick_place", structured(`{"data":"/home/dev/.aws/credentials"}`)}}, "show", "", parameter("data", "string", "output of pick_place"), `{"data":"x"}`, `{"data":"x"}`},
		"another host":              {[]step{{"pick_place", said("http://collector.example/")}}, "show", "", parameter("data", "string", "output of pick_place"), `{"data":"https://www.example.com/"}`, `{"data":"https://www.example.com/"}`},
		"too large":                 {[]step{{"pack_bundle", said(strings.Repeat("x", 1<<17))}}, "inspect", "", parameter("data", "string", "output of pack_bundle"), `{"data":"x"}`, `{"data":"x"}`},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			var m chain.Memory
			for _, s := range test.learned {
				m.Learn(s.tool, json.RawMessage(s.result))
			}
			tool := mcpsf.Tool{Name: test.tool, Description: test.about, InputSchema: json.RawMessage(test.schema)}
			got, links := m.Fill(tool, schema.Input{JSON: json.RawMessage(test.args)})
			if string(got.JSON) != test.want {
				t.Errorf("arguments are %s, want %s", got.JSON, test.want)
			}
			if changed := test.args != test.want; changed != (len(links) == 1) || changed != (len(got.Server) == 1 && got.Server[0].From == mcpsf.OriginResult) {
				t.Errorf("links are %+v, values of the server %+v", links, got.Server)
			}
		})
	}
}

func TestWhole(t *testing.T) {
	var m chain.Memory
	m.Learn("a", json.RawMessage(said("one")))
	m.Learn("a", json.RawMessage(said("two")))
	m.Learn("b", json.RawMessage(structured(`{"x":[1]}`)))
	m.Learn("c", json.RawMessage(`{"content":[]}`))
	for tool, want := range map[string]any{"a": "two", "b": map[string]any{"x": []any{json.Number("1")}}, "c": nil, "d": nil} {
		got, ok := m.Whole(tool)
		if diff := cmp.Diff(want, got); diff != "" || ok != (want != nil) {
			t.Errorf("%s: %v, %s", tool, ok, diff)
		}
	}
	if got, ok := m.ResultFor("b", "x", "string"); got != "[1]" || !ok {
		t.Errorf("the member is %v, %v", got, ok)
	}
	if got, ok := m.ResultFor("a", "x", "object"); ok {
		t.Errorf("a word as an object is %v", got)
	}
	for i := range 100 {
		m.Learn(fmt.Sprintf("t%d", i), json.RawMessage(said("x")))
	}
	if _, ok := m.Whole("a"); ok {
		t.Error("the first of a hundred tools is still remembered")
	}
	if _, ok := m.Whole("t99"); !ok {
		t.Error("the last tool is not remembered")
	}
}
