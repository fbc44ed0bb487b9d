package schema_test

import (
	"encoding/json"
	"testing"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/drive/refusal"
	"github.com/mcpsf/mcpsf/internal/drive/schema"
)

// What comes after something else is made so, in the same form.
func TestMendOrder(t *testing.T) {
	texts := properties(`"come":{"type":"string"},"leave":{"type":"string"}`)
	for _, tt := range []struct{ name, schema, in, refusal, want string }{
		{"days", texts, `{"come":"2024-05-17","leave":"2024-05-17"}`, "leave has to be after come", `{"come":"2024-05-17","leave":"2024-05-19"}`},
		{"another form", texts, `{"come":"17.05.2024","leave":"2024-05-24"}`, "come must be before leave", `{"come":"17.05.2024","leave":"19.05.2024"}`},
		{"times", texts, `{"come":"09:30","leave":"09:30"}`, "The leave time is before the come time", `{"come":"09:30","leave":"10:30"}`},
		{"numbers", properties(`"low":{"type":"number"},"high":{"type":"number"}`), `{"low":10,"high":10}`, "low must be below high", `{"low":10,"high":11}`},
		{"in order already", texts, `{"come":"2024-05-17","leave":"2024-05-24"}`, "leave has to be after come", ``},
		{"no order", texts, `{"come":"Lyon","leave":"Nice"}`, "leave has to be after come", ``},
		{"another thing", texts, `{"come":"2024-05-17","leave":"2024-05-17"}`, "leave has to be after breakfast", ``},
	} {
		t.Run(tt.name, func(t *testing.T) {
			in := schema.Input{JSON: json.RawMessage(tt.in), Server: mcpsf.ServerValues{}}
			got := schema.Mend(json.RawMessage(tt.schema), in, refusal.Read(tt.refusal), planted(), 1)
			var a, b any
			_ = json.Unmarshal(got.Input.JSON, &a)
			_ = json.Unmarshal([]byte(tt.want), &b)
			x, _ := json.Marshal(a)
			y, _ := json.Marshal(b)
			if got.Changed != (tt.want != "") || got.Changed && string(x) != string(y) {
				t.Errorf("got %s, changed %v; want %s", got.Input.JSON, got.Changed, tt.want)
			}
		})
	}
}

// The ends of a span are in order from the beginning.
func TestSpansAreInOrder(t *testing.T) {
	for _, tt := range []struct{ names, properties, want string }{
		{`"arrival","departure"`, `"arrival":{"type":"string","format":"date"},"departure":{"type":"string","format":"date"}`, `{"arrival":"2024-05-17","departure":"2024-05-19"}`},
		{`"min_size","max_size"`, `"min_size":{"type":"integer"},"max_size":{"type":"integer"}`, `{"max_size":11,"min_size":10}`},
		{`"from","to"`, `"from":{"type":"string","examples":["17.05.2024"]},"to":{"type":"string"}`, `{"from":"17.05.2024","to":"19.05.2024"}`},
		{`"min","max"`, `"min":{"type":"integer","const":7},"max":{"type":"integer","maximum":7}`, `{"max":7,"min":7}`},
		{`"from","to"`, `"from":{"type":"string","description":"a city"},"to":{"type":"string","description":"a city"}`, ``},
	} {
		raw := json.RawMessage(`{"type":"object","properties":{` + tt.properties + `},"required":[` + tt.names + `]}`)
		in, err := schema.Generate(raw, planted(), 1)
		if err != nil || tt.want != "" && string(in.JSON) != tt.want {
			t.Errorf("%s: got %s, %v, want %s", tt.properties, in.JSON, err, tt.want)
		}
	}
}
