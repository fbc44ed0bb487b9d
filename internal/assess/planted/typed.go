package planted

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"strings"

	"github.com/mcpsf/mcpsf/internal/drive/session"
	"github.com/mcpsf/mcpsf/internal/observe/leak"
)

// The kinds of secrets in answers to the server's requests.
const (
	kindTyped  = "typed-secret"
	kindSpoken = "model-answer"
)

// Answers are what the user types and the model says when the server asks. They
// are unique to one run, so that they are recognised wherever they go.
type Answers struct {
	Typed session.Typed
	// Sampling is the model's answer.
	Sampling string
	// mark is the unique part of the model's answer.
	mark string
}

// NewAnswers makes the answers from a seed.
func NewAnswers(seed uint64) Answers {
	var key [32]byte
	binary.LittleEndian.PutUint64(key[:], seed)
	copy(key[8:], "typed")
	r := rand.New(rand.NewChaCha8(key))
	text := func(n int, alphabet string) string {
		b := make([]byte, n)
		for i := range b {
			b[i] = alphabet[r.IntN(len(alphabet))]
		}
		return string(b)
	}
	const lower, digits = "abcdefghijkmnopqrstuvwxyz", "0123456789"
	t := Answers{mark: text(4, lower) + text(4, digits) + text(10, lower)}
	t.Typed = session.Typed{
		Password: "Q" + text(7, lower) + "-" + text(4, digits) + "-" + text(5, lower),
		Key:      "sk-live-" + text(32, lower+digits),
		Card:     "4" + text(15, digits),
		Phrase:   words(r),
		Code:     text(10, digits),
	}
	t.Sampling = "I looked at it with care and think that it is fine as it is; there is nothing to add (reference " + t.mark + ")."
	return t
}

// words returns a recovery phrase.
func words(r *rand.Rand) string {
	const list = "abandon amber anchor basket bronze cactus candle copper desert dolphin ember fabric garden harbor island jungle kitten lemon marble nectar ocean pepper quartz ribbon saddle timber umbrella velvet walnut zebra"
	all := strings.Fields(list)
	r.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	return strings.Join(all[:12], " ")
}

// Marks returns the marks by which the answers are recognised.
func (t *Answers) Marks() []leak.Mark {
	s := &t.Typed
	var marks []leak.Mark
	for i, m := range []struct{ what, token string }{
		{"password", s.Password}, {"key", s.Key}, {"card number", s.Card}, {"recovery phrase", s.Phrase}, {"code", s.Code},
	} {
		marks = append(marks, leak.Mark{
			ID: fmt.Sprintf("typed-%02x", i+1), Kind: kindTyped, Source: "the " + m.what + " that was typed", Given: true, Tokens: []string{m.token},
		})
	}
	return append(marks, leak.Mark{ID: "spoken-01", Kind: kindSpoken, Source: "what the model said", Given: true, Tokens: []string{t.mark}})
}
