package attack

import (
	"path"
	"strings"
)

// File is a file to plant before the server starts, owned by the server's user.
type File struct {
	Path string
	// Content is that of a regular file; Link is the target of a symbolic link;
	// Dir marks a directory.
	Content []byte
	Link    string
	Dir     bool
}

// ended is how many of the secret files exist with every extension.
const ended = 48

// endings are extensions that tools require or append.
func endings() []string {
	return []string{".txt", ".md", ".json", ".csv", ".log", ".yaml", ".yml", ".xml", ".html", ".js", ".py", ".sql", ".db", ".png", ".jpg", ".pdf", ".xlsx", ".docx", ".pptx", ".mp4"}
}

// Files lists the files to plant, directories before their contents.
func (w *World) Files() []File {
	content := []byte("Nothing to see here.\n")
	all := []File{{Path: w.Outside, Dir: true}}
	for i := range secrets {
		all = append(all, File{Path: w.Secret(i), Content: content})
		for _, e := range endings() {
			if i < ended {
				all = append(all, File{Path: w.Secret(i) + e, Content: content})
			}
		}
	}
	for i := range vaults {
		all = append(all, File{Path: w.Vault(i), Dir: true}, File{Path: path.Join(w.Vault(i), twinFile), Content: content})
	}
	for _, root := range w.Roots {
		if root == "/" {
			continue
		}
		for _, t := range twins() {
			all = append(all, File{Path: w.twin(root, t), Dir: true}, File{Path: path.Join(w.twin(root, t), twinFile), Content: content})
		}
		all = append(all, File{Path: w.link(root), Link: w.Outside}, File{Path: w.den(root), Dir: true}, File{Path: w.odd(root), Dir: true})
		for _, e := range append(endings(), "") {
			all = append(all, File{Path: w.odd(root) + "/notes" + e, Content: content}, File{Path: w.leaf(root) + e, Link: w.Secret(leafSecret) + e})
		}
		for _, a := range w.archives() {
			all = append(all, File{Path: path.Join(w.den(root), a.name), Content: a.bytes})
		}
	}
	return all
}

// root returns the root that contains the ordinary value, or the first root.
func (w *World) root(p Place) string {
	v := p.text()
	for _, r := range w.Roots {
		if v == r || strings.HasPrefix(v, r+"/") {
			return r
		}
	}
	return w.Roots[0]
}

// twinFile is in every directory planted outside the roots.
const twinFile = "notes.txt"

// twins are suffixes of directories beside a root: a prefix comparison takes
// such a directory for the root, and so does one that trims.
func twins() []string { return []string{"-", " ", `"`, "'", "."} }

func (w *World) twin(root, more string) string {
	if more == "-" {
		more += w.word("twin", 0)
	}
	return root + more
}

// link is a symbolic link in a root that leads to Outside.
func (w *World) link(root string) string { return path.Join(root, w.word("link", 0)) }

// leafSecret is the file that [World.leaf] leads to.
const leafSecret = ended - 1

// leaf is a symbolic link in a root to a file outside, with an extension if one
// follows: a check of only the directory lets it pass.
func (w *World) leaf(root string) string { return path.Join(root, w.word("leaf", 0)) }

// den is the directory in a root that holds the other planted files.
func (w *World) den(root string) string { return path.Join(root, w.word("den", 0)) }

// odd is a directory whose name is a payload. It passes a tool's check that the
// file exists.
func (w *World) odd(root string) string {
	return path.Join(w.den(root), fill(anyQuoting, "", w.Program(oddProgram)))
}
