package program

import (
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/mcpsf/mcpsf/internal/acquire/cache"
	"github.com/mcpsf/mcpsf/internal/assess/saved"
)

// OpenCache opens the user's cache as the environment describes it.
func (p *Program) OpenCache(logger *slog.Logger) (*cache.Cache, error) {
	limit := int64(cache.DefaultLimit)
	if s := p.Getenv("MCPSF_CACHE_SIZE"); s != "" {
		n, err := ParseSize(strings.ToLower(s))
		if err != nil {
			return nil, Usage(fmt.Errorf("MCPSF_CACHE_SIZE takes a size such as 500m or 20g, not %q", s))
		}
		limit = n
	}
	dir, err := cache.DefaultDir(p.Getenv, os.Getuid())
	if err != nil {
		return nil, err
	}
	c, err := cache.Open(dir, logger)
	if err != nil {
		return nil, err
	}
	c.SetLimit(limit)
	return c, nil
}

// SavedConfigurations are the user's saved configurations.
func (p *Program) SavedConfigurations() (*saved.Store, error) {
	dir, err := saved.Dir(p.Getenv)
	if err != nil {
		return nil, err
	}
	return saved.New(dir), nil
}

// TempDir is the directory of running assessments.
func TempDir() string { return filepath.Join(os.TempDir(), "mcpsf-"+strconv.Itoa(os.Getuid())) }

// ParseSize parses 512m, 2g or a number of bytes.
func ParseSize(s string) (int64, error) {
	shift := 0
	switch {
	case strings.HasSuffix(s, "g"):
		s, shift = strings.TrimSuffix(s, "g"), 30
	case strings.HasSuffix(s, "m"):
		s, shift = strings.TrimSuffix(s, "m"), 20
	}
	n, err := strconv.ParseInt(s, 10, 32+8)
	if err != nil || n < 0 || n > 1<<40>>shift {
		return 0, fmt.Errorf("not a size: %q", s)
	}
	return n << shift, nil
}
