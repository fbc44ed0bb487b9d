package sourcetest

import (
	"testing"
	"time"

	"github.com/mcpsf/mcpsf"
)

// PublishedAt is a plausible publication date.
func PublishedAt() time.Time { return time.Date(2025, 3, 1, 12, 0, 0, 0, time.UTC) }

// WantPublished expects the same date for every request, the later ones without
// network.
func WantPublished(t testing.TB, want time.Time, fetch func(source string) (*mcpsf.Artifact, error), down func(), sources ...string) {
	t.Helper()
	for i, source := range sources {
		if i == 1 {
			down()
		}
		a, err := fetch(source)
		if err != nil {
			t.Fatalf("%s: %v", source, err)
		}
		if !a.Origin.Published.Equal(want) || a.Origin.Offline != (i > 0) {
			t.Errorf("%s: %+v, want it of %v", source, a.Origin, want)
		}
	}
}
