package decoys

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"math/rand/v2"
	"slices"
	"strings"
)

// Substitution replaces each secret of a home by its counterpart.
type Substitution struct{ replacer *strings.Replacer }

// Text replaces the secrets in a text.
func (s *Substitution) Text(text string) string { return s.replacer.Replace(text) }

// OtherSecrets returns the same home with other secrets: each token is replaced
// wherever it stands by one of the same length, a digit by a digit and a letter
// by a letter of the same case. Paths, names and documents stay, so that whatever
// a server does differently in it depends on a secret. Secrets of the services
// for which keep is true stay as well.
func (h *Home) OtherSecrets(seed uint64, keep func(services []string) bool) (*Home, *Substitution) {
	var key [32]byte
	binary.LittleEndian.PutUint64(key[:], seed)
	rng := rand.New(rand.NewChaCha8(key))
	tokens := h.secrets(keep)
	pairs := make([]string, 0, 2*len(tokens))
	for _, t := range tokens {
		pairs = append(pairs, t, counterpart(rng, t))
	}
	s := &Substitution{strings.NewReplacer(pairs...)}
	other := *h
	other.Decoys, other.Scenery, other.variables = slices.Clone(h.Decoys), slices.Clone(h.Scenery), slices.Clone(h.variables)
	for i := range other.Decoys {
		d := &other.Decoys[i]
		d.Content, d.Tokens = s.bytes(d.Content), s.all(d.Tokens)
	}
	for i := range other.Scenery {
		other.Scenery[i].Content = s.bytes(other.Scenery[i].Content)
	}
	for i := range other.variables {
		v := &other.variables[i]
		v.Value, v.Tokens = s.Text(v.Value), s.all(v.Tokens)
	}
	return &other, s
}

// secrets returns every secret once, the longest first: a token that contains
// another one is replaced as a whole.
func (h *Home) secrets(keep func(services []string) bool) []string {
	var all []string
	for _, d := range h.Decoys {
		if d.Secret() && !keep(d.Hosts) {
			all = append(all, d.Tokens...)
		}
	}
	for _, v := range h.variables {
		if !keep(v.Hosts) {
			all = append(all, v.Tokens...)
		}
	}
	slices.SortFunc(all, func(a, b string) int { return cmp.Or(cmp.Compare(len(b), len(a)), strings.Compare(a, b)) })
	return slices.Compact(all)
}

// Services returns the hosts that the home's secrets belong to.
func (h *Home) Services() []string {
	var all []string
	for _, d := range h.Decoys {
		all = append(all, d.Hosts...)
	}
	for _, v := range h.variables {
		all = append(all, v.Hosts...)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

func (s *Substitution) bytes(content []byte) []byte {
	if len(content) == 0 {
		return content
	}
	return bytes.Clone([]byte(s.Text(string(content))))
}

func (s *Substitution) all(tokens []string) []string {
	out := make([]string, len(tokens))
	for i, t := range tokens {
		out[i] = s.Text(t)
	}
	return out
}

// counterpart returns another token of the same form.
func counterpart(rng *rand.Rand, token string) string {
	out := []byte(token)
	hexadecimal := strings.Trim(token, hexits) == ""
	for i, c := range out {
		switch {
		case hexadecimal:
			out[i] = hexits[rng.IntN(len(hexits))]
		case c >= '0' && c <= '9':
			out[i] = digits[rng.IntN(len(digits))]
		case c >= 'a' && c <= 'z':
			out[i] = lower[rng.IntN(len(lower))]
		case c >= 'A' && c <= 'Z':
			out[i] = upper[rng.IntN(len(upper))]
		}
	}
	return string(out)
}
