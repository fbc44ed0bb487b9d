package analysis

import (
	"fmt"
	"hash/crc32"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/lazyregexp"
	"github.com/mcpsf/mcpsf/internal/static/code/ir"
)

// secretForm is the format of a provider's secrets.
type secretForm struct {
	name string
	// hint occurs in every one of them.
	hint string
	re   *lazyregexp.Regexp
	// check reports whether it can be real; nil if the format is proof enough.
	check func(string) bool
}

var (
	placeholder     = lazyregexp.New(`(?i)example|dummy|placeholder|your[_-]?|sample|fake|changeme|redacted|insert|replace|xxxx|\.\.\.|<[a-z]|\$\{|\{\{|000000|12345678|abcdefgh|deadbeef|aaaaaa|test_?(key|token)|sk_test`)
	secretName      = lazyregexp.New(`(?i)(api_?key|secret|token|passw(or)?d|auth|credential|private_?key|access_?key)`)
	genericValue    = lazyregexp.New(`^[A-Za-z0-9+/=_\-]{24,100}$`)
	awsKey          = lazyregexp.New(`\b((?:AKIA|ASIA)[A-Z2-7]{16})\b`)
	githubToken     = lazyregexp.New(`\b(gh[pousr]_[A-Za-z0-9]{36})\b`)
	githubFine      = lazyregexp.New(`\b(github_pat_[A-Za-z0-9]{22}_[A-Za-z0-9]{59})\b`)
	npmToken        = lazyregexp.New(`\b(npm_[A-Za-z0-9]{36})\b`)
	gitlabToken     = lazyregexp.New(`\b(glpat-[A-Za-z0-9_\-]{20,})`)
	slackToken      = lazyregexp.New(`\b(xox[abpr]-\d{8,14}-[A-Za-z0-9-]{16,})`)
	stripeKey       = lazyregexp.New(`\b((?:sk|rk)_live_[A-Za-z0-9]{20,})`)
	openaiKey       = lazyregexp.New(`\b(sk-(?:proj-|svcacct-)?[A-Za-z0-9_\-]{20,}T3BlbkFJ[A-Za-z0-9_\-]{20,})`)
	anthropicKey    = lazyregexp.New(`\b(sk-ant-(?:api|admin)\d\d-[A-Za-z0-9_\-]{80,})`)
	googleKey       = lazyregexp.New(`\b(AIza[0-9A-Za-z_\-]{35})\b`)
	pypiToken       = lazyregexp.New(`\b(pypi-AgEIcHlwaS5vcmc[A-Za-z0-9_\-]{50,})`)
	sendgridKey     = lazyregexp.New(`\b(SG\.[A-Za-z0-9_\-]{22}\.[A-Za-z0-9_\-]{43})\b`)
	telegramToken   = lazyregexp.New(`\b(\d{8,10}:AA[A-Za-z0-9_\-]{33})\b`)
	discordToken    = lazyregexp.New(`\b([MNO][A-Za-z0-9_\-]{23,25}\.[A-Za-z0-9_\-]{6}\.[A-Za-z0-9_\-]{27,38})\b`)
	huggingToken    = lazyregexp.New(`\b(hf_[A-Za-z]{34})\b`)
	oceanToken      = lazyregexp.New(`\b(do[opr]_v1_[a-f0-9]{64})\b`)
	azureKey        = lazyregexp.New(`AccountKey=([A-Za-z0-9+/]{86}==)`)
	privateKey      = lazyregexp.New(`(-----BEGIN (?:RSA |EC |OPENSSH |DSA )?PRIVATE KEY-----[\sA-Za-z0-9+/=\\n]{200,})`)
	urlWithPassword = lazyregexp.New(`\b((?:postgres(?:ql)?|mysql|mongodb(?:\+srv)?|redis|amqp|https?|ftp|smtp)://[^\s:/@'"]+:([^\s:/@'"{}$<>]{8,})@[A-Za-z0-9.\-]+)`)
)

