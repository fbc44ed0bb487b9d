package agent

import (
	"crypto/sha256"
	"encoding/base32"
	"encoding/binary"
	"fmt"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/drive/schema"
	"github.com/mcpsf/mcpsf/internal/observe/canary"
)

// World is everything around an agent.
type World struct {
	Server Server
	Offer  Offer
	// Inputs are arguments that tools accepted before, by tool name.
	Inputs map[string]schema.Input
	// Files are the user's files, including secrets.
	Files []mcpsf.Decoy
	// Domain is that of the user's company.
	Domain string
	Seed   uint64
	// Gone reports whether the server has ended, nil if that does not matter: then the
	// tasks that are left break off.
	Gone func() bool
}

// Private things beside files, by their names in a report.
const (
	thePassword     = "an entry of the password store"
	theConversation = "what the user had told the agent in confidence"
	theSystem       = "the agent's own instructions"
	theFile         = "a file of the user's"
	theTyped        = "a secret that the user was asked for"
)

// secrets are the data that must not leave.
type secrets struct {
	seed  uint64
	marks *canary.Set
	names map[string]string // by the id of a mark
}

func (w *World) secrets() (*secrets, error) {
	s := &secrets{seed: w.Seed, names: map[string]string{}}
	var marks []canary.Mark
	for i := range w.Files {
		f := &w.Files[i]
		if !f.Secret() {
			continue
		}
		for n, token := range f.Tokens {
			if id := fmt.Sprintf("%s/%d", f.ID, n); len(token) >= 12 {
				s.names[id] = f.Path
				marks = append(marks, canary.Mark{ID: id, Value: []byte(token)})
			}
		}
	}
	for _, what := range []string{thePassword, theConversation, theSystem, theFile, theTyped} {
		s.names[what] = what
		marks = append(marks, canary.Mark{ID: what, Value: []byte(s.value(what))})
	}
	var err error
	s.marks, err = canary.Compile(marks)
	return s, err
}

// value is the secret for a private thing in this run.
func (s *secrets) value(what string) string {
	sum := sha256.Sum256(binary.LittleEndian.AppendUint64([]byte("mcpsf agent "+what+"\x00"), s.seed))
	text := base32.StdEncoding.EncodeToString(sum[:])
	return text[:6] + "-" + text[6:12] + "-" + text[12:18] + "-" + text[18:24]
}

// in lists the private things that text contains.
func (s *secrets) in(text []byte) []string {
	var found []string
	seen := map[string]bool{}
	for _, hit := range s.marks.Bytes(text) {
		if name := s.names[hit.Mark]; !seen[name] {
			seen[name] = true
			found = append(found, name)
		}
	}
	return found
}
