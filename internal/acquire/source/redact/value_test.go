package redact

import (
	"encoding/base64"
	"encoding/json"
	"regexp"
	"strings"
	"testing"

	"github.com/mcpsf/mcpsf/internal/acquire/source/sourcetest"
)

func TestPlainValuesStay(t *testing.T) {
	for _, test := range []struct{ name, value string }{
		{"LOG_LEVEL", "debug"}, {"DEBUG", "true"}, {"AUTH", "false"}, {"TOKEN", ""}, {"PORT", "8080"}, {"TIMEOUT", "30s"},
		{"MAX_TOKENS", "16000"}, {"TOKEN_LIMIT", "4096"}, {"SESSION_TIMEOUT", "3600"}, {"AUTH_TYPE", "oauth2"}, {"SECRET_NAME", "prod/database"},
		{"AWS_REGION", "eu-central-1"}, {"TZ", "Europe/Berlin"}, {"LANG", "en_US.UTF-8"}, {"MODEL", "claude-3-5-sonnet-20241022"},
		{"MODEL", "gpt-4o-mini"}, {"MODEL", "anthropic/claude-3.5-sonnet"}, {"HOST", "db.corp.example"}, {"HOST", "192.0.2.7:5432"},
		{"URL", "https://api.corp.example/v1/chat?format=json&limit=10"}, {"REDIS", "redis://localhost:6379/0"}, {"HOSTS", "mongodb://a.example:27017,b.example:27017/db"},
		{"DATA", "/srv/data/3f2504e0/x"}, {"DATA", "C:\\Users\\me\\data"}, {"DATA", "./relative"}, {"TOKEN_FILE", "/run/secrets/token"},
		{"SSH_KEY", "/home/dev/.ssh/id_rsa"}, {"NODE_ENV", "production"}, {"PATTERN", "*.md,*.txt"}, {"NAME", "My Project"}, {"PROJECT", "my-project-42"},
		{"VERSION", "1.2.3-beta.4"}, {"DATE", "2024-10-22"}, {"ACCOUNT", "123456789012"}, {"SQLITE", "sqlite:////home/dev/x9/aB3dE5fG7hJ9kL1m.db"},
		{"DSN", "host=localhost port=5432 dbname=app sslmode=disable"}, {"JSON", `{"level": "debug", "list": [1, true, null, "a"]}`},
		{"OPTIONS", "--max-old-space-size=4096"}, {"OTEL", "service.name=app,env=prod"},
		{"IMAGE", "redis:latest"}, {"HOST", "localhost:8080"}, {"NAME", "myLongProjectName"}, {"NOTE", "Note: this is a text"},
	} {
		d := &Values{Seed: 1}
		if got := d.Value(test.name, test.value); got != test.value {
			t.Errorf("%s=%s became %s", test.name, test.value, got)
		}
		if len(d.Replaced) > 0 {
			t.Errorf("%s=%s: %q is said to be replaced", test.name, test.value, d.Replaced)
		}
	}
}

