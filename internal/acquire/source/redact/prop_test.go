package redact

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/mcpsf/mcpsf/internal/acquire/source/sourcetest"
)

// writer generates files: lines with and without secrets.
type writer struct {
	rng     *rand.Rand
	secrets []string
}

func (w *writer) pick(list ...string) string { return list[w.rng.IntN(len(list))] }

// secret generates one. No two secrets of a file have a part in common by
// chance.
func (w *writer) secret() string {
	alphabet := w.pick("abcdefghijklmnopqrstuvwxyz", "0123456789abcdef", "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567",
		"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_", "abcdefgh!%^*~+/.:@?&", "äöüß€abcdefg")
	runes := []rune(alphabet)
	var b strings.Builder
	b.WriteString(w.pick("", "", "sk-", "ghp_", "xoxb-"))
	for range 12 + w.rng.IntN(60) {
		b.WriteRune(runes[w.rng.IntN(len(runes))])
	}
	w.secrets = append(w.secrets, b.String())
	return b.String()
}

func (w *writer) name() string {
	return w.pick("API_KEY", "DB_PASSWORD", "token", "GITHUB_TOKEN", "client_secret", "sessionToken", "auth", "aws_secret_access_key", "private-key")
}

func (w *writer) plain() (name, value string) {
	pair := strings.SplitN(w.pick("PORT=8080", "LOG_LEVEL=debug", "HOST=db.example", "NODE_ENV=production", "name=My Project", "url=https://a.example/b?c=d",
		"region=eu-central-1", "MAX_TOKENS=4096", "path=/srv/data", "empty=", "flag=true"), "=", 2)
	return pair[0], pair[1]
}

// lines returns a file and which of its lines have no secret.
func (w *writer) lines(assign string, quotes ...string) (lines []string, plain map[int]bool) {
	plain = map[int]bool{}
	for i := range 1 + w.rng.IntN(20) {
		switch w.rng.IntN(5) {
		case 0:
			plain[i] = true
			lines = append(lines, w.pick("", "# a comment", "[section]", "   ", "; another"))
		case 1, 2:
			plain[i] = true
			name, value := w.plain()
			quote := w.pick(quotes...)
			lines = append(lines, name+assign+quote+value+quote)
		default:
			quote := w.pick(quotes...)
			lines = append(lines, w.name()+assign+quote+w.secret()+quote+w.pick("", "", " "))
		}
	}
	return lines, plain
}

// TestNoSecretSurvives generates files in every notation.
func TestNoSecretSurvives(t *testing.T) {
	for _, test := range []struct {
		path, assign string
		quotes       []string
	}{
		{".env", "=", []string{"", `"`, "'"}},
		{".npmrc", "=", []string{""}},
		{".pypirc", " = ", []string{""}},
		{".aws/credentials", " = ", []string{""}},
		{"x-credentials.yaml", ": ", []string{"", `"`, "'"}},
		{"x-credentials.toml", " = ", []string{`"`, "'"}},
		{"terraform.tfvars", " = ", []string{`"`}},
		{"broken-credentials.json", ": ", []string{`"`}},
	} {
		t.Run(test.path, func(t *testing.T) {
			for seed := range uint64(300) {
				w := &writer{rng: rand.New(rand.NewPCG(seed, 1))}
				lines, plain := w.lines(test.assign, test.quotes...)
				ending := w.pick("\n", "\r\n", "\r")
				got, why := NewMask(test.path, Classify(test.path)).Apply(strings.Join(lines, ending))
				if why != "" {
					t.Fatalf("seed %d: left out: %s", seed, why)
				}
				out := strings.Split(got, ending)
				if len(out) != len(lines) {
					t.Fatalf("seed %d: %d lines became %d", seed, len(lines), len(out))
				}
				for i := range lines {
					if plain[i] && out[i] != lines[i] {
						t.Errorf("seed %d: %q became %q", seed, lines[i], out[i])
					}
				}
				for _, secret := range w.secrets {
					checkGone(t, secret, got)
				}
				if t.Failed() {
					t.Fatalf("seed %d:\n%s\nbecame\n%s", seed, strings.Join(lines, "\n"), strings.Join(out, "\n"))
				}
			}
		})
	}
}

