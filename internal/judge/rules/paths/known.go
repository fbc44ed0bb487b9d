package paths

import (
	_ "embed"
	"sync"

	"github.com/mcpsf/mcpsf/internal/wordlist"
)

//go:embed known.yaml
var knownText []byte

// known returns the contents of known.yaml.
//
//nolint:gochecknoglobals // read once like a regular expression, and never changed
var known = sync.OnceValue(func() *lists { return wordlist.Must[lists](knownText) })

// lists are well-known files and folders.
type lists struct {
	HomeFiles         wordlist.Set `yaml:"home_files"`
	HomeFolders       []string     `yaml:"home_folders"`
	HomePatterns      []string     `yaml:"home_patterns"`
	SearchPath        []string     `yaml:"search_path"`
	ManagerCaches     []string     `yaml:"manager_caches"`
	PackageFolders    []string     `yaml:"package_folders"`
	ManagerFolders    wordlist.Set `yaml:"manager_folders"`
	SystemFiles       wordlist.Set `yaml:"system_files"`
	SystemFolders     []string     `yaml:"system_folders"`
	Acting            []acting     `yaml:"acting"`
	PythonFiles       wordlist.Set `yaml:"python_files"`
	PythonEndings     []string     `yaml:"python_endings"`
	PythonFolders     []string     `yaml:"python_folders"`
	PythonUsual       wordlist.Set `yaml:"python_usual"`
	DependencyFolders []string     `yaml:"dependency_folders"`
	Filling           string       `yaml:"filling"`
	ToolPlaces        []string     `yaml:"tool_places"`
	OthersNames       wordlist.Set `yaml:"others_names"`
	IncidentalParts   []string     `yaml:"incidental_parts"`
	IncidentalEndings []string     `yaml:"incidental_endings"`
}