// TestSecretsGo has the expected form of the result, and in braces in the value
// what must be removed.
func TestSecretsGo(t *testing.T) {
	for _, test := range []struct{ name, value, form string }{
		{"PASSWORD", "{hunter2}", `^[a-z]{6}\d$`},
		{"DB_PASS", "{admin}", `^[a-z]{5}$`},
		{"HOST_PASSWORD", "{correct horse}", `^[a-z]{7} [a-z]{5}$`},
		{"FILE_SECRET", "{plain}", `^[a-z]{5}$`},
		{"dbpassword", "{plain}", `^[a-z]{5}$`},
		{"apiKey", "{plain}", `^[a-z]{5}$`},
		{"PIN", "{482913}", `^\d{6}$`},
		{"TOKEN", "{/9j4AAQSkZJRgABAQ}", `^/\d[a-z]\d[A-Z]{3}[A-Za-z]+$`},
		{"SECRET", "{/secret/word/here}", `^/[a-z]{6}/[a-z]{4}/[a-z]{4}$`},
		{"ANYTHING", "{aB3dE5fG7hJ9kL1mN3pQ}", `^([a-z][A-Z]\d)*`},
		{"ANYTHING", "{0123456789abcdef0123456789abcdef}", `^[0-9a-f]{32}$`},
		{"ANYTHING", "sk-{abcdefghijklmnop}", `^sk-[a-z]{16}$`},
		{"ANYTHING", "{ABCD-1234-EFGH-5678-JK9L-M1N2}", `^[A-Z0-9-]{29}$`},
		{"URL", "postgres://app:{p/w@1?x}@db.corp.example/orders", `^postgres://app:[a-z]/[a-z]@\d[!#%^*?~][a-z]@db\.corp\.example/orders$`},
		{"URL", "https://{ghp_abcdefABCDEF123456abcdefABCDEF12}@git.corp.example/x.git", `^https://ghp_\w{32}@git\.corp\.example/x\.git$`},
		{"URL", "https://a.example/x?api_key={hunter2}&format=json#{aB3dE5fG7hJ9kL1m}", `^https://a\.example/x\?api_key=[a-z]{6}\d&format=json#\w{16}$`},
		{"URL", "https://a.example,https://u:{passw0rd}@b.example", `^https://a\.example,https://u:[a-z]{5}\d[a-z]{2}@b\.example$`},
		{"URL", "https://a.example/?next=https://u:{passw0rd}@b.example&token={hunter2}", `^https://a\.example/\?next=https://u:[a-z]{5}\d[a-z]{2}@b\.example&token=[a-z]{6}\d$`},
		{"URL", "https://u:{secretword://x}@b.example", `^https://u:[a-z]{10}://[a-z]@b\.example$`},
		{"URL", "jdbc:postgresql://db.example/x?user=app&password={hunter2}", `^jdbc:postgresql://db\.example/x\?user=app&password=[a-z]{6}\d$`},
		{"DSN", "host=db.example user=app password={hunter2} dbname=x", `^host=db\.example user=app password=[a-z]{6}\d dbname=x$`},
		{"COOKIE", "sid={abcdefgh}; theme={darkest}", `^sid=[a-z]{8}; theme=[a-z]{7}$`},
		{"HEADER", "Authorization: Bearer {abcdefgh}", `^Authorization: Bearer [a-z]{8}$`},
		{"argument", "X-Api-Key: {hunter2}", `^X-Api-Key: [a-z]{6}\d$`},
		{"ANYTHING", "{alice.smith}@corp.example", `^[a-z]{5}\.[a-z]{5}@example\.com$`},
		{"ANYTHING", "token {abc123def456}", `^token [a-z]{3}\d{3}[a-z]{3}\d{3}$`},
		{"JSON", `{"a": {"api_key": "{hunter2}"}, "n": {"token": {48291376}}, "l": ["sk-{abcdefghijklmnop}"], "ok": "debug"}`,
			`^\{"a": \{"api_key": "[a-z]{6}\d"\}, "n": \{"token": \d{8}\}, "l": \["sk-[a-z]{16}"\], "ok": "debug"\}$`},
		{"JSON", `{"url": "https://u:{hunter2}@h.example", "in": "{\"password\": \"{hunter2}\"}"}`,
			`^\{"url": "https://u:[a-z]{6}\d@h\.example", "in": "\{\\"password\\": \\"[a-z]{6}\d\\"\}"\}$`},
		{"KEY", "-----BEGIN PRIVATE KEY-----\\n{MIIEvQIBADANBgkq}\\n{hkiG9w0BAQEFAASC}\\n-----END PRIVATE KEY-----\\n",
			`^-----BEGIN PRIVATE KEY-----\\n\w{16}\\n\w{16}\\n-----END PRIVATE KEY-----\\n$`},
		{"PASSWORD", "{пароль}", `^.{6}$`},
		{"PASSWORD", "{Secretword: abc}", `^[A-Z][a-z]{9}: [a-z]{3}$`},
		{"PASSWORD", "{secretword://abc}", `^[a-z]{10}://[a-z]{3}$`},
		{"PASSWORD", "{some=thing other=thing}", `^[a-z]{4}=[a-z]{5} [a-z]{5}=[a-z]{5}$`},
		{"DB_SECRET", "postgres://app:{hunter2}@db.example/x", `^postgres://app:[a-z]{6}\d@db\.example/x$`},
		{"header", "Authorization:Bearer {hunter2}", `^Authorization:Bearer [a-z]{6}\d$`},
		{"SMTP", "{abcdefghijklmnopq}", `^[a-z]{17}$`},
		{"user", "admin:{hunter2}", `^admin:[a-z]{6}\d$`},
	} {
		value, secrets := braces(test.value)
		d := &Values{Seed: 5}
		got := d.Value(test.name, value)
		if !regexp.MustCompile(test.form).MatchString(got) {
			t.Errorf("%s=%s became %s, want %s", test.name, value, got, test.form)
		}
		for _, secret := range secrets {
			if strings.Contains(got, secret) {
				t.Errorf("%s=%s became %s, which still has %q", test.name, value, got, secret)
			}
		}
		if len(d.Replaced) != 1 || len(d.tokens) == 0 {
			t.Errorf("%s=%s: replaced is %q, tokens are %q", test.name, value, d.Replaced, d.tokens)
		}
	}
}

