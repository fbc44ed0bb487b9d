package server

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base32"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/mcpsf/mcpsf/internal/service/job"
)

// maxName is how long the name of a key may be.
const maxName = 100

// alphabet is what ids of keys are made of. It has 32 letters, so that a byte
// chooses each of them as often.
const alphabet = "abcdefghijkmnpqrstuvwxyz23456789"

// Mint makes a key. The text is for its owner and is told once; the store keeps
// the hash.
func Mint(project, name string, role job.Role) (k *job.Key, text string, hash []byte) {
	id := make([]byte, 12)
	_, _ = rand.Read(id) // it never fails
	for i, b := range id {
		id[i] = alphabet[int(b)%len(alphabet)]
	}
	raw := make([]byte, 32)
	_, _ = rand.Read(raw)
	secret := strings.ToLower(base32.StdEncoding.WithPadding(base32.NoPadding).EncodeToString(raw))
	sum := sha256.Sum256([]byte(secret))
	return &job.Key{ID: string(id), Project: project, Name: name, Role: role}, "mcpsf_" + string(id) + "_" + secret, sum[:]
}

func (s *Server) listKeys(w http.ResponseWriter, r *http.Request, k *job.Key) error {
	keys, err := s.o.Store.Keys(r.Context(), k.Project)
	if err != nil {
		return err
	}
	return writeJSON(w, http.StatusOK, struct {
		Keys []job.Key `json:"keys"`
	}{keys})
}

func (s *Server) addKey(w http.ResponseWriter, r *http.Request, k *job.Key) error {
	var asked struct {
		Name string   `json:"name"`
		Role job.Role `json:"role"`
	}
	if err := s.readJSON(w, r, &asked); err != nil {
		return err
	}
	stored, text, err := s.AddKey(r.Context(), k, asked.Name, asked.Role)
	if err != nil {
		return err
	}
	return writeJSON(w, http.StatusCreated, struct {
		*job.Key

		// Secret is told here and never again.
		Secret string `json:"secret"`
	}{stored, text})
}

// AddKey makes a key for the project of whoever asks. The text is told once.
func (s *Server) AddKey(ctx context.Context, by *job.Key, name string, role job.Role) (k *job.Key, text string, err error) {
	switch {
	case name == "" || len(name) > maxName || strings.ContainsFunc(name, func(c rune) bool { return !unicode.IsPrint(c) }):
		return nil, "", badRequest("name is a text of at most %d bytes that can be printed", maxName)
	case !slices.Contains(job.Roles(), role):
		return nil, "", badRequest("role is reader, submitter or admin")
	}
	made, text, hash := Mint(by.Project, name, role)
	if err := s.o.Store.AddKey(ctx, made, hash); err != nil {
		return nil, "", err
	}
	k, _, err = s.o.Store.Key(ctx, made.ID)
	return k, text, err
}

var keyID = regexp.MustCompile(`^[a-z0-9]{12}$`)

func (s *Server) revokeKey(w http.ResponseWriter, r *http.Request, k *job.Key) error {
	if err := s.RevokeKey(r.Context(), k, r.PathValue("id")); err != nil {
		return err
	}
	w.WriteHeader(http.StatusNoContent)
	return nil
}

// RevokeKey ends a key of the project of whoever asks, and its sessions.
func (s *Server) RevokeKey(ctx context.Context, by *job.Key, id string) error {
	if !keyID.MatchString(id) {
		return noSuchThing()
	}
	return s.o.Store.RevokeKey(ctx, by.Project, id)
}
