package decoding

import (
	"encoding/base32"
	"encoding/base64"
	"strconv"
	"strings"

	"github.com/mcpsf/mcpsf/internal/agents/promptscan"
	"github.com/mcpsf/mcpsf/internal/lazyregexp"
)

// Encodings that promptscan's decoder does not know: program escapes, character
// codes in decimal and binary, base32.
var (
	escapeRun  = lazyregexp.New(`(?:\\u[0-9a-fA-F]{4}|\\x[0-9a-fA-F]{2}){6,}`)
	escapeOne  = lazyregexp.New(`[0-9a-fA-F]{2,4}`)
	decimalRun = lazyregexp.New(`(?:\b\d{2,3}\b[ ,;]+){11,}\d{2,3}\b`)
	binaryRun  = lazyregexp.New(`(?:[01]{8}[ ,]*){12,}`)
	base64Run  = lazyregexp.New(`[A-Za-z0-9+/]{32,}={0,2}`)
	base32Run  = lazyregexp.New(`[A-Z2-7]{24,}={0,6}`)
	blanks     = lazyregexp.New(`[ ,;]+`)
)

// gap: agent-bounds
const (
	// maxRuns is how many encoded passages of each kind are decoded in a text.
	maxRuns = 20
	// maxSize is how many bytes of a text are searched.
	maxSize = 64 << 10
	// maxCipher is the largest text that is decoded as a whole.
	maxCipher = 8 << 10
	// maxRun is how many characters one passage can have.
	maxRun = 8 << 10
	// maxDepth is how often decoded text is decoded again.
	maxDepth = 2
	// MaxPlain is how many bytes may be decoded from all texts of a request.
	MaxPlain = 256 << 10
)

// All decodes the encoded parts of a text. room is how many bytes may still be
// decoded; it is reduced.
func All(s string, room *int) []promptscan.Decoded {
	return decodedDeep(s, 0, room)
}

func decodedDeep(s string, depth int, room *int) []promptscan.Decoded {
	var found []promptscan.Decoded
	if m := promptscan.HiddenText(s, maxRun); m != "" {
		found = append(found, promptscan.Decoded{How: "hidden characters", Plain: m})
	}
	found = append(found, promptscan.Decode(s)...)
	found = append(found, codes(s)...)
	if depth == 0 {
		found = append(found, ciphers(s)...)
	}
	var out []promptscan.Decoded
	for _, d := range found {
		if *room -= len(d.Plain); *room < 0 {
			break
		}
		out = append(out, d)
		if depth < maxDepth {
			for _, in := range decodedDeep(d.Plain, depth+1, room) {
				out = append(out, promptscan.Decoded{How: d.How + ", " + in.How, Plain: in.Plain})
			}
		}
	}
	return out
}

func codes(s string) []promptscan.Decoded {
	if len(s) > maxSize {
		return nil
	}
	var out []promptscan.Decoded
	add := func(how string, runes []rune) {
		if plain := string(runes); wordy(plain) {
			out = append(out, promptscan.Decoded{How: how, Plain: plain})
		}
	}
	for _, run := range escapeRun.FindAllString(s, maxRuns) {
		add("escapes", numbers(escapeOne.FindAllString(run, maxRun), 16))
	}
	for _, run := range decimalRun.FindAllString(s, maxRuns) {
		add("decimal", numbers(blanks.Split(run, maxRun), 10))
	}
	for _, run := range binaryRun.FindAllString(s, maxRuns) {
		bits := blanks.ReplaceAllString(run, "")
		var bytes []string
		for i := 0; i+8 <= len(bits) && len(bytes) < maxRun; i += 8 {
			bytes = append(bytes, bits[i:i+8])
		}
		add("binary", numbers(bytes, 2))
	}
	for _, run := range base32Run.FindAllString(s, maxRuns) {
		b, err := base32.StdEncoding.WithPadding(base32.NoPadding).DecodeString(strings.TrimRight(run, "="))
		if err == nil {
			add("base32", []rune(string(b)))
		}
	}
	for _, run := range base64Run.FindAllString(s, maxRuns) {
		for depth := 0; depth < 3 && len(run) <= MaxPlain; depth++ {
			b, err := base64.RawStdEncoding.DecodeString(strings.TrimRight(run, "="))
			if err != nil {
				break
			}
			if run = string(b); depth > 0 {
				add("base64, base64", []rune(run))
			}
		}
	}
	return out
}

func numbers(words []string, base int) []rune {
	var out []rune
	for _, w := range words {
		n, err := strconv.ParseUint(w, base, 16)
		if err != nil || n == 0 {
			return nil
		}
		out = append(out, rune(n))
	}
	return out
}

// ciphers decodes the whole text in other ways, if the result has more words.
func ciphers(s string) []promptscan.Decoded {
	if len(s) > maxCipher {
		return nil
	}
	var out []promptscan.Decoded
	for how, plain := range map[string]string{"rot13": rot13(s), "backwards": backwards(s)} {
		if wordy(plain) {
			out = append(out, promptscan.Decoded{How: how, Plain: plain})
		}
	}
	if len(out) > 1 && out[0].How > out[1].How { // the order of a map is random
		out[0], out[1] = out[1], out[0]
	}
	return out
}

// common are words that almost every English order contains.
var common = lazyregexp.New(`(?i)\b(?:the|to|and|of|you|your|with|read|send|pass|call|file|user|all|as|in|it|its|this|tool|is|for|must|always)\b`)

// wordy says whether a text contains words.
func wordy(s string) bool {
	return len(common.FindAllStringIndex(s, 3)) > 2 && strings.ContainsRune(s, ' ')
}

func rot13(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z':
			return 'a' + (r-'a'+13)%26
		case r >= 'A' && r <= 'Z':
			return 'A' + (r-'A'+13)%26
		}
		return r
	}, s)
}

func backwards(s string) string {
	runes := []rune(s)
	for i, j := 0, len(runes)-1; i < j; i, j = i+1, j-1 {
		runes[i], runes[j] = runes[j], runes[i]
	}
	return string(runes)
}
