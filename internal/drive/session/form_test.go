package session

import "testing"

func TestEveryField(t *testing.T) {
	tests := map[string][2]string{
		"all are needed":     {`{"properties":{"b":{"type":"string"},"a":{"type":"integer"}},"required":["a"]}`, `{"properties":{"b":{"type":"string"},"a":{"type":"integer"}},"required":["a","b"]}`},
		"none":               {`{"properties":{}}`, `{"properties":{}}`},
		"no form":            {`[]`, `[]`},
		"nothing":            {``, ``},
		"no list of fields":  {`{"properties":7}`, `{"properties":7}`},
		"nothing of a field": {`{"type":"object"}`, `{"type":"object"}`},
	}
	for name, test := range tests {
		if got := string(everyField([]byte(test[0]))); got != test[1] {
			t.Errorf("%s: %s, want %s", name, got, test[1])
		}
	}
}
