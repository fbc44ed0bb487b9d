package userfile

import (
	_ "embed"
	"sync"

	"github.com/mcpsf/mcpsf/internal/wordlist"
)

//go:embed files.yaml
var filesFile []byte

// tables parses the embedded tables once.
//
//nolint:gochecknoglobals // read once like a regular expression, and never changed
var tables = sync.OnceValue(func() *fileTables { return wordlist.Must[fileTables](filesFile) })

// fileTables are the tables of files.yaml, which explains each.
type fileTables struct {
	PrivateFolders []string     `yaml:"private_folders"`
	Steering       wordlist.Set `yaml:"steering"`
	SteeringParts  []string     `yaml:"steering_parts"`
	Locations      []location   `yaml:"locations"`
}

// location is where secrets with a certain word in their name are stored.
type location struct {
	Word string `yaml:"word"`
	Path string `yaml:"path"`
}
