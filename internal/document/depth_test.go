package document

import "testing"

func TestDepth(t *testing.T) {
	for in, want := range map[string]int{
		"":                      0,
		"1":                     0,
		"[]":                    1,
		`{"a":[1,{"b":[]}]}`:    4,
		`"[[[["`:                0,
		`["\"[[", "\\", [1]]`:   2,
		"[[[[":                  4,
		"]]]][":                 0,
		`{"a":"\\\"[[[","b":1}`: 1,
	} {
		if got := Depth([]byte(in)); got != want {
			t.Errorf("Depth(%s) = %d, want %d", in, got, want)
		}
	}
}
