package browser

import (
	"os"
	"path"

	"github.com/mcpsf/mcpsf/internal/sandbox/box"
)

// Browser is a browser of the host.
type Browser struct {
	// Program is its path in the sandbox.
	Program string
	// Mounts show what of it the sandbox does not show anyway.
	Mounts []box.Mount
	// fetched says that it is none of the host's, and brings its own libraries.
	fetched bool
}

// shownAt is where a browser appears that is outside the system's folders.
const shownAt = "/opt/google/chrome-linux"

// programs are where distributions and Google have the program itself: not the
// script in /usr/bin, and no snap, which needs its own system.
func programs() []string {
	return []string{
		"/usr/lib/chromium/chromium", "/usr/lib64/chromium/chromium",
		"/usr/lib/chromium-browser/chromium-browser", "/usr/lib64/chromium-browser/chromium-browser",
		"/usr/lib/chromium/chrome", "/usr/lib/chromium-browser/chrome",
		"/opt/google/chrome/chrome",
	}
}

// Find returns the host's browser, nil if it has none. Root is the host's root folder.
func Find(root string) *Browser {
	for _, program := range programs() {
		info, err := os.Stat(path.Join(root, program))
		if err != nil || !info.Mode().IsRegular() || info.Mode()&0o111 == 0 {
			continue
		}
		b := &Browser{Program: program}
		if dir := path.Dir(program); path.Dir(dir) == "/opt/google" {
			b.Program = path.Join(shownAt, path.Base(program))
			b.Mounts = append(b.Mounts, box.Mount{Source: path.Join(root, dir), Target: shownAt})
		}
		if fonts := path.Join(root, "/etc/fonts"); isDir(fonts) { // which fonts there are, not whose
			b.Mounts = append(b.Mounts, box.Mount{Source: fonts, Target: "/etc/fonts"})
		}
		return b
	}
	return nil
}

// Fetched returns a browser that was fetched into a folder of the host: the program
// "chromium", its libraries in "lib" and its fonts.
func Fetched(dir string) *Browser {
	return &Browser{Program: path.Join(shownAt, "chromium"), Mounts: []box.Mount{{Source: dir, Target: shownAt}}, fetched: true}
}

func isDir(name string) bool {
	info, err := os.Stat(name)
	return err == nil && info.IsDir()
}
