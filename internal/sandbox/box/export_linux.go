package box

import (
	"archive/tar"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/sandbox/sentry"
	"github.com/mcpsf/mcpsf/internal/sandbox/wire"
)

// export reassembles the pieces that the kernel exports.
type export struct {
	to          io.Writer
	left, total int64
	ended       bool
	problem     string
}

func (e *export) take(r *wire.Record) error {
	if len(r.Data) == 0 {
		e.ended, e.problem = true, r.Text
		if r.Total != uint64(e.total) {
			e.problem = fmt.Sprintf("%d bytes were handed out and %d arrived", r.Total, e.total)
		}
		return nil
	}
	if e.left -= int64(len(r.Data)); e.left < 0 || e.ended {
		return errors.New("the sandbox handed out more than it may")
	}
	e.total += int64(len(r.Data))
	if _, err := e.to.Write(r.Data); err != nil {
		return fmt.Errorf("keeping what was installed: %w", err)
	}
	return nil
}

// result returns nil if everything has arrived, or if there is no export.
func (e *export) result() error {
	switch {
	case e == nil, e.ended && e.problem == "":
		return nil
	case e.ended:
		return errors.New(e.problem)
	}
	return ErrEnded
}

// room returns how much memory the files of an archive occupy in the sandbox:
// whole pages, so that thousands of small files take several times their size.
func room(file string) (int64, error) {
	const page = 4 << 10
	f, err := os.Open(file)
	if err != nil {
		return 0, fmt.Errorf("opening what was installed: %w", err)
	}
	defer f.Close()
	var total int64
	for r := tar.NewReader(f); ; {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			return total, nil
		}
		if err != nil {
			return 0, fmt.Errorf("reading what was installed: %w", err)
		}
		total += (h.Size + page - 1) / page * page
	}
}

// installed adds the archive of an earlier sandbox. The target made its
// entries: names and kinds are checked like those of any other archive, and no
// file of ours is replaced. Files that a server kept in its own directory are.
func (p *packer) installed(w *tar.Writer, file string, kept bool) error {
	f, err := os.Open(file)
	if err != nil {
		return fmt.Errorf("opening what was installed: %w", err)
	}
	defer f.Close()
	buf := make([]byte, 256<<10)
	for r := tar.NewReader(f); ; {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("reading what was installed: %w", err)
		}
		if !installable(h, kept) {
			return fmt.Errorf("what was installed has an entry that cannot be: %q", h.Name)
		}
		own := kept && strings.HasPrefix(h.Name, mcpsf.WorkDir+"/")
		if e, taken := p.entries[h.Name]; taken && !own && (e.kind != tar.TypeDir || h.Typeflag != tar.TypeDir) {
			continue
		}
		if kept {
			h.Format, h.PAXRecords = tar.FormatPAX, map[string]string{sentry.Kept: "1"}
		}
		if err := w.WriteHeader(h); err != nil {
			return fmt.Errorf("packing %q: %w", h.Name, err)
		}
		if _, err := io.CopyBuffer(w, r, buf); err != nil { //nolint:gosec // not compressed
			return fmt.Errorf("packing %q: %w", h.Name, err)
		}
	}
}

// installable tells whether an entry may come from an earlier sandbox: an
// installation leaves files in the home, a server in its temporary folders as well.
func installable(h *tar.Header, kept bool) bool {
	switch h.Typeflag {
	case tar.TypeReg, tar.TypeDir, tar.TypeSymlink:
	default:
		return false
	}
	dirs := []string{mcpsf.Home}
	if kept {
		dirs = StateDirs()
	}
	inside := slices.ContainsFunc(dirs, func(dir string) bool { return strings.HasPrefix(h.Name, dir+"/") })
	return inside && path.Clean(h.Name) == strings.TrimSuffix(h.Name, "/")
}