// TestNoSecretSurvivesJSON generates nested values; values that are not secret
// stay the same.
func TestNoSecretSurvivesJSON(t *testing.T) {
	var value func(w *writer, depth int) any
	value = func(w *writer, depth int) any {
		object := map[string]any{}
		for i := range 1 + w.rng.IntN(4) {
			switch {
			case depth < 4 && w.rng.IntN(3) == 0:
				object[fmt.Sprint("inner", i)] = value(w, depth+1)
			case w.rng.IntN(2) == 0:
				name, plain := w.plain()
				object[name] = plain
			case w.rng.IntN(3) == 0:
				object[w.name()] = []any{w.secret(), w.secret()}
			default:
				object[w.name()] = w.secret()
			}
		}
		return object
	}
	for seed := range uint64(300) {
		w := &writer{rng: rand.New(rand.NewPCG(seed, 2))}
		in := value(w, 0)
		data, err := json.MarshalIndent(in, "", w.pick("", " ", "\t"))
		sourcetest.Must(t, err)
		got, why := NewMask("credentials.json", Classify("credentials.json")).Apply(string(data))
		if why != "" || !json.Valid([]byte(got)) {
			t.Fatalf("seed %d: %s became %s (%s)", seed, data, got, why)
		}
		var out any
		sourcetest.Must(t, json.Unmarshal([]byte(got), &out))
		checkSame(t, "", in, out)
		for _, secret := range w.secrets {
			if strings.Contains(string(data), secret) {
				checkGone(t, secret, got)
			}
		}
		if t.Failed() {
			t.Fatalf("seed %d: %s became %s", seed, data, got)
		}
	}
}

func checkSame(t *testing.T, name string, in, out any) {
	t.Helper()
	switch v := in.(type) {
	case map[string]any:
		o, ok := out.(map[string]any)
		if !ok || len(o) != len(v) {
			t.Errorf("%s became %v", name, out)
			return
		}
		for key := range v {
			checkSame(t, key, v[key], o[key])
		}
	case string:
		if trust(name) == nameNeutral && in != out {
			t.Errorf("%s: %v became %v", name, in, out)
		}
	}
}

// TestHostileSecretFiles has inputs on which quadratic code would not finish.
func TestHostileSecretFiles(t *testing.T) {
	size := 12 << 10
	if os.Getenv("MCPSF_NIGHTLY") != "" {
		size = 48 << 10
	}
	fill := func(s string) string { return strings.Repeat(s, size/len(s)) }
	for name, data := range map[string]string{
		"one line":          strings.Repeat("a", MaxParsed),
		"one value":         "TOKEN=" + strings.Repeat("a1", MaxParsed/2),
		"one quoted value":  `TOKEN="` + fill("a1") + `"`,
		"digits":            "PIN=" + fill("1"),
		"equal signs":       fill("="),
		"assignments":       fill("A=b "),
		"short lines":       fill("A=b\n"),
		"short secrets":     fill("TOKEN=x9\n"),
		"open quotes":       fill("A=\"\\\"\n"),
		"escaped quotes":    `A="` + fill(`\"`),
		"loose quotes":      "# " + fill(`\"`),
		"more loose quotes": "# " + fill(`"\`),
		"apostrophes":       fill("A='\n"),
		"long quotes":       fill("A=\"\"\"x\n"),
		"here documents":    fill("KEY=<<E\n"),
		"blocks":            fill("KEY: |\n"),
		"deep keys":         fill(" ") + "\n" + deepKeys(1000),
		"sections":          fill("[secrets]\n"),
		"frames":            fill("-----BEGIN PRIVATE KEY-----\n"),
		"frame ends":        "-----BEGIN PRIVATE KEY-----\n" + fill("-----END "),
		"deep JSON":         fill("["),
		"deep objects":      fill(`{"a":`),
		"closed JSON":       strings.Repeat("[", 9000) + strings.Repeat("]", 9000),
		"JSON in JSON":      `{"a":` + nested(12) + `}`,
		"many JSON values":  "[" + fill(`"a1b2c3d4e5f6",`) + "1]",
		"addresses":         fill("a://b:c@"),
		"colons":            fill("a:"),
		"invalid":           fill("\xff\xfe=\xff\n"),
		"comments":          fill("/*"),
		"netrc words":       fill("password "),
		"netrc quotes":      fill("password \"\\\" "),
		"too large":         strings.Repeat("# nothing here\n", MaxParsed/15) + "TOKEN=abcdefgh\n",
	} {
		for _, path := range []string{".env", "secrets.yaml", "credentials.json", ".netrc", "x.pem"} {
			got, why := NewMask(path, Classify(path)).Apply(data)
			if why != "" {
				t.Errorf("%s in %s: left out: %s", name, path, why)
			}
			if len(got) > 2*len(data)+100 {
				t.Errorf("%s in %s: %d bytes became %d", name, path, len(data), len(got))
			}
			if name == "too large" && path != ".netrc" && strings.Contains(got, "abcdefgh") {
				t.Errorf("%s in %s: the secret survived", name, path)
			}
		}
	}
}

func deepKeys(n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(strings.Repeat(" ", i) + "key:\n")
	}
	return b.String()
}

// nested is a JSON text in a JSON text.
func nested(depth int) string {
	text := `{"token": "hunter2"}`
	for range depth {
		data, err := json.Marshal(text)
		if err != nil || len(data) > MaxParsed/2 {
			break
		}
		text = string(data)
	}
	return text
}
