// Package packagefiles reads what a package says of itself in its documentation and metadata.
package packagefiles

import (
	"io"
	"io/fs"
	"os"
	"path"
	"strings"
)

// maxText bounds what is read of a text.
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

// Readme finds the README of a package, which a wheel has in its metadata.
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
