package browser

import (
	"encoding/json"
	"io"
	"io/fs"
	"path"
	"slices"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/lazyregexp"
)

// Libraries are those that look for a browser of their own.
type Libraries struct {
	// Playwright are the revisions that it looks for.
	Playwright []string
	// Puppeteer says that it is there.
	Puppeteer bool
	// Others says that another library is there that starts or controls a browser.
	Others bool
}

// Any tells whether there is one of them.
func (l *Libraries) Any() bool { return len(l.Playwright) > 0 || l.Puppeteer || l.Others }

const (
	// maxRevisions bounds the revisions, of which each installed Playwright has one.
	// no gap: a browser that is not found there is a tool that did not work, and coverage lists it
	maxRevisions = 8
	// maxList bounds the list of browsers that Playwright has.
	// no gap: as above
	maxList = 1 << 20
)

// Look finds the libraries in the files of a server. The server wrote them: they
// decide nothing but where links lie.
func Look(files fs.FS) *Libraries {
	l := &Libraries{}
	_ = fs.WalkDir(files, ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return nil //nolint:nilerr // what cannot be read has no library
		case d.IsDir():
			if path.Base(path.Dir(name)) == "node_modules" {
				l.note(path.Base(name))
			}
		case path.Base(name) == "browsers.json" && len(l.Playwright) < maxRevisions:
			l.add(revisions(files, name))
		}
		return nil
	})
	return l
}

func (l *Libraries) note(module string) {
	switch module {
	case "puppeteer":
		l.Puppeteer = true
	case "puppeteer-core", "chrome-launcher", "chrome-remote-interface", "chrome-devtools-mcp", "selenium-webdriver":
		l.Others = true
	}
}

func (l *Libraries) add(revisions []string) {
	for _, r := range revisions {
		if !slices.Contains(l.Playwright, r) && len(l.Playwright) < maxRevisions {
			l.Playwright = append(l.Playwright, r)
		}
	}
}

// revisions reads a list of browsers.
func revisions(files fs.FS, name string) []string {
	f, err := files.Open(name)
	if err != nil {
		return nil
	}
	defer f.Close()
	var list struct {
		Browsers []struct{ Name, Revision string }
	}
	if json.NewDecoder(io.LimitReader(f, maxList)).Decode(&list) != nil {
		return nil
	}
	var out []string
	for _, b := range list.Browsers {
		if (b.Name == "chromium" || b.Name == "chromium-headless-shell") && isRevision.MatchString(b.Revision) {
			out = append(out, b.Revision)
		}
	}
	return out
}

// isRevision keeps links where they belong.
var isRevision = lazyregexp.New(`^[0-9]{1,9}$`)

// paths are where the libraries expect the program. Older versions of Playwright
// name folders differently.
func (l *Libraries) paths() []string {
	var out []string
	for _, r := range l.Playwright {
		for _, name := range []string{
			"chromium-" + r + "/chrome-linux/chrome", "chromium-" + r + "/chrome-linux64/chrome", "chromium-" + r + "/chrome-linux-arm64/chrome",
			"chromium_headless_shell-" + r + "/chrome-linux/headless_shell",
			"chromium_headless_shell-" + r + "/chrome-headless-shell-linux64/chrome-headless-shell",
			"chromium_headless_shell-" + r + "/chrome-headless-shell-linux-arm64/chrome-headless-shell",
		} {
			out = append(out, path.Join(mcpsf.Home, ".cache/ms-playwright", name))
		}
	}
	return out
}

// Variables name the browser to libraries that look in a folder of which only they
// know the name.
func (l *Libraries) Variables() []string {
	if !l.Puppeteer {
		return nil
	}
	return []string{"PUPPETEER_EXECUTABLE_PATH=" + path.Join(path.Dir(mcpsf.BrowserScript), "chrome")}
}
