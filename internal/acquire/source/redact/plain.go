package redact

import (
	"slices"
	"strings"
	"unicode"

	"github.com/mcpsf/mcpsf/internal/lazyregexp"
)

// isPlain reports whether a value of that name can be shown: a switch, a
// number, words, a path, a host. Anything else might be a secret.
func isPlain(name, value string) bool {
	if isKeyword(value) {
		return true
	}
	words := PlainWords(value)
	switch trust(name) {
	case nameSecret:
		return false
	case nameKey:
		return words && IsPath(value) && strings.Count(value, "/")+strings.Count(value, `\`) >= 2
	}
	return words || IsPath(value)
}

// isKeyword recognises values that are never a secret, whatever their name.
func isKeyword(value string) bool {
	return value == "" || slices.Contains([]string{
		"true", "false", "yes", "no", "on", "off", "0", "1", "none", "null", "auto", "basic", "bearer", "oauth", "oauth2", "enabled", "disabled",
	}, strings.ToLower(value))
}

// IsPath reports whether value is written like a path.
func IsPath(value string) bool { return pathForm.MatchString(value) }

var pathForm = lazyregexp.New(`^(?:/|~/|\.\.?/|[A-Za-z]:[\\/])[^\n]*$|^[/~.]$|^\.\.$`)

// PlainWords reports whether value is made of words and numbers as people write
// them.
func PlainWords(value string) bool {
	if strings.ContainsFunc(value, func(r rune) bool { return r > unicode.MaxLatin1 }) {
		return false // words in other scripts cannot be distinguished from random text
	}
	if isUUID(value) || isMarked(value) {
		return false
	}
	odd := 0
	for _, word := range strings.FieldsFunc(value, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		switch wordKind(word) {
		case wordRandom:
			return false
		case wordMixed:
			odd++
		}
	}
	return odd <= 1
}

// isMarked reports whether value begins as only a key does. Some keys begin
// like other texts.
func isMarked(value string) bool {
	prefix := publicPrefix(value)
	return prefix != "" && !slices.Contains([]string{"key-", "re_", "fc-", "secret_", "dapi", "BSA", "EAA", "SG.", "rnd_", "vercel_"}, prefix)
}

type wordClass int

const (
	wordPlain  wordClass = iota
	wordMixed            // short, with letters and digits: may be a name
	wordRandom           // nobody would type it
)

func wordKind(word string) wordClass {
	// no gap: hides the user's own secrets; it finds nothing about the server
	const longest, mostDigits, mostMixed = 16, 13, 8
	letters := strings.TrimFunc(word, unicode.IsDigit)
	switch {
	case letters == "":
		if len(word) > mostDigits {
			return wordRandom
		}
		return wordPlain
	case strings.ContainsFunc(letters, unicode.IsDigit): // digits between letters
		if len(word) > mostMixed {
			return wordRandom
		}
		return wordMixed
	case len(word)-len(letters) > mostMixed:
		return wordRandom
	}
	for _, part := range nameWords(letters) { // aNameLikeThis has several
		if len(part) > longest || !pronounceable(part) {
			return wordRandom
		}
	}
	if len(nameWords(letters)) > 1+len(letters)/4 || len(word) > 3*longest {
		return wordRandom
	}
	return wordPlain
}

// pronounceable judges by the vowels of a word in lower case.
func pronounceable(word string) bool {
	vowels, run := 0, 0
	for _, r := range word {
		if strings.ContainsRune("aeiouyàâäåæèéêëìíîïòóôöøùúûü", r) {
			vowels++
			run = 0
		} else if run++; run > 6 {
			return false
		}
	}
	return len(word) <= 6 || vowels*6 >= len(word) && vowels < len(word)
}

// nameTrust is what the name of a variable says about its value.
type nameTrust int

const (
	nameNeutral nameTrust = iota
	nameKey               // a key or a certificate, or its path
	nameSecret            // always a secret
)

// IsSecretName reports whether any value of a variable or flag of that name is
// secret.
func IsSecretName(name string) bool { return trust(name) != nameNeutral }

func trust(name string) nameTrust {
	words := nameWords(name)
	has := func(list ...string) bool {
		return slices.ContainsFunc(words, func(w string) bool { return slices.Contains(list, w) })
	}
	ends := func(list ...string) bool {
		return slices.ContainsFunc(words, func(w string) bool {
			return slices.ContainsFunc(list, func(end string) bool { return strings.HasSuffix(w, end) })
		})
	}
	last := words[max(0, len(words)-1):]
	switch {
	case len(words) == 1 && (words[0] == "pwd" || words[0] == "oldpwd"), isAbout(last):
		return nameNeutral
	case has("max", "min", "limit", "budget", "count", "num") && slices.Equal(last, []string{"tokens"}):
		return nameNeutral // of a language model
	case ends("token", "tokens", "secret", "secrets", "password", "passwords", "passwd", "passphrase", "pass", "pwd", "mnemonic"),
		has("pw", "pat", "pin", "otp", "totp", "bearer", "jwt", "auth", "authorization", "session", "cookie", "credential", "salt",
			"signature", "passcode"):
		return nameSecret
	case ends("key", "keys", "credentials", "creds"), has("cert", "certificate", "private", "license"):
		return nameKey
	}
	return nameNeutral
}

// isLogin recognises names of values of the form user:password.
func isLogin(name string) bool {
	return slices.ContainsFunc(nameWords(name), func(w string) bool {
		return slices.Contains([]string{"u", "user", "userpwd", "login", "account"}, w)
	})
}

// isAbout reports whether the last word of a name says that the value is about
// a secret, not the secret itself: TOKEN_TIMEOUT, PASSWORD_FILE.
func isAbout(last []string) bool {
	return len(last) == 1 && slices.Contains([]string{
		"limit", "max", "min", "count", "size", "timeout", "ttl", "expiry", "expires", "mode", "type", "method", "enabled", "disabled", "name",
		"path", "file", "dir", "directory", "url", "uri", "host", "port", "region", "level", "format", "provider", "algorithm", "endpoint",
		"budget", "interval", "scope", "scopes", "audience", "store",
	}, last[0])
}

// nameWords splits API_KEY, api-key and apiKey alike.
func nameWords(name string) []string {
	// no gap: hides the user's own secrets; it finds nothing about the server
	const most = 200
	var b strings.Builder
	var before rune
	for _, r := range name[:min(len(name), most)] {
		if unicode.IsUpper(r) && unicode.IsLower(before) {
			b.WriteByte(' ')
		}
		b.WriteRune(unicode.ToLower(r))
		before = r
	}
	return strings.FieldsFunc(b.String(), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}

// exampleFor has the shape of a typical value of that variable.
func exampleFor(name string) string {
	words := nameWords(name)
	has := func(w string) bool { return slices.Contains(words, w) }
	long := strings.Repeat("aA0bBc1Cd", 20)
	switch {
	case trust(name) == nameNeutral && !has("key"):
		return "abcdefghij"
	case has("github") || has("gh"):
		return "ghp_" + long[:36]
	case has("gitlab"):
		return "glpat-" + long[:20]
	case has("anthropic"):
		return "sk-ant-api03-" + long[:95]
	case has("openai"):
		return "sk-proj-" + long[:124]
	case has("slack"):
		return "xoxb-1234567890123-1234567890123-" + long[:24]
	case has("aws") && has("access"):
		return "AKIA" + strings.Repeat("ABCD2", 4)[:16]
	case has("google") || has("gemini"):
		return "AIza" + long[:35]
	}
	return long[:40]
}
