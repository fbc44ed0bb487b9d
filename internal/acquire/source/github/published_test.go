package github

import (
	"archive/tar"
	"testing"
	"time"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/acquire/source/sourcetest"
)

func TestGitHubPublished(t *testing.T) {
	dated := func(name, text string, at time.Time) sourcetest.TarItem {
		i := sourcetest.TarFile(name, text)
		i.ModTime = at
		return i
	}
	manifest := `{"name": "root", "bin": "index.js"}`
	for name, tt := range map[string]struct {
		at, want time.Time
	}{
		"dated": {sourcetest.PublishedAt(), sourcetest.PublishedAt()}, "no date": {time.Unix(0, 0), time.Time{}},
	} {
		t.Run(name, func(t *testing.T) {
			h := newHub(t)
			h.commit(t, commitOne, []string{"HEAD"}, dated("index.js", "1", tt.at), dated("package.json", manifest, tt.at))
			opts := h.options(t, sourcetest.NewCache(t))
			sourcetest.WantPublished(t, tt.want, func(source string) (*mcpsf.Artifact, error) {
				a, _, err := h.resolve(t, source, opts)
				return a, err
			}, func() { h.api.Close(); h.files.Close() }, "github:owner/repo", "github:owner/repo", "github:owner/repo@"+commitOne)
		})
	}
	t.Run("archive of no commit", func(t *testing.T) {
		h := newHub(t)
		h.refs["HEAD"] = commitOne
		h.archives[commitOne] = sourcetest.Gzip(t, sourcetest.Tar(t, sourcetest.TarOther("x/", tar.TypeDir, ""), dated("x/index.js", "1", sourcetest.PublishedAt()), dated("x/package.json", manifest, sourcetest.PublishedAt())))
		a, _, err := h.resolve(t, "github:owner/repo", h.options(t, nil))
		sourcetest.Must(t, err)
		if !a.Origin.Published.IsZero() {
			t.Errorf("origin is %+v", a.Origin)
		}
	})
}
