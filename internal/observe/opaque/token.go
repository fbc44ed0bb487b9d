package opaque

import (
	_ "embed"
	"encoding/base64"
	"encoding/hex"
	"math"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/mcpsf/mcpsf/internal/lazyregexp"
)

// token is a piece of a message that looks random.
type token struct {
	part, text string
	// bytes is how many random bytes it can hold.
	bytes float64
	// scrap is set for a piece that is too short to be judged alone.
	scrap bool
	// binary is set for bytes that are no text, uuid for an identifier of that form.
	binary, uuid bool
}

const (
	// leastToken is the length from which a word alone is judged, leastScrap that
	// of a scrap, leastDigits that of a number, leastEncoded that of what may be
	// an encoding of something readable.
	leastToken, leastScrap, leastDigits, leastEncoded = 16, 6, 20, 20
	// leastNumbers is how many small numbers in a row may be bytes.
	leastNumbers = 24
	// maxDepth bounds encodings inside encodings.
	// no gap: what is deeper counts as it is, encoded.
	maxDepth = 4
	// natural is the share of usual neighbours from which letters are words.
	natural = 0.5
)

var (
	uuids   = lazyregexp.New(`(?i)\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b`)
	encoded = lazyregexp.New(`[A-Za-z0-9+/_-]{20,}={0,2}`)
	escapes = lazyregexp.New(`%[0-9A-Fa-f]{2}|\\u00[0-9A-Fa-f]{2}|\\x[0-9A-Fa-f]{2}`)
	numbers = lazyregexp.New(`\d{1,3}(?:\s*,\s*\d{1,3}){23,}`)
)

// tokensOf returns the random tokens of some data.
func tokensOf(p []byte, depth int) []token {
	if len(p) == 0 {
		return nil
	}
	if !isText(p) {
		return binaryTokens(p, depth)
	}
	var out []token
	if plain := unescaped(string(p)); depth < maxDepth && !isText([]byte(plain)) {
		out = binaryTokens([]byte(plain), depth+1)
	} else if depth < maxDepth {
		p = []byte(plain)
	}
	text := string(p)
	if strings.Count(text, "-") >= 4 { // else it has none, and looking is dear
		text = uuids.ReplaceAllStringFunc(text, func(id string) string {
			out = append(out, token{text: id, bytes: identifier, uuid: true})
			return " "
		})
	}
	if strings.Count(text, ",") >= leastNumbers-1 {
		text = numbers.ReplaceAllStringFunc(text, func(list string) string {
			p := bytesOf(list)
			found := randomWindows(p)
			if len(found) == 0 || !likeBytes(p) {
				return list
			}
			out = append(out, found...)
			return " "
		})
	}
	text = encoded.ReplaceAllStringFunc(text, func(s string) string {
		found, ok := decode(s, depth)
		if !ok {
			return s
		}
		out = append(out, found...)
		return " "
	})
	for word := range strings.FieldsFuncSeq(text, notAlphanumeric) {
		if t, ok := wordToken(word); ok {
			out = append(out, t)
		}
	}
	return out
}

// decode looks into what is an encoding of something readable or packed; ok is
// false if it is none.
func decode(s string, depth int) ([]token, bool) {
	if depth >= maxDepth {
		return nil, false
	}
	if len(s) >= 2*leastEncoded && len(s)%2 == 0 {
		if p, err := hex.DecodeString(s); err == nil && readable(p) {
			return tokensOf(p, depth+1), true
		}
	}
	bare := strings.TrimRight(s, "=")
	for _, encoding := range []*base64.Encoding{base64.RawStdEncoding, base64.RawURLEncoding} {
		if p, err := encoding.DecodeString(bare); err == nil && readable(p) {
			return tokensOf(p, depth+1), true
		}
	}
	return nil, false
}

// readable tells whether decoded data is text or looks packed. Letters decode
// to text by chance only if they are few.
func readable(p []byte) bool {
	return isPacked(p) || len(p) >= leastEncoded/2 && isText(p) && isASCII(p)
}

