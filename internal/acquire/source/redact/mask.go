package redact

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/mcpsf/mcpsf/internal/document"
	"github.com/mcpsf/mcpsf/internal/lazyregexp"
)

// The limits of files that are searched for secrets.
// no gap: hides the user's own secrets; it finds nothing about the server
const (
	// MaxParsed bounds the files that are parsed by their own syntax; larger
	// ones are read line by line.
	MaxParsed = 1 << 20
	// MaxFile bounds a single file, and MaxAllFiles all of them together:
	// reading them takes much longer than copying.
	MaxFile     = 4 << 20
	MaxAllFiles = 32 << 20
)

// Mask removes the secrets from one file. The replacements depend only on the
// path of the file, the names in it and the shapes of the secrets: the digest
// of the tree is the same on every machine and reveals nothing about them.
type Mask struct {
	// Count is how many values were replaced.
	Count int

	file  SecretFile
	seed  uint64
	depth int      // nesting of texts in texts
	names []string // of replaced values, without duplicates, as far as they can be shown
	seen  map[string]bool
}

// NewMask returns the mask for the file at p.
func NewMask(p string, file SecretFile) *Mask {
	sum := sha256.Sum256([]byte("file\x00" + p))
	return &Mask{file: file, seed: binary.BigEndian.Uint64(sum[:]), seen: map[string]bool{}}
}

// Apply returns the file without its secrets, or why that is not possible.
func (m *Mask) Apply(data string) (out, why string) {
	switch {
	case m.file.Framed && !frameBegin.MatchString(data):
		return data, ""
	case m.file.form == formKeyStore:
		return "", "it holds keys and cannot be looked into"
	case strings.ContainsRune(data, 0):
		return "", "it may hold secrets and is not a text"
	}
	switch m.file.form {
	case formJSON:
		if out, ok := m.json(data); ok {
			return out, ""
		}
	case formPEM:
		return m.keys(data), ""
	case formNetrc:
		return m.netrc(data), ""
	case formFields:
		return m.fields(data), ""
	case formWhole:
		return m.whole(data), ""
	}
	return m.lines(data), ""
}

// value replaces what is secret in a value of that name.
func (m *Mask) value(name, value string) string {
	if m.file.within != "" && trust(name) == nameNeutral {
		name = join(m.file.within, name)
	}
	switch {
	case isReference(value), trust(name) == nameNeutral && isForeign(value):
		return value
	case isDense(value) && !IsPath(value), trust(name) == nameKey && IsPath(value) && !filePath.MatchString(value):
		return m.mint(name, value)
	case len(value) > document.MaxWord && isPlain(name, value):
		return value
	case len(value) > document.MaxWord:
		return m.mint(name, value)
	}
	// A new Values for each value, because no state is carried over.
	out := (&Values{Seed: m.seed}).text(name, value, 0)
	if out != value {
		m.note(name)
		return out
	}
	if m.depth < maxNesting && strings.ContainsAny(value, " \t") {
		// A command, or a text with an example in it.
		m.depth++
		out = m.loose("", value)
		m.depth--
	}
	return out
}

// isForeign reports whether value is plain except for words in another script.
func isForeign(value string) bool {
	rest := strings.Map(func(r rune) rune {
		if r > unicode.MaxLatin1 {
			return ' '
		}
		return r
	}, value)
	return rest != value && PlainWords(rest)
}

// isDense recognises a long run of mixed letters and digits that nobody types.
func isDense(value string) bool {
	return denseForm.MatchString(value) && strings.ContainsAny(value, "0123456789") && strings.ToLower(value) != value && strings.ToUpper(value) != value
}

var (
	denseForm = lazyregexp.New(`^[A-Za-z0-9+/]{20,}={0,2}$`)
	// filePath distinguishes the path of a key from a key that begins like a
	// path.
	filePath = lazyregexp.New(`^[\w./\\~: -]+$`)
)

// isSecret reports whether any value of that name is secret.
func (m *Mask) isSecret(name string) bool {
	return trust(name) != nameNeutral || name != "" && m.file.within != "" && trust(join(m.file.within, name)) != nameNeutral
}

// mint replaces a whole secret, in pieces if it is long.
func (m *Mask) mint(name, secret string) string {
	const piece = 4 << 10
	var b strings.Builder
	for i := 0; secret != ""; i++ {
		end := min(piece, len(secret))
		for end < len(secret) && end > piece-utf8.UTFMax && !utf8.RuneStart(secret[end]) {
			end--
		}
		part := name
		if i > 0 {
			part = fmt.Sprintf("%s %d", name, i)
		}
		b.WriteString(mint(m.seed, part, secret[:end]))
		secret = secret[end:]
	}
	m.note(name)
	return b.String()
}

// whole replaces a file that is a single secret.
func (m *Mask) whole(data string) string {
	secret := strings.TrimSpace(data)
	if secret == "" {
		return data
	}
	at := strings.Index(data, secret)
	return data[:at] + m.mint("", secret) + data[at+len(secret):]
}

// note records the name of a replaced value, if it is one: a secret can stand
// where a name is expected.
func (m *Mask) note(name string) {
	m.Count++
	name = strings.TrimPrefix(name, m.file.within+".")
	if len(name) > 80 || m.seen[name] || !nameForm.MatchString(name) || !PlainWords(name) {
		return
	}
	m.seen[name] = true
	m.names = append(m.names, name)
}

var nameForm = lazyregexp.New(`^[\w./:@-]*[A-Za-z][\w./:@-]*$`)

// Summary says what was replaced, and nothing about the secrets.
func (m *Mask) Summary() string {
	// no gap: hides the user's own secrets; it finds nothing about the server
	const most = 6
	text := fmt.Sprintf("%d values were replaced by fakes of the same shape", m.Count)
	if m.Count == 1 {
		text = "1 value was replaced by a fake of the same shape"
	}
	if len(m.names) == 0 {
		return text
	}
	names := slices.Sorted(slices.Values(m.names))
	shown := strings.Join(names[:min(most, len(names))], ", ")
	if more := len(names) - most; more > 0 {
		shown += fmt.Sprintf(" and %d more", more)
	}
	return text + ": " + shown
}

// isReference recognises a value that only refers to the secret: ${NAME},
// ${env:NAME}, ${{ secrets.NAME }}, $SOME_NAME.
func isReference(value string) bool {
	const longest = 120
	if len(value) > longest {
		return false
	}
	m := referenceForm.FindStringSubmatch(value)
	return m != nil && PlainWords(m[1]+m[2])
}

var referenceForm = lazyregexp.New(
	`^(?:(?i:bearer|basic|token|bot)\s+)?(?:\$\{\{?\s*(?:[A-Za-z]+:)?([A-Za-z_][\w.-]*)\s*\}?\}|\$([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+))$`)

// isHolder reports whether everything below a key of that name is secret.
func isHolder(key string) bool {
	return slices.Contains([]string{"secrets", "tokens", "passwords", "credentials", "apikeys", "api keys"}, strings.Join(nameWords(key), " "))
}

// nameOf is the name by which a value is judged: its own, unless only that of
// its holder is meaningful.
func (m *Mask) nameOf(key, holder string) string {
	if holder == "" || m.file.client || trust(key) != nameNeutral {
		return key
	}
	return join(holder, key)
}
