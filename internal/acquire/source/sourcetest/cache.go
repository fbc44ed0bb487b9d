package sourcetest

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

// Cache keeps files by the hash of their key, so that code that relies on their
// names fails.
type Cache struct {
	dir   string
	Notes map[string][]byte
	// Full makes Put fail.
	Full bool
}

// NewCache returns an empty cache.
func NewCache(t testing.TB) *Cache {
	t.Helper()
	return &Cache{dir: t.TempDir(), Notes: map[string][]byte{}}
}

// Path is the path of the file for a key.
func (c *Cache) Path(key string) string {
	return filepath.Join(c.dir, fmt.Sprintf("%x", sha256.Sum256([]byte(key))))
}

// Get returns the file for a key.
func (c *Cache) Get(key string) (string, []byte, bool) {
	_, err := os.Stat(c.Path(key))
	return c.Path(key), c.Notes[key], err == nil
}

// Put moves a file into the cache.
func (c *Cache) Put(key, path string, note []byte) (string, error) {
	if c.Full {
		return "", errors.New("no space")
	}
	c.Notes[key] = note
	return c.Path(key), os.Rename(path, c.Path(key))
}
