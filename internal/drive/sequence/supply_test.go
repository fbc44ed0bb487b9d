package sequence

import (
	"fmt"
	"testing"
)

func TestSupplying(t *testing.T) {
	h := New()
	for i, s := range []struct{ tool, argument, does string }{
		{"rpush", "list-1", "Push an element onto a list."},
		{"set_value", "list-1", ""},
		{"get_value", "list-1", ""},
		{"delete_value", "list-1", "Set the value to nothing."},
		{"create_note", "other", ""},
	} {
		st := step(s.tool, s.argument)
		st.Tool.Description = s.does
		h.Worked(fmt.Sprint(i), st, nil)
	}
	for _, tt := range []struct {
		refused string
		values  []string
		want    string
	}{
		{"lrem", []string{"list-1"}, "[set_value rpush]"},
		{"rpush", []string{"list-1"}, "[set_value]"},
		{"show_note", []string{"other"}, "[create_note]"},
		{"show_note", []string{"nothing"}, "[]"},
		{"show_note", nil, "[]"},
	} {
		if got := fmt.Sprint(h.Supplying(tt.refused, tt.values)); got != tt.want {
			t.Errorf("what supplies %s with %q is %s; want %s", tt.refused, tt.values, got, tt.want)
		}
	}
}
