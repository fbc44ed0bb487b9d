package server

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base32"
	"net/http"
	"slices"
	"strings"
	"unicode"

	"github.com/mcpsf/mcpsf/internal/lazyregexp"
	"github.com/mcpsf/mcpsf/internal/service/job"
	"github.com/mcpsf/mcpsf/internal/service/store"
)

// maxKeyName is how long the name of a key may be, in bytes.
// no gap: bounds requests to the service and what its pages show, not what a run sees
const maxKeyName = 100

// alphabet is what ids of keys are made of. It has 32 letters, so that a random
// byte chooses each of them equally often.
const alphabet = "abcdefghijkmnpqrstuvwxyz23456789"

// NewKey generates a key. The text is for its owner and is shown once; the store
// keeps the hash.
func NewKey(project, name string, role job.Role) (k *job.Key, text string, hash []byte) {
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

// Keys lists, creates and revokes the keys of a project.
type Keys struct {
	store  *store.Store
	bodies *bodyReader
}

// Create makes a key for the project of by. The text is shown once.
func (ks *Keys) Create(ctx context.Context, by *job.Key, name string, role job.Role) (k *job.Key, text string, err error) {
	switch {
	case name == "" || len(name) > maxKeyName || strings.ContainsFunc(name, func(c rune) bool { return !unicode.IsPrint(c) }):
		return nil, "", badRequest("name must be printable text of 1 to %d bytes", maxKeyName)
	case !slices.Contains(job.Roles(), role):
		return nil, "", badRequest("role must be reader, submitter or admin")
	}
	made, text, hash := NewKey(by.Project, name, role)
	if err := ks.store.AddKey(ctx, made, hash); err != nil {
		return nil, "", err
	}
	k, _, err = ks.store.Key(ctx, made.ID)
	return k, text, err
}

var keyID = lazyregexp.New(`^[a-z0-9]{12}$`)

// Revoke ends a key of the project of by, and its sessions.
func (ks *Keys) Revoke(ctx context.Context, by *job.Key, id string) error {
	if !keyID.MatchString(id) {
		return notFound()
	}
	return ks.store.RevokeKey(ctx, by.Project, id)
}

func (ks *Keys) list(w http.ResponseWriter, r *http.Request, k *job.Key) error {
	keys, err := ks.store.Keys(r.Context(), k.Project)
	if err != nil {
		return err
	}
	return writeJSON(w, http.StatusOK, struct {
		Keys []job.Key `json:"keys"`
	}{keys})
}

func (ks *Keys) create(w http.ResponseWriter, r *http.Request, k *job.Key) error {
	var wanted struct {
		Name string   `json:"name"`
		Role job.Role `json:"role"`
	}
	if err := ks.bodies.json(w, r, &wanted); err != nil {
		return err
	}
	stored, text, err := ks.Create(r.Context(), k, wanted.Name, wanted.Role)
	if err != nil {
		return err
	}
	return writeJSON(w, http.StatusCreated, struct {
		*job.Key

		// Secret is shown here and never again.
		Secret string `json:"secret"`
	}{stored, text})
}

func (ks *Keys) revoke(w http.ResponseWriter, r *http.Request, k *job.Key) error {
	if err := ks.Revoke(r.Context(), k, r.PathValue("id")); err != nil {
		return err
	}
	w.WriteHeader(http.StatusNoContent)
	return nil
}
