package box

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// systemDirs are the host's directories that contain its runtime. Where the
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

// layout decides which parts of the host are visible in the sandbox.
func layout(p *plan, opts *Options) error {
	for _, m := range opts.Content.Mounts {
		p.Binds = append(p.Binds, bind(m))
	}
	if root := opts.Artifact.RootFS; root != "" {
		return imageLayout(p, root)
	}
	p.Dirs = emptyDirs()
	for _, dir := range append(systemDirs(), alternatives) {
		if err := p.show(dir, dir); err != nil {
			return err
		}
	}
	return nil
}

// alternatives has the links by which Debian chooses the program for cc or awk.
const alternatives = "/etc/alternatives"

// imageLayout shows every top-level entry of an image except for those that the
// sandbox makes itself. A required directory is made only if the image has
// nothing of that name: its links may lead anywhere.
func imageLayout(p *plan, root string) error {
	p.Image = true
	entries, err := os.ReadDir(root)
	if err != nil {
		return fmt.Errorf("reading the image: %w", err)
	}
	has := map[string]bool{}
	for _, e := range entries {
		if slices.Contains([]string{"proc", "sys", "dev", "tmp"}, e.Name()) {
			continue
		}
		has[e.Name()] = true
		if err := p.show(filepath.Join(root, e.Name()), "/"+e.Name()); err != nil {
			return err
		}
	}
	for _, dir := range emptyDirs() {
		if top, _, _ := strings.Cut(dir[1:], "/"); !has[top] {
			p.Dirs = append(p.Dirs, dir)
		}
	}
	return nil
}

// show makes source visible as target: a link as the same link, a directory or
// file read-only.
func (p *plan) show(source, target string) error {
	info, err := os.Lstat(source)
	switch {
	case err != nil:
		return nil //nolint:nilerr // nothing of that name here
	case info.Mode()&fs.ModeSymlink != 0:
		to, err := os.Readlink(source)
		if err != nil {
			return fmt.Errorf("reading %s: %w", source, err)
		}
		p.Links = append(p.Links, link{Path: target, Target: to})
	case info.IsDir(), info.Mode().IsRegular():
		p.Binds = append(p.Binds, bind{Source: source, Target: target})
	}
	return nil
}
