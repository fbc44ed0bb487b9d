package cache

import (
	"crypto/sha256"
	"encoding/hex"
	"log/slog"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/mcpsf/mcpsf"
)

// DefaultLimit is how many bytes a cache keeps unless [Cache.SetLimit] is
// called.
// no gap: what does not fit is fetched again
const DefaultLimit = 20 << 30

// The parts of a cache and of an entry.
const (
	entriesDir   = "entries"
	buildingDir  = "building"
	locksDir     = "locks"
	manifestName = "manifest"
	contentName  = "content"
	// advisoriesDir belongs to the advisory database; the cache neither counts
	// nor clears it.
	advisoriesDir = "advisories"
	// sourceDir has the results of analysing packages' source (package
	// analysiscache).
	sourceDir = "source"
)

// maxKey bounds a key, so that the header of a manifest stays small.
// no gap: what is larger is not cached, and fetched again
const maxKey = 8 << 10

// Kind says what an entry is.
type Kind string

// The kinds. The same key may be used for one of each.
const (
	KindFile Kind = "file"
	KindTree Kind = "tree"
)

// Cache is an open cache. All methods may be called concurrently.
type Cache struct {
	dir     *cacheDir
	entries *entryStore
	logger  *slog.Logger

	mu    sync.Mutex
	limit int64
	// held are the manifests of the files that were returned.
	held map[string]*os.File
}

// Open opens the cache in dir and removes what dead processes left there. A
// missing directory is made with the first entry, so that a run that keeps
// nothing leaves no empty cache behind. A nil logger is silent. What the user
// can fix is a [mcpsf.Error].
func Open(dir string, logger *slog.Logger) (*Cache, error) {
	if logger == nil {
		logger = slog.New(slog.DiscardHandler)
	}
	abs, err := filepath.Abs(dir)
	if err != nil {
		return nil, unusable(dir, err)
	}
	cd := &cacheDir{path: abs, uid: os.Getuid(), mode: 0o700, logger: logger}
	if cd.uid == 0 {
		cd.mode = 0o755
	}
	if cd.there() {
		if err := cd.ready(); err != nil {
			return nil, err
		}
	}
	return &Cache{
		dir: cd, entries: &entryStore{dir: cd, logger: logger, now: time.Now}, logger: logger,
		limit: DefaultLimit, held: map[string]*os.File{},
	}, nil
}

// Dir is the cache's directory.
func (c *Cache) Dir() string { return c.dir.path }

// AdvisoriesDir is the directory of the advisory database, which is neither
// counted nor cleared. It need not exist.
func (c *Cache) AdvisoriesDir() string { return filepath.Join(c.dir.path, advisoriesDir) }

// SourceDir is where the results of analysing packages' source are kept
// (package analysiscache). It is not counted, and need not exist.
func (c *Cache) SourceDir() string { return filepath.Join(c.dir.path, sourceDir) }

// MakeSourceDir makes [Cache.SourceDir], and the cache if there is none.
func (c *Cache) MakeSourceDir() error {
	if err := c.dir.ready(); err != nil {
		return err
	}
	return c.dir.makeDir(c.SourceDir(), 0o700)
}

// ForgetSource removes [Cache.SourceDir].
func (c *Cache) ForgetSource() error {
	if err := os.RemoveAll(c.SourceDir()); err != nil {
		return unusable(c.SourceDir(), bare(err))
	}
	return nil
}

// MakeAdvisoriesDir makes [Cache.AdvisoriesDir], and the cache if there is
// none.
func (c *Cache) MakeAdvisoriesDir() (string, error) {
	if err := c.dir.ready(); err != nil {
		return "", err
	}
	return c.AdvisoriesDir(), c.dir.makeDir(c.AdvisoriesDir(), c.dir.mode)
}

// SetLimit sets how many bytes are kept. Beyond that, the least recently used
// entries are removed first; entries in use stay.
func (c *Cache) SetLimit(bytes int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.limit = bytes
}

// Limit is how many bytes are kept.
func (c *Cache) Limit() int64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.limit
}

// Close releases the files that [Cache.Get] and [Cache.Put] returned. Trees
// have their own release function.
func (c *Cache) Close() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	for name, f := range c.held {
		_ = f.Close()
		delete(c.held, name)
	}
	return nil
}

// hold keeps the file called name from being removed until Close.
func (c *Cache) hold(name string, manifest *os.File) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if before := c.held[name]; before != nil {
		_ = before.Close()
	}
	c.held[name] = manifest
}

func (cd *cacheDir) entry(name string) string { return filepath.Join(cd.path, entriesDir, name) }

// nameOf hashes a key into a file name, so that a hostile key cannot choose a
// path.
func nameOf(kind Kind, key string) string {
	sum := sha256.Sum256([]byte(string(kind) + "\x00" + key))
	return hex.EncodeToString(sum[:])
}

func checkKey(key string) error {
	if key == "" || len(key) > maxKey {
		return &mcpsf.Error{Code: mcpsf.CodeInternal, Message: "a cache key is empty or too long"}
	}
	return nil
}
