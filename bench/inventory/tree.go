package main

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
)

// perPackage is how many files a package has besides its package.json; real
// trees have about thirty.
const perPackage = 30

// entry is an entry of a lock file.
type entry struct {
	Name            string            `json:"name,omitempty"`
	Version         string            `json:"version"`
	Resolved        string            `json:"resolved,omitempty"`
	Integrity       string            `json:"integrity,omitempty"`
	License         string            `json:"license,omitempty"`
	Dev             bool              `json:"dev,omitempty"`
	Dependencies    map[string]string `json:"dependencies,omitempty"`
	DevDependencies map[string]string `json:"devDependencies,omitempty"` //nolint:tagliatelle // npm's own name
}

// write generates a project: every package depends on up to five of those after
// it, so that there are no cycles and dependency paths are long.
func write(dir string, packages int) error {
	random := rand.New(rand.NewPCG(1, 2))
	root := entry{Name: "server", Version: "1.0.0", Dependencies: map[string]string{}, DevDependencies: map[string]string{}}
	lock := map[string]entry{}
	for i := range packages {
		e := entry{
			Version: fmt.Sprintf("1.%d.0", i), License: "MIT", Integrity: "sha512-z4PhNX7vuL3xVChQ1m2AB9Yg5AULVxXcg/SpIdNs6c5H0NE8XYXysP+DGNKHfuwvY7kxvUdBeoGlODJ6+SfaPg==",
			Resolved: fmt.Sprintf("https://registry.example/%s/-/package-%d-1.%d.0.tgz", name(i), i, i), Dependencies: map[string]string{},
		}
		for range random.IntN(6) {
			if to := i + 1 + random.IntN(packages); to < packages {
				e.Dependencies[name(to)] = "^1.0.0"
			}
		}
		switch {
		case i < 40:
			root.Dependencies[name(i)] = "^1.0.0"
		case i < 60:
			root.DevDependencies[name(i)] = "^1.0.0"
		}
		lock["node_modules/"+name(i)] = e
		if err := writePackage(filepath.Join(dir, "node_modules", name(i)), name(i), e); err != nil {
			return err
		}
	}
	if err := writeJSON(filepath.Join(dir, "package.json"), root); err != nil {
		return err
	}
	lock[""] = root
	return writeJSON(filepath.Join(dir, "package-lock.json"), map[string]any{"name": "server", "lockfileVersion": 3, "packages": lock})
}

func name(i int) string {
	if i%5 == 0 {
		return fmt.Sprintf("@scope/package-%d", i)
	}
	return fmt.Sprintf("package-%d", i)
}

func writePackage(dir, name string, e entry) error {
	if err := os.MkdirAll(filepath.Join(dir, "dist"), 0o755); err != nil {
		return err
	}
	e.Name, e.Resolved, e.Integrity = name, "", ""
	for i := range perPackage {
		if err := os.WriteFile(filepath.Join(dir, "dist", fmt.Sprintf("file%d.js", i)), []byte("export {}\n"), 0o644); err != nil {
			return err
		}
	}
	return writeJSON(filepath.Join(dir, "package.json"), e)
}

func writeJSON(file string, v any) error {
	data, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(file, data, 0o644)
}
