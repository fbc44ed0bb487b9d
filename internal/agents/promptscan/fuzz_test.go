package promptscan

import (
	"encoding/json"
	"os"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/mcpsf/mcpsf"
)

func FuzzScan(f *testing.F) {
	for _, file := range []string{"testdata/tune/attack.txt", "testdata/tune/benign.txt"} {
		for _, c := range casesOf(f, file) {
			f.Add(c.of, "example", []byte(c.raw))
		}
	}
	f.Add("tool", "x", []byte(strings.Repeat("[", 20000)))
	f.Add("result", "", []byte(strings.Repeat(`{"a":`, 5000)))
	f.Add("tool", "\x1b[31m", []byte("{\"description\":\"\xff\xfe\x00"))
	f.Add("prompt", "p", []byte(`"`+strings.Repeat("i g n o r e ", 500)+`"`))
	f.Add("tool", "n", []byte(`{"description":"`+strings.Repeat("QUJD", 4000)+`"}`))
	f.Fuzz(func(t *testing.T, of, name string, raw []byte) {
		found, _ := Scan(of, name, raw, NamesOf("add"))
		if len(found) > 3*maxDetails {
			t.Errorf("%d details of one object", len(found))
		}
		for _, d := range found {
			checkPrintable(t, d)
		}
	})
}

// checkPrintable: what is reported of a hostile text is safe to print.
func checkPrintable(t *testing.T, d mcpsf.TextDetail) {
	t.Helper()
	for _, s := range []string{d.Name, d.Field, d.Excerpt, d.Target} {
		if len(s) > 4000 || !utf8.ValidString(s) {
			t.Errorf("%d bytes of %q", len(s), s)
		}
		for _, r := range s {
			if !unicode.IsPrint(r) {
				t.Errorf("%q holds %U", s, r)
			}
		}
	}
}

// TestSize: no text makes the scan slow, and unread text is counted.
func TestSize(t *testing.T) {
	for name, s := range map[string]string{
		"silence":  "Do not tell the user. ",
		"letters":  "i g n o r e ",
		"names":    "call `read_file` ",
		"brackets": "<!-- [//]: # (",
		"not":      "not never no without ",
		"hidden":   "\u200b",
		"marks":    `"a `,
	} {
		t.Run(name, func(t *testing.T) {
			size := MaxText + MaxText/8
			cut := name == "silence" || os.Getenv("MCPSF_NIGHTLY") != "" // this takes time
			if !cut {
				size = MaxText / 16
			}
			raw, err := json.Marshal(map[string]string{"description": strings.Repeat(s, size/len(s))})
			if err != nil {
				t.Fatal(err)
			}
			found, _ := Scan("tool", "x", raw, nil)
			if !cut {
				return
			}
			last := found[len(found)-1]
			if last.What != mcpsf.TextFlood || !strings.Contains(last.Excerpt, "not looked at") {
				t.Errorf("what was cut is not said: %v", last)
			}
		})
	}
}

func BenchmarkScan(b *testing.B) {
	raw, err := json.Marshal(map[string]string{"description": strings.Repeat("Returns the tasks of a project, newest first. Use the id to call update_task. ", MaxText/80)})
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(len(raw)))
	for b.Loop() {
		Scan("tool", "x", raw, nil)
	}
}
