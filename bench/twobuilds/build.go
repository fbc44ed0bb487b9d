package twobuilds

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/mcpsf/mcpsf/bench/binary"
)

// build is one of the two builds. Of a build whose results were made elsewhere,
// there is no binary.
type build struct {
	name   string
	digest string
	*binary.Binary
}

// recorded is the end of the name of a file with results, which stands for the
// binary that made them.
const recorded = ".jsonl"

// builds are the one before and the one after.
type builds [2]*build

// open prepares both builds. The caller closes them.
func open(ctx context.Context, name string, set *Settings, env []string) (*builds, error) {
	two := &builds{}
	for i, path := range []string{set.Before, set.After} {
		one := &build{digest: path}
		var err error
		if filepath.Ext(path) != recorded {
			one, err = openOne(ctx, name, path, env)
		}
		if err != nil {
			two.close()
			return nil, err
		}
		one.name = []string{"before", "after"}[i]
		two[i] = one
	}
	if two[0].digest == two[1].digest { // shows what differs by chance
		two[1].digest += "-again"
	}
	return two, nil
}

func openOne(ctx context.Context, name, path string, env []string) (*build, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return nil, err
	}
	digest, err := digestOf(path)
	if err != nil {
		return nil, err
	}
	b, err := binary.New(ctx, name, path, env)
	if err != nil {
		return nil, err
	}
	return &build{digest: digest, Binary: b}, nil
}

func (two *builds) close() {
	for _, b := range two {
		if b != nil && b.Binary != nil {
			b.Close()
		}
	}
}

func digestOf(file string) (string, error) {
	f, err := os.Open(file)
	if err != nil {
		return "", fmt.Errorf("reading the binary: %w", err)
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", err
	}
	return hex.EncodeToString(h.Sum(nil))[:16], nil
}