// unescaped undoes the escapes of addresses and of JSON.
func unescaped(text string) string {
	if !strings.ContainsAny(text, `%\`) {
		return text
	}
	return escapes.ReplaceAllStringFunc(text, func(s string) string {
		b, err := hex.DecodeString(s[len(s)-2:])
		if err != nil {
			return s
		}
		return string(b)
	})
}

// wordToken judges one word.
func wordToken(w string) (token, bool) {
	t := token{text: w}
	digits, pairs, usual, turns := 0, 0, 0, 0
	for i := range len(w) {
		if isDigit(w[i]) {
			digits++
		}
		if i == 0 {
			continue
		}
		a, b := w[i-1], w[i]
		switch {
		case isDigit(a) && isDigit(b):
			continue
		case isDigit(a) != isDigit(b), isLower(a) && isUpper(b):
			turns++
		case bigrams()[strings.ToLower(w[i-1:i+1])]:
			usual++
		}
		pairs++
	}
	if digits == len(w) {
		t.bytes = float64(len(w)) * math.Log2(10) / 8
		return t, len(w) >= leastDigits && entropy([]byte(w)) > 2
	}
	t.bytes = float64(len(w)) * bitsOf(w) / 8
	switch {
	case pairs == 0, entropy([]byte(w)) < 2:
		return t, false
	case len(w) >= leastToken:
		return t, float64(usual) < natural*float64(pairs)
	}
	t.scrap = true
	return t, len(w) >= leastScrap && turns >= 2 && float64(usual) < natural*float64(pairs)*2/3
}

// bitsOf returns how many bits a letter of a word can hold, by its alphabet.
func bitsOf(w string) float64 {
	lower, upper, high := false, false, false
	for i := range len(w) {
		lower, upper = lower || isLower(w[i]), upper || isUpper(w[i])
		high = high || isLower(w[i]|0x20) && w[i]|0x20 > 'f'
	}
	switch {
	case lower && upper:
		return 6
	case high:
		return 5
	}
	return 4
}

// bytesOf returns a list of small numbers as bytes.
func bytesOf(list string) []byte {
	var out []byte
	for n := range strings.FieldsFuncSeq(list, notAlphanumeric) {
		v := 0
		for i := range len(n) {
			v = v*10 + int(n[i]-'0')
		}
		out = append(out, byte(v))
	}
	return out
}

// likeBytes tells numbers that stand for bytes from those that count or measure
// something: half of them are large, and they are in no order.
func likeBytes(p []byte) bool {
	large, falls := 0, 0
	for i, b := range p {
		if b >= 1<<7 {
			large++
		}
		if i > 0 && b < p[i-1] {
			falls++
		}
	}
	return large*4 >= len(p) && falls*4 >= len(p)
}

// isText tells text from binary data. Bytes written as the first characters
// beyond ASCII are binary.
func isText(p []byte) bool {
	if !utf8.Valid(p) {
		return false
	}
	odd, all := 0, 0
	for _, r := range string(p) {
		all++
		if r < ' ' && r != '\n' && r != '\r' && r != '\t' || r >= 0x7f && r <= 0xff {
			odd++
		}
	}
	return odd*4 <= all
}

func isASCII(p []byte) bool {
	for _, b := range p {
		if b >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }
func isLower(c byte) bool { return c >= 'a' && c <= 'z' }
func isUpper(c byte) bool { return c >= 'A' && c <= 'Z' }

// entropy returns the bits for each byte of p, as often as each byte occurs.
func entropy(p []byte) float64 {
	var count [256]int
	for _, b := range p {
		count[b]++
	}
	sum := 0.0
	for _, n := range count {
		if n > 0 {
			share := float64(n) / float64(len(p))
			sum -= share * math.Log2(share)
		}
	}
	return sum
}

//go:embed bigrams.txt
var bigramText string

// bigrams returns the pairs of letters that make up 96 of 100 pairs in the words of
// texts and programs; of random letters it is every third.
//
//nolint:gochecknoglobals // read once like a regular expression, and never changed
var bigrams = sync.OnceValue(func() map[string]bool {
	set := map[string]bool{}
	for pair := range strings.FieldsSeq(bigramText) {
		set[pair] = true
	}
	return set
})
