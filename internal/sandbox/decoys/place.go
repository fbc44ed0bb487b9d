package decoys

import (
	"path"

	"github.com/mcpsf/mcpsf"
)

// Places are what a server can be told to work on: each is what its name says,
// the programs for its format accept it, and no secret is in or below Dir. All
// are absolute paths inside the sandbox.
type Places struct {
	// Dir is a folder of documents, File a text file in it.
	Dir, File string
	// NewFile does not exist; its folder does.
	NewFile string
	// Repo is the work tree of a git repository, Database an SQLite file.
	Repo, Database string
	// Image is a PNG. It and the others are in Dir.
	Image, PDF, JSON, CSV string
}

// The same places below the home directory.
const (
	projectDir = "Documents/projects"
	repoDir    = "code/webshop"
	shopFile   = "data/shop.db"
)

func places() Places {
	at := func(name ...string) string { return path.Join(mcpsf.Home, path.Join(name...)) }
	return Places{
		Dir:      at(projectDir),
		File:     at(projectDir, "notes.txt"),
		NewFile:  at(projectDir, "output.txt"),
		Repo:     at(repoDir),
		Database: at(shopFile),
		Image:    at(projectDir, "stand.png"),
		PDF:      at(projectDir, "offer.pdf"),
		JSON:     at(projectDir, "schedule.json"),
		CSV:      at(projectDir, "inventory.csv"),
	}
}
