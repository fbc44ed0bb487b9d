package atomicfile

import (
	"io"
	"os"
	"path/filepath"
)

// Write puts data into the file, whose directory must exist.
func Write(name string, data []byte, mode os.FileMode) error {
	return WriteFrom(name, mode, func(w io.Writer) error {
		_, err := w.Write(data)
		return err
	})
}

// WriteFrom is [Write] for content that is too large to be held in memory: the
// function writes it. If it fails, the file stays as it was.
func WriteFrom(name string, mode os.FileMode, write func(io.Writer) error) (err error) {
	f, err := os.CreateTemp(filepath.Dir(name), "."+filepath.Base(name)+"-*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			_ = f.Close() // a second Close is harmless
			_ = os.Remove(f.Name())
		}
	}()
	if err := f.Chmod(mode); err != nil { // before there is anything to read
		return err
	}
	if err := write(f); err != nil {
		return err
	}
	if err := f.Sync(); err != nil {
		return err
	}
	if err := f.Close(); err != nil {
		return err
	}
	return os.Rename(f.Name(), name)
}
