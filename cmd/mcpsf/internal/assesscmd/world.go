package assesscmd

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/cmd/mcpsf/internal/program"
	"github.com/mcpsf/mcpsf/internal/sandbox/decoys"
	"github.com/mcpsf/mcpsf/internal/wording"
)

// Bounds of --world: its files are in memory, and written for every start.
const (
	maxWorldFiles = 5000     // no gap: more is an error
	maxWorldBytes = 64 << 20 // no gap: more is an error
)

// worldFiles reads the directory of --world: what is below it is put at the same
// place below the server's home. Links and devices are left out, so that nothing
// outside of the directory is read.
func worldFiles(dir string) ([]decoys.File, error) {
	if dir == "" {
		return nil, nil
	}
	root, err := openWorld(dir)
	if err != nil {
		return nil, program.Usage(fmt.Errorf("--world: %w", err))
	}
	defer func() { _ = root.Close() }()
	var files []decoys.File
	total := 0
	err = fs.WalkDir(root.FS(), ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.Type().IsRegular() {
			return err
		}
		f, err := worldFile(root, name)
		if err != nil {
			return err
		}
		files, total = append(files, f), total+len(f.Content)
		if len(files) > maxWorldFiles || total > maxWorldBytes {
			return fmt.Errorf("%s has more than %d files or %s; give a smaller directory", dir, maxWorldFiles, wording.Size(maxWorldBytes))
		}
		return nil
	})
	if err == nil && len(files) == 0 {
		err = fmt.Errorf("%s has no files", dir)
	}
	if err != nil {
		return nil, program.Usage(fmt.Errorf("--world: %w", err))
	}
	return files, nil
}

// openWorld opens the directory. One that is named as below the working directory
// is not left by a link: a mcpsf.yaml of somebody else may name it.
func openWorld(dir string) (*os.Root, error) {
	if !filepath.IsLocal(dir) {
		return os.OpenRoot(dir)
	}
	here, err := os.OpenRoot(".")
	if err != nil {
		return nil, err
	}
	defer func() { _ = here.Close() }()
	return here.OpenRoot(dir)
}

func worldFile(root *os.Root, name string) (decoys.File, error) {
	info, err := root.Lstat(name)
	if err != nil {
		return decoys.File{}, err
	}
	if info.Size() > maxWorldBytes {
		return decoys.File{}, errors.New(name + " is too large")
	}
	content, err := root.ReadFile(name)
	return decoys.File{Path: path.Join(mcpsf.Home, name), Mode: uint32(info.Mode().Perm()), Content: content}, err
}
