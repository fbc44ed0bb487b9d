package mcpsf

import (
	"path"
	"strings"
)

// BrowserScript is the script inside the sandbox that starts the host's browser. It
// is where Google's own start script is.
const BrowserScript = "/opt/google/chrome/google-chrome"

// BrowserFolder is the folder of a browser's program and of the programs that it
// starts for its own work, "" if there is no browser.
func BrowserFolder(program string) string {
	if program == "" {
		return ""
	}
	return path.Dir(program)
}

// IsBrowser reports whether a program inside the sandbox belongs to the browser that
// [SandboxDetail] names.
func IsBrowser(name, browser string) bool {
	return browser != "" && strings.HasPrefix(path.Clean(name), BrowserFolder(browser)+"/")
}
