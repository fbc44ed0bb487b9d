package flows

import (
	"path"
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf"
)

// file adds a file that was opened.
func (r *reader) file(a *mcpsf.Access) {
	if !strings.HasPrefix(a.Name, "/") || r.isOwn(a.Name) {
		return
	}
	if a.Kind == mcpsf.AccessRead || isDatabaseFile(a.Name) {
		r.reads(a)
	}
	if arg := r.text[a.Tool]; a.Kind == mcpsf.AccessWrite && a.Tool != "" && arg.any && isShared(a.Name) {
		r.trait(a.Tool, Out, KindShared, Seen, because(a, "it wrote to %s, where others get files from%s", shown(a.Name), arg.with()))
	}
}

// reads adds a file whose content a tool can return.
func (r *reader) reads(a *mcpsf.Access) {
	by := a.Explanation.By
	given := by == mcpsf.ByArgument || by == mcpsf.ByConfiguration
	secret := a.Planted != "" && a.Planted != mcpsf.DecoyDocument
	kind, what := KindFile, "it read %s"
	if isDatabaseFile(a.Name) {
		kind, what = KindDatabase, "it opened the database %s"
	}
	e := because(a, what, shown(a.Name))
	switch {
	case a.Tool == "":
		// Any tool can return what was read once, before any call. Listing a
		// folder reveals no content.
		if a.Planted != "" && (given || by == mcpsf.ByNobody) {
			r.trait("", Private, kind, Seen, e)
		}
	case secret && by == mcpsf.ByNobody:
		r.trait(a.Tool, Private, KindSecret, Seen, e)
	case given:
		r.trait(a.Tool, Untrusted, kind, Seen, e)
		r.trait(a.Tool, Private, kind, Seen, e)
	case secret: // a credential that its own service receives
	case (by == mcpsf.ByNobody || by == mcpsf.ByPurpose) && (a.Planted != "" || isPersonal(a.Name)):
		r.trait(a.Tool, Private, kind, Seen, e)
	case by == mcpsf.ByNature && r.stores[a.Name]:
		r.trait(a.Tool, Private, KindStore, Seen, because(a, "it read what earlier calls left in %s", shown(a.Name)))
	}
}

// storesOf returns the server's own folders in the home that calls write to.
func storesOf(accesses []mcpsf.Access) map[string]bool {
	stores := map[string]bool{}
	for i := range accesses {
		a := &accesses[i]
		if a.Kind != mcpsf.AccessWrite || a.Tool == "" || a.Explanation.By != mcpsf.ByNature || a.Phase == mcpsf.PhaseInstall {
			continue
		}
		rest, ok := below(a.Name, mcpsf.Home)
		// The first program that needs a shared folder creates it. Settings and
		// caches hold no secrets.
		common := []string{"", ".local", ".local/share", ".local/state"}
		if !ok || slices.Contains(common, rest) || strings.HasPrefix(rest+"/", ".cache/") || strings.HasPrefix(rest+"/", ".config/") {
			continue
		}
		if _, own := below(a.Name, mcpsf.WorkDir); !own {
			stores[a.Name] = true
		}
	}
	return stores
}

// isOwn tells whether a file came with the server.
func (r *reader) isOwn(name string) bool {
	return slices.ContainsFunc(r.own, func(dir string) bool { _, ok := below(name, dir); return ok })
}

// isPersonal tells whether a file belongs to the user, and is no setting that
// programs read by default.
func isPersonal(name string) bool {
	rest, ok := below(name, mcpsf.Home)
	return ok && rest != "" && rest[0] != '.'
}

// isShared tells whether others receive the files of a folder: it is published,
// or synchronised with other machines.
func isShared(name string) bool {
	if rest, ok := below(name, mcpsf.Home); ok {
		top, _, _ := strings.Cut(rest, "/")
		switch top {
		case "Public", "public_html", "Sites", "Dropbox", "OneDrive", "Google Drive", "GoogleDrive", "Nextcloud", "ownCloud", "Sync", "MEGA", "iCloud Drive":
			return true
		}
		return false
	}
	return slices.ContainsFunc([]string{"/var/www", "/srv/www", "/srv/http", "/srv/ftp", "/usr/share/nginx/html"}, func(dir string) bool {
		_, ok := below(name, dir)
		return ok
	})
}

func isDatabaseFile(name string) bool {
	switch strings.ToLower(path.Ext(name)) {
	case ".db", ".db3", ".sqlite", ".sqlite3", ".duckdb", ".mdb", ".kuzu":
		return true
	}
	return false
}

// below returns the part of name after dir, if name is dir or below it.
func below(name, dir string) (rest string, ok bool) {
	rest, ok = strings.CutPrefix(name, dir)
	if !ok || rest != "" && rest[0] != '/' {
		return "", false
	}
	return strings.Trim(rest, "/"), true
}

// shown returns a path as the user would write it.
func shown(name string) string {
	if rest, ok := strings.CutPrefix(name, mcpsf.Home+"/"); ok {
		return "~/" + rest
	}
	return name
}
