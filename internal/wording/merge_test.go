package wording

import "testing"

func TestMerge(t *testing.T) {
	for _, tt := range []struct {
		name string
		in   []string
		want string
	}{
		{"none", nil, ""},
		{"one", []string{"Rotate a now."}, "Rotate a now."},
		{"the same", []string{"Rotate a.", "Rotate a."}, "Rotate a."},
		{"in the middle", []string{"Rotate a now.", "Rotate b now."}, "Rotate a and b now."},
		{"at the end", []string{"Block a.example.", "Block b.example."}, "Block a.example and b.example."},
		{"lines", []string{"Rotate a.\nReport it.", "Rotate b c.\nReport it."}, "Rotate a and b c.\nReport it."},
		{"another number of lines", []string{"Rotate a.\nReport it.", "Remove it."}, "Rotate a.\nReport it."},
		{"an empty line", []string{"", "Remove it."}, ""},
		{"many", []string{"x 1", "x 2", "x 3", "x 4", "x 5", "x 6", "x 7", "x 8", "x 9", "x 10"}, "x 1, 2, 3, 4, 5, 6, 7, 8 and 2 more"},
	} {
		if got := Merge(tt.in); got != tt.want {
			t.Errorf("%s: got %q, want %q", tt.name, got, tt.want)
		}
	}
}
