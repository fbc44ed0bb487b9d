package host

import "testing"

func TestNonsense(t *testing.T) {
	h := New(testOptions(t))
	for ask, code := range map[string]int{
		"GET https://api.example/v1/files/a$(x)":        404,
		"GET https://api.example/v1/files/a%60x%60":     404,
		"GET https://api.example/v1/files/a%22%3Bx":     404,
		"GET https://api.example/v1/files/a%0Ax":        404,
		"GET https://api.example/v1/files/a":            200,
		"GET https://api.example/v1/files/a(b)'s":       200,
		"GET https://api.example/v1/files?name=$(x)%60": 200,
	} {
		if a, _ := asked(t, h, ask); a.Status != code {
			t.Errorf("%s: %d, want %d", ask, a.Status, code)
		}
	}
}
