package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// pack is a package of a tree.
type pack struct{ Ecosystem, Name, Version string }

func (p pack) String() string { return p.Ecosystem + " " + p.Name + "@" + p.Version }

// listed returns what the installer itself recorded, so that the expected
// packages come from neither scanner.
func listed(dir string) ([]pack, error) {
	all, err := listedByNPM(filepath.Join(dir, "node_modules", ".package-lock.json"))
	if errors.Is(err, fs.ErrNotExist) {
		all, err = listedByPip(filepath.Join(dir, "site-packages"))
	}
	slices.SortFunc(all, func(a, b pack) int { return strings.Compare(a.String(), b.String()) })
	return slices.Compact(all), err
}

func listedByNPM(file string) ([]pack, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var lock struct {
		Packages map[string]struct{ Name, Version string }
	}
	if err := json.Unmarshal(data, &lock); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	var all []pack
	for place, p := range lock.Packages {
		name := p.Name // set if it differs from the folder's name
		if name == "" {
			name, _ = behind(place, "node_modules/")
		}
		all = append(all, pack{"npm", name, p.Version})
	}
	return all, nil
}

// behind returns the part after the last separator.
func behind(s, sep string) (rest string, found bool) {
	i := strings.LastIndex(s, sep)
	if i < 0 {
		return "", false
	}
	return s[i+len(sep):], true
}

func listedByPip(dir string) ([]pack, error) {
	files, err := filepath.Glob(filepath.Join(dir, "*.dist-info", "METADATA"))
	if err != nil || len(files) == 0 {
		return nil, errors.Join(err, fmt.Errorf("%s has no packages", dir))
	}
	var all []pack
	for _, file := range files {
		p, err := metadata(file)
		if err != nil {
			return nil, err
		}
		all = append(all, p)
	}
	return all, nil
}

// metadata reads name and version from a Python package's metadata.
func metadata(file string) (pack, error) {
	f, err := os.Open(file)
	if err != nil {
		return pack{}, err
	}
	defer f.Close()
	p := pack{Ecosystem: "PyPI"}
	lines := bufio.NewScanner(f)
	for lines.Scan() && lines.Text() != "" {
		switch key, value, _ := strings.Cut(lines.Text(), ": "); key {
		case "Name":
			p.Name = plain(value)
		case "Version":
			p.Version = value
		}
	}
	return p, lines.Err()
}

// plain returns a Python package's name as PEP 503 compares it.
func plain(name string) string {
	parts := strings.FieldsFunc(strings.ToLower(name), func(r rune) bool { return strings.ContainsRune("-_.", r) })
	return strings.Join(parts, "-")
}
