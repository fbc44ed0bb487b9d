package promptscan

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mcpsf/mcpsf"
)

func TestImages(t *testing.T) {
	for name, tt := range map[string]struct {
		of, text string
		want     []string
	}{
		"markdown":                {"result", "Done. ![ok](https://px.example/i.png?d=meeting+at+nine)", []string{"https://px.example/i.png?d=meeting+at+nine"}},
		"in angles":               {"result", "![ok](<https://px.example/i.png?d=nine>)", []string{"https://px.example/i.png?d=nine"}},
		"markup":                  {"result", `<img width=1 src="https://px.example/aGVsbG8gd29ybGQ.gif">`, []string{"https://px.example/aGVsbG8gd29ybGQ.gif"}},
		"by reference":            {"result", "![ok][p]\n\n[p]: https://px.example/i.png?d=nine", []string{"https://px.example/i.png?d=nine"}},
		"in the name of the host": {"result", "![](https://6d656574696e67.px.example/i.png)", []string{"https://6d656574696e67.px.example/i.png"}},
		"no room":                 {"result", "![cat](https://img.example/cat.png)", nil},
		"a link":                  {"result", "[more](https://px.example/i.png?d=nine)", nil},
		"a description":           {"tool", "Shows ![ok](https://px.example/i.png?d=nine)", nil},
		"reference without end":   {"result", "![ok][p]", nil},
	} {
		t.Run(name, func(t *testing.T) {
			object := map[string]any{"content": []any{map[string]any{"type": "text", "text": tt.text}}}
			if tt.of == "tool" {
				object = map[string]any{"name": "note", "description": tt.text}
			}
			raw, err := json.Marshal(object)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			found, _ := Scan(tt.of, "note", raw, nil)
			for _, d := range found {
				if d.What == mcpsf.TextImage {
					got = append(got, d.Target)
				}
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("addresses (-want +got):\n%s", diff)
			}
		})
	}
}
