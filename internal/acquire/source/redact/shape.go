package redact

import (
	"crypto/sha256"
	"encoding/binary"
	"math/rand/v2"
	"strings"
	"unicode/utf8"
)

// survivor is how many consecutive characters of a secret must not be in its
// replacement.
const survivor = 6

// mint returns the replacement of a secret: of the same length, with a
// character of the same kind in every place, and with the service's public
// prefix. It depends only on the seed, the name and the secret's shape.
func mint(seed uint64, name, secret string) string {
	rng := shapeRand(seed, name)
	if out, ok := mintJWT(rng, secret); ok {
		return out
	}
	if isUUID(secret) {
		return mintUUID(rng, secret)
	}
	prefix := publicPrefix(secret)
	return prefix + reshape(rng, secret[len(prefix):])
}

// shapeRand is the same for the same seed and name on every machine.
func shapeRand(seed uint64, name string) *rand.Rand {
	key := binary.BigEndian.AppendUint64([]byte("shape\x00"), seed)
	return rand.New(rand.NewChaCha8(sha256.Sum256(append(key, name...))))
}

// reshape draws every character again within its class. If chance brings back a
// part of the secret, that part is drawn again; a secret for which that fails
// is removed altogether.
func reshape(rng *rand.Rand, secret string) string {
	const rounds = 100
	in := []rune(strings.ToValidUTF8(secret, "?"))
	classes := classesOf(in)
	out := make([]rune, len(in))
	for i, c := range classes {
		out[i] = c.draw(rng, in[i])
	}
	known := windows(in, classes)
	for range rounds {
		again := survivors(known, out, classes)
		if len(again) == 0 {
			return string(out)
		}
		for _, at := range again {
			for i := at; i < min(at+survivor, len(out)); i++ {
				out[i] = classes[i].draw(rng, in[i])
			}
		}
	}
	return ""
}

// class is the alphabet that a character is drawn from; "" keeps it.
type class string

const (
	classLower class = "abcdefghijklmnopqrstuvwxyz"
	classUpper class = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	classDigit class = "0123456789"
	classMark  class = "!#%^*?~"
	// classWide draws a character with the same number of bytes.
	classWide class = "wide"
)

func (c class) draw(rng *rand.Rand, r rune) rune {
	switch {
	case c == "":
		return r
	case c != classWide:
		return rune(c[rng.IntN(len(c))])
	}
	switch utf8.RuneLen(r) {
	case 2:
		return 'à' + rng.Int32N(23)
	case 3:
		return '一' + rng.Int32N(10000)
	}
	return '🐀' + rng.Int32N(60)
}

func classOf(r rune) class {
	switch {
	case r >= 'a' && r <= 'z':
		return classLower
	case r >= 'A' && r <= 'Z':
		return classUpper
	case r >= '0' && r <= '9':
		return classDigit
	case strings.ContainsRune("!#$%^&*?~", r):
		return classMark
	case r >= utf8.RuneSelf:
		return classWide
	}
	return "" // dashes, dots and the like are separators
}

// classesOf narrows the alphabet for runs of letters and digits in base 16 or
// base 32.
func classesOf(in []rune) []class {
	classes := make([]class, len(in))
	for i := 0; i < len(in); {
		classes[i] = classOf(in[i])
		end := i
		for end < len(in) && isAlnum(in[end]) {
			end++
		}
		if end == i {
			i++
			continue
		}
		lower, upper, digit := alphabets(string(in[i:end]))
		for ; i < end; i++ {
			switch classOf(in[i]) {
			case classLower:
				classes[i] = lower
			case classUpper:
				classes[i] = upper
			default:
				classes[i] = digit
			}
		}
	}
	return classes
}

func isAlnum(r rune) bool {
	return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9'
}

func alphabets(run string) (lower, upper, digit class) {
	lower, upper, digit = classLower, classUpper, classDigit
	only := func(set string) bool { return strings.Trim(run, set) == "" }
	switch {
	case len(run) < 8 || len(run) > 256 || only("0123456789"):
	case only("0123456789abcdef"), only("0123456789ABCDEF"):
		lower, upper = "abcdef", "ABCDEF"
	case len(run) >= 16 && only("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"):
		digit = "234567"
	}
	return lower, upper, digit
}

// windows are the parts of a secret that must not survive: those in which at
// least three characters, or all of a shorter secret, were drawn.
func windows(in []rune, classes []class) map[string]bool {
	known := map[string]bool{}
	for at := range starts(len(in)) {
		if end := min(at+survivor, len(in)); telling(classes[at:end]) {
			known[string(in[at:end])] = true
		}
	}
	return known
}

func survivors(known map[string]bool, out []rune, classes []class) []int {
	var at []int
	for i := range starts(len(out)) {
		end := min(i+survivor, len(out))
		if telling(classes[i:end]) && known[string(out[i:end])] {
			at = append(at, i)
		}
	}
	return at
}

// starts is the number of windows; a short text is one.
func starts(n int) int {
	if n == 0 {
		return 0
	}
	return max(1, n-survivor+1)
}

func telling(window []class) bool {
	drawn := 0
	for _, c := range window {
		if c != "" {
			drawn++
		}
	}
	return drawn >= min(3, len(window))
}
