package attack

import (
	"encoding/base64"
	"encoding/hex"
	"strings"

	"github.com/mcpsf/mcpsf/internal/lazyregexp"
)

// Bounds for a payload that a model wrote: how much of it is read, and how many
// of its parts are decoded.
// no gap: bounds payloads and how an answer is compared; attacks show weaknesses, and the profile bounds them
const (
	maxReading = 64 << 10
	maxRuns    = 8
)

var (
	base64Run = lazyregexp.New(`[A-Za-z0-9+/_-]{12,}`)
	hexRun    = lazyregexp.New(`(?:[0-9a-fA-F]{2}){6,}`)
)

// readings returns a text as it is and in its decoded forms.
func readings(text string) []string {
	text = text[:min(len(text), maxReading)]
	all := []string{text}
	add := func(reading string) {
		if reading != text {
			all = append(all, reading)
		}
	}
	add(string(unescape([]byte(text))))
	once := fromPercent(text)
	add(once)
	add(fromPercent(once))
	for _, run := range base64Run.FindAllString(text, maxRuns) {
		plain := strings.NewReplacer("-", "+", "_", "/").Replace(run)
		if len(plain)%4 == 1 { // part of a longer text
			plain = plain[:len(plain)-1]
		}
		if decoded, err := base64.RawStdEncoding.DecodeString(plain); err == nil {
			add(string(decoded))
		}
	}
	for _, run := range hexRun.FindAllString(text, maxRuns) {
		if decoded, err := hex.DecodeString(run); err == nil {
			add(string(decoded))
		}
	}
	return all
}

// fromPercent decodes percent-encoding, if there is any.
func fromPercent(text string) string {
	var b strings.Builder
	for {
		before, after, found := strings.Cut(text, "%")
		b.WriteString(before)
		if !found {
			return b.String()
		}
		if len(after) >= 2 {
			if c, err := hex.DecodeString(after[:2]); err == nil {
				b.Write(c)
				text = after[2:]
				continue
			}
		}
		b.WriteByte('%')
		text = after
	}
}
