package staging_test

import (
	"maps"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/mcpsf/mcpsf/internal/acquire/source/sourcetest"
)

func TestDigest(t *testing.T) {
	base := map[string]string{
		"server.js": "one",
		"bin/tool":  "+xtwo",
		"empty/":    "",
		"link":      "->server.js",
	}
	digest := func(t *testing.T, files map[string]string) string {
		t.Helper()
		a, err := resolve(t, sourcetest.Plant(t, files))
		sourcetest.Must(t, err)
		return a.Digest
	}
	// The digest is part of reports: it has to be the same on every machine
	// and in every version.
	const want = "sha256:5dc65cb29596de80409eb4d0d071834606033c882ede52a216dc832cc513d2b8"
	if got := digest(t, base); got != want {
		t.Errorf("digest is %s, want %s", got, want)
	}

	changes := map[string]func(map[string]string){
		"content":    func(f map[string]string) { f["server.js"] = "two" },
		"executable": func(f map[string]string) { f["bin/tool"] = "two" },
		"name":       func(f map[string]string) { f["bin/other"] = f["bin/tool"]; delete(f, "bin/tool") },
		"more":       func(f map[string]string) { f["more"] = "" },
		"directory":  func(f map[string]string) { delete(f, "empty/") },
		"link":       func(f map[string]string) { f["link"] = "->bin/tool" },
		"not a link": func(f map[string]string) { f["link"] = "one" },
		// File names cannot be chosen so that two trees have the same digest.
		"forged": func(f map[string]string) { f[`server.js" 644 3 `] = "one" },
	}
	seen := map[string]string{want: "the original"}
	for name, change := range changes {
		files := maps.Clone(base)
		change(files)
		got := digest(t, files)
		if other, ok := seen[got]; ok {
			t.Errorf("%s has the digest of %s", name, other)
		}
		seen[got] = name
	}
}

func TestDigestIgnoresWhatDoesNotTravel(t *testing.T) {
	files := map[string]string{"server.js": "one", "d/x": "+xtwo"}
	first, second := sourcetest.Plant(t, files), sourcetest.Plant(t, files)
	sourcetest.Must(t, os.Chmod(filepath.Join(second, "server.js"), 0o600))
	sourcetest.Must(t, os.Chmod(filepath.Join(second, "d/x"), 0o700))
	sourcetest.Must(t, os.Chmod(filepath.Join(second, "d"), 0o700))
	sourcetest.Must(t, os.Chtimes(filepath.Join(second, "server.js"), time.Unix(1, 0), time.Unix(1, 0)))
	sourcetest.PlantOne(t, second, ".git/HEAD", "x")

	a, err := resolve(t, first)
	sourcetest.Must(t, err)
	b, err := resolve(t, second)
	sourcetest.Must(t, err)
	if a.Digest != b.Digest {
		t.Errorf("digests differ: %s and %s", a.Digest, b.Digest)
	}
	// The staged copy has the digest of the original.
	c, err := resolve(t, a.Dir)
	sourcetest.Must(t, err)
	if a.Digest != c.Digest {
		t.Errorf("the copy has another digest: %s and %s", a.Digest, c.Digest)
	}
}
