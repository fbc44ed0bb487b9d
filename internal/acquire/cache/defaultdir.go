package cache

import (
	"path/filepath"

	"github.com/mcpsf/mcpsf"
)

// DefaultDir is the directory of the user's cache. For root it is a system
// directory: root's sandbox runs as another user, who cannot enter root's home.
func DefaultDir(getenv func(string) string, uid int) (string, error) {
	if dir := getenv("MCPSF_CACHE"); dir != "" {
		abs, err := filepath.Abs(dir)
		if err != nil {
			return "", unusable(dir, err)
		}
		return abs, nil
	}
	if uid == 0 {
		return "/var/cache/mcpsf", nil
	}
	if dir := getenv("XDG_CACHE_HOME"); filepath.IsAbs(dir) {
		return filepath.Join(dir, "mcpsf"), nil
	}
	if home := getenv("HOME"); filepath.IsAbs(home) {
		return filepath.Join(home, ".cache", "mcpsf"), nil
	}
	return "", &mcpsf.Error{
		Code:    mcpsf.CodeUsage,
		Message: "there is no place for the cache; set MCPSF_CACHE to a directory, or HOME",
	}
}
