package redact

import (
	"encoding/json"
	"encoding/pem"
	"strings"
	"testing"
)

// fuzzPaths has one file of each form.
func fuzzPaths() []string {
	return []string{".env", ".npmrc", "secrets.yaml", "x-credentials.toml", "credentials.json", ".mcp.json", ".netrc", ".pgpass", "x.pem", ".vault-token"}
}

// FuzzMask checks that nothing breaks and JSON stays JSON.
func FuzzMask(f *testing.F) {
	for _, seed := range []string{
		"TOKEN=\"a\\\"b\" # c\nexport A='b\n'\n", "a: |\n  b\n c: >-\n", "k = <<E\nx\nE\n", "[a]\nb = [\n\"c\",\n]\n", "{\"a\": [1, \"--token\", \"x\"], // c\n}",
		"machine a login b password \"c d\"\n", "a:b\\:c:d", "-----BEGIN PRIVATE KEY-----\nMIIE\n-----END PRIVATE KEY-----\n", "\ufeff{\"pin\": -1.5e10}",
		"a='''b\n'''", "password: {a: b, \"c\":d, e='f g'}", "\xff=\xfe", "- name: X\n  value: y", "\"a\":\"b\",\"", "==", "#", "'", "a:", ":", "=x",
	} {
		for i := range fuzzPaths() {
			f.Add(uint(i), seed)
		}
	}
	f.Fuzz(func(t *testing.T, which uint, data string) {
		if len(data) > 16<<10 {
			return
		}
		path := fuzzPaths()[which%uint(len(fuzzPaths()))]
		m := NewMask(path, Classify(path))
		got, why := m.Apply(data)
		if why != "" {
			if !strings.ContainsRune(data, 0) {
				t.Errorf("left out: %s", why)
			}
			return
		}
		if again, _ := NewMask(path, Classify(path)).Apply(data); again != got {
			t.Errorf("%q became %q and %q", data, got, again)
		}
		if m.Count == 0 && got != data && !strings.Contains(data, "#") {
			t.Errorf("%q became %q, and nothing is said to be replaced", data, got)
		}
		if len(got) > 6*len(data)+100 {
			t.Errorf("%d bytes became %d", len(data), len(got))
		}
		if strings.HasSuffix(path, ".json") && json.Valid([]byte(data)) && !json.Valid([]byte(got)) {
			t.Errorf("%s became %s, which is no JSON any more", data, got)
		}
		if before, _ := pem.Decode([]byte(data)); path == "x.pem" && before != nil {
			if after, _ := pem.Decode([]byte(got)); after == nil {
				t.Errorf("%q became %q, which is no PEM any more", data, got)
			}
		}
	})
}

// FuzzSurroundings puts a secret behind any text.
func FuzzSurroundings(f *testing.F) {
	for _, seed := range []string{"", "A=\"", "A='b", "a: |\n", "a: |\n  b", "k = <<E", "k = [", "#", "[x]", "a = \"\"\"", "{", "\\", "-----BEGIN PRIVATE KEY-----", "A=`", "- "} {
		f.Add(seed, "\n")
		f.Add(seed, "\nx='\"`\n\"\"\"")
	}
	const secret = "qzjxkvwyqhzkpfgw"
	f.Fuzz(func(t *testing.T, before, after string) {
		if len(before)+len(after) > 8<<10 || strings.ContainsRune(before+after, 0) {
			return
		}
		for path, pair := range map[string]string{
			".env": "DB_PASSWORD=" + secret, "x-credentials.yaml": "password: " + secret, "x-credentials.toml": `password = "` + secret + `"`, ".netrc": " password " + secret,
			".pgpass": "a:1:b:c:" + secret,
		} {
			data := before + "\n" + pair + "\n" + after
			if got, _ := NewMask(path, Classify(path)).Apply(data); strings.Contains(got, secret[:survivor]) {
				t.Errorf("%s: %q became %q", path, data, got)
			}
		}
	})
}
