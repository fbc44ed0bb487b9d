package project

import (
	"encoding/json"
	"io/fs"
	"maps"
	"os"
	"path"
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/lazyregexp"
)

// Pin is a dependency of which a project wants one version and no other.
type Pin struct{ Name, Version string }

// maxPins bounds how many are returned.
// no gap: what is beyond is only not asked for its date
const maxPins = 40

var (
	// pythonPin is "name[extra]==1.2.3" in a list of requirements or a pyproject.toml.
	pythonPin = lazyregexp.New(`(?m)(?:^|["'])\s*([A-Za-z0-9][A-Za-z0-9._-]*)\s*(?:\[[^\]\n]*\])?\s*==\s*(\d[A-Za-z0-9.+!-]*)\s*(?:$|["';,#\s])`)
	// npmPin is one version in a package.json.
	npmPin = lazyregexp.New(`^\d+\.\d+\.\d+(?:-[0-9A-Za-z.-]+)?$`)
)

// Pins returns the direct dependencies of the project in a folder whose version its own
// manifests name exactly: it worked with these.
func Pins(dir string, in *mcpsf.Install) []Pin {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil
	}
	defer root.Close()
	found := map[string]string{}
	switch in.Manager {
	case mcpsf.ManagerNPM:
		var manifest struct{ Dependencies map[string]string }
		_ = json.Unmarshal(manifestOf(root, "package.json"), &manifest)
		for name, want := range manifest.Dependencies {
			if npmPin.MatchString(want) {
				found[name] = want
			}
		}
	case mcpsf.ManagerPip:
		for _, name := range []string{"pyproject.toml", path.Clean("/" + in.Requirements)[1:]} {
			for _, m := range pythonPin.FindAllStringSubmatch(string(manifestOf(root, name)), -1) {
				found[strings.ToLower(m[1])] = m[2]
			}
		}
	}
	var pins []Pin
	for _, name := range slices.Sorted(maps.Keys(found)) {
		if len(pins) < maxPins {
			pins = append(pins, Pin{name, found[name]})
		}
	}
	return pins
}

// manifestOf returns the content of a manifest, nil if there is none.
func manifestOf(root *os.Root, name string) []byte {
	if info, err := root.Stat(name); name == "" || err != nil || !info.Mode().IsRegular() || info.Size() > maxManifest {
		return nil
	}
	data, err := fs.ReadFile(root.FS(), name)
	if err != nil {
		return nil
	}
	return data
}
