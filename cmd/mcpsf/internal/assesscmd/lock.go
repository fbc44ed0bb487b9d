package assesscmd

import (
	"errors"
	"fmt"
	"io/fs"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/cmd/mcpsf/internal/program"
	"github.com/mcpsf/mcpsf/internal/judge/lock"
	"github.com/mcpsf/mcpsf/internal/safetext"
)

// lock writes the lock file from a run, or compares the run with it.
func (a *assessor) lock(f *keepFlags, r *mcpsf.Report) error {
	if !f.lock && !f.locked {
		return nil
	}
	l, err := lock.Read(lock.FileName)
	if errors.Is(err, fs.ErrNotExist) && f.lock {
		l, err = &lock.Lock{Version: lock.Version, Servers: map[string]lock.Server{}}, nil
	}
	if err != nil {
		return err
	}
	if f.lock {
		l.Put(r)
		return lock.Write(lock.FileName, l)
	}
	failed := false
	for _, d := range lock.Check(l, r) {
		mark := "changed"
		if d.Fails {
			mark, failed = "INTRODUCED", true
		}
		fmt.Fprintf(a.Stderr, "%-10s %s\n", mark, safetext.Clean(d.Text))
	}
	if failed {
		fmt.Fprintln(a.Stderr, "the server does or offers more than "+lock.FileName+" says; agree with --lock if that is right")
		return &program.Outcome{Code: program.ExitFindings}
	}
	return nil
}