// braces removes the marks around secrets. Those of JSON stay: they are
// followed by a quote or a backslash.
func braces(marked string) (value string, secrets []string) {
	mark := regexp.MustCompile(`\{([^{}"\\]+)\}`)
	for _, m := range mark.FindAllStringSubmatch(marked, -1) {
		secrets = append(secrets, m[1])
	}
	return mark.ReplaceAllString(marked, "$1"), secrets
}

func TestBasicCredentials(t *testing.T) {
	d := &Values{Seed: 1}
	got := d.Value("HEADER", "Basic "+base64.StdEncoding.EncodeToString([]byte("admin:hunter2hunter2")))
	data, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(got, "Basic "))
	sourcetest.Must(t, err)
	if !regexp.MustCompile(`^admin:[a-z]{6}\d[a-z]{6}\d$`).Match(data) || strings.Contains(string(data), "hunter") {
		t.Errorf("the credentials became %q", data)
	}
	if got := d.Value("HEADER", "Basic aGVsbG8gd29ybGQ="); got == "Basic aGVsbG8gd29ybGQ=" {
		t.Error("credentials of another form stayed")
	}
}

func TestReplacedValueIsDeterministic(t *testing.T) {
	value := `{"a": "Bearer ` + strings.Repeat("x1", 20) + `", "b": "postgres://u:p4ssw0rd@h/x"}`
	one, other := &Values{Seed: 3}, &Values{Seed: 3}
	one.Value("SOMETHING", "sk-abcdefghijklmnopqrst") // earlier values make no difference
	if a, b := one.Value("HEADERS", value), other.Value("HEADERS", value); a != b {
		t.Errorf("the same value became %s and %s", a, b)
	}
}

// FuzzSecretValue has a value under a secret's name.
func FuzzSecretValue(f *testing.F) {
	for _, s := range []string{
		"hunter2", "sk-abcdefghijklmnop", "a=b;c=d", "/etc/secret/word", "Bearer abc", "abc def ghi", "true", "pass:word@host", "\\n\\r", "-----BEGIN X-----",
		"a, b, c", "0000000", "user@host.example", "ÄÖÜäöü", "x: y",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, secret string) {
		if len(secret) > 4<<10 || isKeyword(secret) || isStructured(secret) || isAddress("DB_PASSWORD", secret) || strings.Contains(secret, "-----") {
			return // they have parts that are not secret
		}
		if schemeForm.MatchString(secret) || emailForm.MatchString(secret) || strings.Count(secret, ".") == 2 {
			return
		}
		d := &Values{Seed: 1}
		checkGone(t, secret, d.Value("DB_PASSWORD", secret))
	})
}

// FuzzValue checks that nothing breaks and JSON stays JSON.
func FuzzValue(f *testing.F) {
	f.Add("HEADERS", `{"Authorization": "Bearer abcdef0123456789", "n": -1.5e10, "u": "\u00e4\"\\"}`)
	f.Add("URL", "aa://b:c@dd://e@f?g=h&i#j")
	f.Add("URL", "a:a://b//b")
	f.Add("DSN", "a=b c=d;e=f&g=h")
	f.Add("KEY", "-----BEGIN A-----\nb\\n-----END A-----")
	f.Fuzz(func(t *testing.T, name, value string) {
		if len(value) > 8<<10 {
			return
		}
		got := (&Values{Seed: 1}).Value(name, value)
		if isStructured(value) && !json.Valid([]byte(got)) {
			t.Errorf("%s=%s became %s, which is no JSON any more", name, value, got)
		}
		if len(got) > 4*len(value)+64 {
			t.Errorf("%s=%s grew to %s", name, value, got)
		}
	})
}
