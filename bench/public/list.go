package main

import (
	"bytes"
	"fmt"
	"os"
	"regexp"
	"slices"

	"go.yaml.in/yaml/v3"
)

// server is one entry of the list.
type server struct {
	// Source is what a user would type, with the version.
	Source string `yaml:"source"`
	// Why says what it is on the list for, where that is not obvious.
	Why string `yaml:"why"`
}

// pinned matches sources that are the same tomorrow.
var pinned = regexp.MustCompile(`^(npm:(@[\w.-]+/)?[\w.-]+@\d[\w.+-]*|pypi:[\w.-]+==\d[\w.+!-]*)$`)

// readList returns the sources.
func readList(file string) ([]string, error) {
	raw, err := os.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("reading the list: %w", err)
	}
	var list []server
	d := yaml.NewDecoder(bytes.NewReader(raw))
	d.KnownFields(true)
	if err := d.Decode(&list); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	var sources []string
	for _, s := range list {
		switch {
		case !pinned.MatchString(s.Source):
			return nil, fmt.Errorf("%s: %q is not of the form npm:NAME@VERSION or pypi:NAME==VERSION", file, s.Source)
		case slices.Contains(sources, s.Source):
			return nil, fmt.Errorf("%s: %s is in the list twice", file, s.Source)
		}
		sources = append(sources, s.Source)
	}
	return sources, nil
}
