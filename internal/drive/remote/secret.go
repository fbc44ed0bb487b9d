package remote

import (
	"bytes"
	"encoding/json"
	"io"
	"net/url"
	"slices"
	"strings"
	"sync"
)

// leastSecret is the minimum length of a hidden value. A shorter one appears in
// ordinary text.
const leastSecret = 6

// hidden replaces a secret.
const hidden = "[secret]"

// Secrets are values that must not be written down. The zero value knows none;
// it is safe for concurrent use.
type Secrets struct {
	mu    sync.Mutex
	known []string
}

// Learn adds a secret, and the secret part of a header value.
func (s *Secrets) Learn(value string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	value = strings.TrimSpace(value)
	all := []string{value, url.QueryEscape(value), url.PathEscape(value)}
	if _, rest, ok := strings.Cut(value, " "); ok && !strings.Contains(rest, " ") {
		all = []string{rest, url.QueryEscape(rest), url.PathEscape(rest)} // "Bearer" is not secret
	}
	for _, v := range all {
		if len(v) >= leastSecret && !slices.Contains(s.known, v) {
			s.known = append(s.known, v)
		}
	}
	// The longest first: a secret may be part of another.
	slices.SortStableFunc(s.known, func(a, b string) int { return len(b) - len(a) })
}

// Known returns the secrets.
func (s *Secrets) Known() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.known)
}

// Hide replaces the secrets in a text.
func (s *Secrets) Hide(text string) string {
	for _, v := range s.Known() {
		text = strings.ReplaceAll(text, v, hidden)
	}
	return text
}

// Writer passes on each write with the secrets replaced.
func (s *Secrets) Writer(w io.Writer) io.Writer { return &hiding{s, w} }

type hiding struct {
	secrets *Secrets
	to      io.Writer
}

func (h *hiding) Write(p []byte) (int, error) {
	if _, err := io.WriteString(h.to, h.secrets.Hide(string(p))); err != nil {
		return 0, err
	}
	return len(p), nil
}

// Purge replaces the secrets in v. It encodes and decodes v as JSON, so v must
// survive that unchanged.
func Purge[T any](s *Secrets, v *T) error {
	raw, err := json.Marshal(v)
	if err != nil {
		return err
	}
	if !s.in(raw) {
		return nil
	}
	var tree any
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.UseNumber()
	if err := dec.Decode(&tree); err != nil {
		return err
	}
	if raw, err = json.Marshal(s.walk(tree)); err != nil {
		return err
	}
	var clean T
	if err := json.Unmarshal(raw, &clean); err != nil {
		return err
	}
	*v = clean
	return nil
}

// in reports whether JSON contains a secret, plain or escaped.
func (s *Secrets) in(raw []byte) bool {
	for _, v := range s.Known() {
		escaped, err := json.Marshal(v)
		if err != nil || bytes.Contains(raw, []byte(v)) || bytes.Contains(raw, bytes.Trim(escaped, `"`)) {
			return true
		}
	}
	return false
}

// walk hides secrets in every string. The decoder has bounded the nesting.
func (s *Secrets) walk(v any) any {
	switch v := v.(type) {
	case string:
		return s.Hide(v)
	case []any:
		for i := range v {
			v[i] = s.walk(v[i])
		}
	case map[string]any:
		clean := make(map[string]any, len(v))
		for key, value := range v {
			clean[s.Hide(key)] = s.walk(value)
		}
		return clean
	}
	return v
}
