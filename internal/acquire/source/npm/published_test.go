package npm

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/acquire/source/kind"
	"github.com/mcpsf/mcpsf/internal/acquire/source/sourcetest"
)

func TestNPMPublished(t *testing.T) {
	for name, tt := range map[string]struct {
		times any
		want  time.Time
	}{
		"dated":       {map[string]any{"created": "2011-01-01T00:00:00Z", "1.0.0": sourcetest.PublishedAt().Format(time.RFC3339), "0.9.0": "2012-01-01T00:00:00Z"}, sourcetest.PublishedAt()},
		"others only": {map[string]any{"created": "2011-01-01T00:00:00Z"}, time.Time{}},
		"no date":     {map[string]any{"1.0.0": []int{1}}, time.Time{}},
		"no list":     {"never", time.Time{}},
		"nothing":     {nil, time.Time{}},
	} {
		t.Run(name, func(t *testing.T) {
			s := newServer(t)
			s.publish("demo", "1.0.0", packageOf(t, "demo", "1.0.0", ""))
			s.documents["demo"]["time"] = tt.times
			s.answer = func(_ http.ResponseWriter, r *http.Request) bool {
				if strings.Contains(r.Header.Get("Accept"), "install-v1") {
					t.Error("asked for the form without dates")
				}
				return false
			}
			opts := kind.Options{Cache: sourcetest.NewCache(t), Registry: s.client(t)}
			sourcetest.WantPublished(t, tt.want, func(source string) (*mcpsf.Artifact, error) {
				a, _, err := s.fetch(t, source, opts)
				return a, err
			}, s.Close, "npm:demo", "npm:demo@1.0.0", "npm:demo")
		})
	}
}
