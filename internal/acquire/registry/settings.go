package registry

import (
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/mcpsf/mcpsf"
)

// maxSettings bounds settings and certificate files.
// no gap: bounds the user's own settings and the answers of registries; more is an error
const maxSettings = 4 << 20

// badSetting is an error about an unusable setting. from says where it is: a
// file and line, or a variable.
func badSetting(from, format string, args ...any) error {
	return &mcpsf.Error{Code: mcpsf.CodeUsage, Message: "the setting in " + from + " cannot be used: " + fmt.Sprintf(format, args...)}
}

// readSettings reads a file of the user, nil if there is none.
func readSettings(path string) ([]byte, error) {
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, unreadable(path, err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, unreadable(path, err)
	}
	if info.IsDir() {
		return nil, nil
	}
	data, err := io.ReadAll(io.LimitReader(f, maxSettings+1)) //nolint:forbidigo // limited
	if err != nil {
		return nil, unreadable(path, err)
	}
	if len(data) > maxSettings {
		return nil, badSetting(path, "the file is larger than %d MiB", maxSettings>>20)
	}
	return data, nil
}

func unreadable(path string, err error) error {
	if inner, ok := errors.AsType[*fs.PathError](err); ok {
		err = inner.Err
	}
	return &mcpsf.Error{Code: mcpsf.CodeUsage, Message: "the settings file " + quote(path) + " cannot be read: " + err.Error()}
}

// readAuthorities makes a pool from the certificates in a file. from is the
// setting that names the file.
func readAuthorities(path, from string) (*x509.CertPool, error) {
	data, err := readSettings(path)
	if err != nil {
		return nil, err
	}
	pool := x509.NewCertPool()
	if !pool.AppendCertsFromPEM(data) {
		return nil, badSetting(from, "there is no certificate in %s", quote(path))
	}
	return pool, nil
}

// inHome completes a path that begins with "~/".
func (c *Client) inHome(path string) string {
	if rest, ok := strings.CutPrefix(path, "~/"); ok && c.opts.Home != "" {
		return filepath.Join(c.opts.Home, rest)
	}
	return path
}
