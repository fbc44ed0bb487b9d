// Package packagefiles reads the documentation and metadata of a package.
package packagefiles

import (
	"io"
	"io/fs"
	"os"
	"path"
	"strings"
)

// maxText bounds how much of a file is read.
// no gap: reads what excuses contact; reading less excuses less
const maxText = 1 << 20

// Read reads the beginning of a file, nil if there is none.
func Read(root *os.Root, name string) []byte {
	f, err := root.Open(name)
	if err != nil {
		return nil
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxText)) //nolint:forbidigo // limited
	if err != nil {
		return nil
	}
	return data
}

// Readme returns the README of a package; in a wheel it is part of the metadata.
func Readme(root *os.Root) []byte {
	entries, err := fs.ReadDir(root.FS(), ".")
	if err != nil {
		return nil
	}
	for _, e := range entries {
		if name := strings.ToLower(e.Name()); strings.HasPrefix(name, "readme") && e.Type().IsRegular() {
			return Read(root, e.Name())
		}
	}
	for _, e := range entries {
		if e.IsDir() && path.Ext(e.Name()) == ".dist-info" {
			return Read(root, path.Join(e.Name(), "METADATA"))
		}
	}
	return Read(root, "PKG-INFO")
}
