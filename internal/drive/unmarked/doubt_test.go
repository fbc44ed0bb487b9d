package unmarked_test

import (
	"encoding/json"
	"testing"

	"github.com/mcpsf/mcpsf/internal/drive/unmarked"
)

func TestDoubt(t *testing.T) {
	for text, want := range map[string]bool{
		"The search service cannot be reached at the moment. Is it running?": true,
		"Sorry, a date has three parts: year, month and day.":                true,
		"Order 7 is still open. It has to be closed before it is billed.":    true,
		"This did not work, look at the arguments.":                          true,
		`{"message":"I have no customer with that number."}`:                 true,
		"Done.":                           false,
		"3 items found":                   false,
		"https://www.example.com/notes/1": false,
		`{"id":7,"note":"not now"}`:       false,
		"not now":                         false, // the argument
		"2024-05-01 error: not found\n\n\n2024-05-02 error": false,
	} {
		block, _ := json.Marshal(text)
		result := json.RawMessage(`{"content":[{"type":"text","text":` + string(block) + `}]}`)
		if got := unmarked.Doubt(result, json.RawMessage(`{"text":"not now"}`)) != ""; got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}
