package box

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/sys/unix"
)

// assembleRoot builds the root file system in the supervisor's own mount
// namespace: an empty file system in memory, with the host's runtime mounted
// read-only, and without any home, /etc, /var or /run of the host.
func assembleRoot(p *plan) error {
	if err := unix.Mount("", "/", "", unix.MS_REC|unix.MS_PRIVATE, ""); err != nil {
		return fmt.Errorf("making mounts private: %w", err)
	}
	if err := ownPlace(p); err != nil {
		return err
	}
	root := rootDir(p)
	if err := unix.Mount("tmpfs", root, "tmpfs", unix.MS_NOSUID|unix.MS_NODEV, "mode=0755,size=16m"); err != nil {
		return fmt.Errorf("mounting the root: %w", err)
	}
	for _, d := range p.Dirs {
		if err := os.MkdirAll(filepath.Join(root, d), 0o755); err != nil {
			return fmt.Errorf("making %s: %w", d, err)
		}
	}
	for _, l := range p.Links {
		if err := os.Symlink(l.Target, filepath.Join(root, l.Path)); err != nil {
			return fmt.Errorf("linking %s: %w", l.Path, err)
		}
	}
	for _, b := range p.Binds {
		if err := bindReadOnly(b.Source, filepath.Join(root, b.Target)); err != nil {
			return err
		}
	}
	return nil
}

// ownPlace mounts a file system in memory, which only this mount namespace
// sees, over a directory that nothing in here needs. gVisor keeps its files
// there; they vanish with the last process.
func ownPlace(p *plan) error {
	for _, dir := range []string{"/mnt", "/media", "/srv", "/run", "/tmp"} {
		if info, err := os.Lstat(dir); err != nil || !info.IsDir() || needed(p, dir) {
			continue
		}
		if err := unix.Mount("tmpfs", dir, "tmpfs", unix.MS_NOSUID|unix.MS_NODEV, "mode=0755,size=64m"); err != nil {
			return fmt.Errorf("mounting a place to work in: %w", err)
		}
		p.dir = dir
		for _, sub := range []string{rootDir(p), bundleDir(p)} {
			if err := os.Mkdir(sub, 0o755); err != nil {
				return fmt.Errorf("making %s: %w", sub, err)
			}
		}
		return nil
	}
	return errors.New("the host has none of /mnt, /media, /srv, /run, /tmp")
}

func bindReadOnly(source, target string) error {
	if err := mountPoint(source, target); err != nil {
		return fmt.Errorf("making %s: %w", target, err)
	}
	if err := unix.Mount(source, target, "", unix.MS_BIND|unix.MS_REC, ""); err != nil {
		return fmt.Errorf("binding %s: %w", source, err)
	}
	attr := &unix.MountAttr{Attr_set: unix.MOUNT_ATTR_RDONLY | unix.MOUNT_ATTR_NOSUID | unix.MOUNT_ATTR_NODEV}
	if err := unix.MountSetattr(unix.AT_FDCWD, target, unix.AT_RECURSIVE, attr); err != nil {
		return fmt.Errorf("making %s read-only (needs Linux 5.12): %w", source, err)
	}
	return nil
}

// mountPoint makes the mount point for source: a directory or a file.
func mountPoint(source, target string) error {
	info, err := os.Stat(source)
	if err != nil {
		return err
	}
	if info.IsDir() {
		return os.MkdirAll(target, 0o755)
	}
	if err := os.MkdirAll(filepath.Dir(target), 0o755); err != nil {
		return err
	}
	return os.WriteFile(target, nil, 0o755)
}

// needed reports whether something below dir is still to be mounted.
func needed(p *plan, dir string) bool {
	return slices.ContainsFunc(p.Binds, func(b bind) bool { return strings.HasPrefix(b.Source, dir+"/") })
}