func secretForms() []secretForm {
	return []secretForm{
		{"aws access key", "IA", awsKey, nil},
		{"github token", "gh", githubToken, crcTail},
		{"github token", "gh", githubFine, nil},
		{"npm token", "npm_", npmToken, crcTail},
		{"gitlab token", "glpat-", gitlabToken, varied},
		{"slack token", "xox", slackToken, varied},
		{"stripe key", "_live_", stripeKey, varied},
		{"openai key", "T3BlbkFJ", openaiKey, varied},
		{"anthropic key", "sk-ant-", anthropicKey, varied},
		{"google key", "AIza", googleKey, varied},
		{"pypi token", "pypi-", pypiToken, nil},
		{"sendgrid key", "SG.", sendgridKey, varied},
		{"telegram bot token", ":AA", telegramToken, varied},
		{"discord bot token", ".", discordToken, varied},
		{"hugging face token", "hf_", huggingToken, varied},
		{"digitalocean token", "_v1_", oceanToken, varied},
		{"azure storage key", "AccountKey=", azureKey, varied},
		{"private key", "PRIVATE KEY", privateKey, nil},
		{"password in url", "://", urlWithPassword, urlPassword},
	}
}

// secrets finds credentials in the source that look valid.
func secrets(p *Package) []mcpsf.Fact {
	var out []mcpsf.Fact
	forms := secretForms()
	for f, t := range p.texts() {
		if len(t.Text) < 16 || t.Compared || strings.Contains(t.Text, ir.Hole) {
			continue
		}
		if name, value := secretIn(t, forms); name != "" {
			found := fact(f, t.Line, name, redact(value))
			found.Level = graveOf(name)
			out = append(out, found)
		}
	}
	return out
}

// graveOf distinguishes private keys from those that every web page publishes,
// such as browser API keys.
func graveOf(name string) mcpsf.Severity {
	switch {
	case name == "google key", name == "password in url", strings.HasPrefix(name, "value of "):
		return mcpsf.SeverityLow
	}
	return mcpsf.SeverityMedium
}

func secretIn(t *ir.Text, forms []secretForm) (name, value string) {
	s := t.Text[:min(len(t.Text), 8000)]
	for _, form := range forms {
		if !strings.Contains(s, form.hint) {
			continue
		}
		m := form.re.FindStringSubmatch(s)
		if m == nil || placeholder.MatchString(m[len(m)-1]) || form.check != nil && !form.check(m[1]) {
			continue
		}
		return form.name, m[1]
	}
	if secretName.MatchString(t.Name) && genericValue.MatchString(s) && !placeholder.MatchString(s) && random(s) {
		return "value of " + t.Name, s
	}
	return "", ""
}

// random reports whether a value looks randomly generated.
func random(s string) bool {
	lower, upper, digit := 0, 0, 0
	for _, c := range s {
		switch {
		case c >= 'a' && c <= 'z':
			lower++
		case c >= 'A' && c <= 'Z':
			upper++
		case c >= '0' && c <= '9':
			digit++
		}
	}
	return digit >= 3 && lower+upper >= 6 && entropy(s) > 4 && (lower > 2 && upper > 2 || entropy(s) > 3.6 && digit > 6)
}

func varied(s string) bool { return entropy(s) > 3.2 }

func urlPassword(s string) bool {
	_, after, _ := strings.Cut(s, "://")
	userinfo, host, _ := strings.Cut(after, "@")
	_, password, _ := strings.Cut(userinfo, ":")
	switch strings.ToLower(password) {
	case "password", "postgres", "passw0rd", "secret123", "username", "pass1234", "password123", "rootroot":
		return false
	}
	return entropy(password) > 2.7 && !strings.HasPrefix(host, "localhost") && !strings.HasPrefix(host, "127.") && password != "password"
}

// crcTail checks the last six characters, which are a checksum of the rest.
func crcTail(s string) bool {
	_, body, ok := strings.Cut(s, "_")
	if !ok || len(body) != 36 {
		return false
	}
	const digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
	sum := crc32.ChecksumIEEE([]byte(body[:30]))
	tail := make([]byte, 6)
	for i := 5; i >= 0; i-- {
		tail[i] = digits[sum%62]
		sum /= 62
	}
	return string(tail) == body[30:]
}

// redact shows enough to find a secret again, and not enough to use it.
func redact(s string) string {
	if len(s) < 12 {
		return "…"
	}
	return fmt.Sprintf("%s… (%d characters)", s[:6], len(s))
}
