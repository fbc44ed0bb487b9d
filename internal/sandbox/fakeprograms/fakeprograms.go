package fakeprograms

import (
	"fmt"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/sandbox/decoys"
)

// Files returns the fake programs that belong to a home: scripts in
// [mcpsf.FakeProgramDir]. They are for root to own, and for everyone to run.
func Files(seed uint64, now time.Time, home *decoys.Home) ([]decoys.File, error) {
	v, err := newValues(seed, now, home)
	if err != nil {
		return nil, fmt.Errorf("making fake programs: %w", err)
	}
	programs, err := load(v)
	if err != nil {
		return nil, fmt.Errorf("making fake programs: %w", err)
	}
	var all []decoys.File
	for i := range programs {
		text, err := script(&programs[i])
		if err != nil {
			return nil, fmt.Errorf("making a fake program for %s: %w", programs[i].Names[0], err)
		}
		for _, name := range programs[i].Names {
			all = append(all, decoys.File{Path: path.Join(mcpsf.FakeProgramDir, name), Mode: 0o755, Content: []byte(text)})
		}
	}
	return all, nil
}

// SearchPath returns a PATH with the folder of the fake programs at its end, so that
// a program of the host or of the server always comes first.
func SearchPath(search string) string {
	if slices.Contains(strings.Split(search, ":"), mcpsf.FakeProgramDir) {
		return search
	}
	if search == "" {
		return mcpsf.FakeProgramDir
	}
	return search + ":" + mcpsf.FakeProgramDir
}
