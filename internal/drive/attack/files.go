package attack

import (
	"path"
	"strings"
)

// File is something to plant before the server starts, owned by its user.
type File struct {
	Path string
	// Content of a regular file; Link is where a symbolic link leads; Dir is a
	// directory.
	Content []byte
	Link    string
	Dir     bool
}

// ended is how many of the secrets exist with every ending.
const ended = 48

// endings are what tools insist on, or append themselves.
func endings() []string {
	return []string{".txt", ".md", ".json", ".csv", ".log", ".yaml", ".yml", ".xml", ".html", ".js", ".py", ".sql", ".db", ".png", ".jpg", ".pdf", ".xlsx", ".docx", ".pptx", ".mp4"}
}

// Files lists what to plant, directories before what is in them.
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

// root is the root the ordinary value lies in, or the first one.
func (w *World) root(p Place) string {
	v := p.text()
	for _, r := range w.Roots {
		if v == r || strings.HasPrefix(v, r+"/") {
			return r
		}
	}
	return w.Roots[0]
}

// twinFile is in every directory that is planted outside.
const twinFile = "notes.txt"

// twins are what the name of a directory beside a root has more than the root:
// a comparison of beginnings takes them for the root, and so does one that
// trims.
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

// leaf is a symbolic link in a root that leads to a file outside, with an
// ending if one follows: a check of the directory alone lets it pass.
func (w *World) leaf(root string) string { return path.Join(root, w.word("leaf", 0)) }

// den is where what else is in a root lies.
func (w *World) den(root string) string { return path.Join(root, w.word("den", 0)) }

// odd is a directory whose name is a payload. A tool that first looks whether
// the file exists is content with it.
func (w *World) odd(root string) string {
	return path.Join(w.den(root), fill(anyQuoting, "", w.Program(oddProgram)))
}
