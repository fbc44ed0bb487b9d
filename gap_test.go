package mcpsf

import (
	"encoding/json"
	"testing"
)

func TestGapFromText(t *testing.T) {
	var c Coverage
	if err := json.Unmarshal([]byte(`{"gaps":["late work",{"code":"list-pages","text":"pages","limit":3,"count":1,"hides":true},""]}`), &c); err != nil {
		t.Fatal(err)
	}
	want := []Gap{{Code: recorded, Text: "late work"}, {Code: "list-pages", Text: "pages", Limit: 3, Count: 1, Hides: true}, {Code: recorded}}
	if len(c.Gaps) != len(want) {
		t.Fatalf("got %+v", c.Gaps)
	}
	for i := range want {
		if c.Gaps[i] != want[i] {
			t.Errorf("got %+v, want %+v", c.Gaps[i], want[i])
		}
	}
	if err := json.Unmarshal([]byte(`{"gaps":[3]}`), &c); err == nil {
		t.Error("a number is taken for a gap")
	}
}
