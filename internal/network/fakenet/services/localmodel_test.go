package services_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/mcpsf/mcpsf/internal/network/fakenet/services"
)

func TestLocalModel(t *testing.T) {
	s := services.New(&services.Options{Seed: 1, Now: func() time.Time { return time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC) }})
	for _, tt := range []struct{ method, path, body, want string }{
		{http.MethodPost, "/api/chat", `{"model":"a secret","stream":false,"messages":[]}`, `"message":{"content":"Everything`},
		{http.MethodPost, "/api/chat", `{"model":"a secret","messages":[]}`, "\n{"},
		{http.MethodPost, "/api/generate", `{"prompt":"a secret","stream":false}`, `"response":"Everything`},
		{http.MethodGet, "/api/tags", ``, `"models":[{`},
		{http.MethodPost, "/api/embed", `{"input":"a secret"}`, `"embeddings":[[`},
	} {
		r := &services.Request{Method: tt.method, Target: tt.path, Path: tt.path, Scheme: "http", Host: "localhost:11434", Query: url.Values{}, Kept: []byte(tt.body)}
		if a := s.Reply(r); a.Status != http.StatusOK || !strings.Contains(string(a.Body), tt.want) || strings.Contains(string(a.Body), "secret") {
			t.Errorf("%s: %d %s", tt.path, a.Status, a.Body)
		}
	}
}
