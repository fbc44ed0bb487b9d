package atomicfile

import (
	"os"
	"path/filepath"
)

// Write puts data into the file, whose directory must exist.
func Write(name string, data []byte, mode os.FileMode) (err error) {
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
	if _, err := f.Write(data); err != nil {
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
