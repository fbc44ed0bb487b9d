package sandbox

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// systemDirs are the host's directories that make up its runtime. Where the
// host has a link (/bin to usr/bin) the sandbox gets the same link.
func systemDirs() []string {
	return []string{"/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32"}
}

// emptyDirs exist in every root file system.
func emptyDirs() []string {
	return []string{
		"/etc", "/proc", "/sys", "/dev", "/tmp", "/run", "/root", "/mnt", "/media", "/opt", "/srv",
		"/var/tmp", "/var/log", "/var/lib", "/var/cache", "/var/spool", "/home",
	}
}

// layout decides what of the host the sandbox shows.
func layout(p *plan, runtime interpreter) error {
	p.Dirs = emptyDirs()
	for _, dir := range systemDirs() {
		info, err := os.Lstat(dir)
		switch {
		case err != nil:
			continue
		case info.Mode()&fs.ModeSymlink != 0:
			target, err := os.Readlink(dir)
			if err != nil {
				return fmt.Errorf("reading %s: %w", dir, err)
			}
			p.Links = append(p.Links, link{Path: dir, Target: target})
		case info.IsDir():
			p.Binds = append(p.Binds, bind{Source: dir, Target: dir})
		}
	}
	if runtime.Source != "" {
		p.Binds = append(p.Binds, bind{Source: runtime.Source, Target: runtime.Mount})
	}
	return nil
}

// underSystem reports whether a host path is inside what layout shows.
func underSystem(path string) bool {
	for _, dir := range systemDirs() {
		if strings.HasPrefix(path, dir+string(filepath.Separator)) {
			return true
		}
	}
	return false
}
