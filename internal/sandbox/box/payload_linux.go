package box

import (
	"archive/tar"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/mcpsf/mcpsf"
)

// payload packs all planted files into one archive, which the kernel's side
// unpacks into its own memory. Entries are sorted, parents first, so that
// directory listings are the same in every run.
func payload(to io.Writer, opts *Options) error {
	if opts.Engine.Snapshot != nil {
		return nil
	}
	host := machineOf(opts.Machine.Seed)
	files := append(etcFiles(host, opts.Network.Roots, opts.Network.Link, opts.Artifact.RootFS != ""), opts.Content.Files...)
	p := packer{entries: map[string]entry{}, times: fileTimes{opts.Machine.Now, host.salt}}
	p.dir("/root", 0o700, true)
	p.dir("/var/tmp", 0o1777, true)
	p.dir("/tmp", 0o1777, true)
	for _, name := range []string{"/boot", "/etc/cron.d", "/etc/systemd/system", "/etc/profile.d"} {
		p.dir(name, 0o755, true)
	}
	p.dir("/run/user/1000", 0o700, false)
	p.dir(mcpsf.Home+"/.local/share", 0o755, false)
	p.dir(mcpsf.Home, 0o755, false)
	p.dir(mcpsf.WorkDir, 0o755, false)
	for _, f := range files {
		p.dir(path.Dir(f.Path), 0o755, f.System)
		switch {
		case f.Dir:
			p.dir(f.Path, f.Mode, f.System)
		case f.Link != "":
			p.entries[f.Path] = entry{kind: tar.TypeSymlink, target: f.Link, system: f.System}
		default:
			p.entries[f.Path] = entry{kind: tar.TypeReg, mode: f.Mode, content: f.Content, system: f.System}
		}
	}
	if dir := opts.Artifact.Dir; dir != "" && opts.Content.Installed == "" {
		if err := p.tree(dir); err != nil {
			return err
		}
		defer p.root.Close()
	}
	w := tar.NewWriter(to)
	if err := p.pack(w); err != nil {
		return err
	}
	if opts.Content.Installed != "" {
		if err := p.installed(w, opts.Content.Installed, false); err != nil {
			return err
		}
	}
	if opts.Content.Kept != "" {
		if err := p.installed(w, opts.Content.Kept, true); err != nil {
			return err
		}
	}
	if err := w.Close(); err != nil {
		return fmt.Errorf("packing the sandbox's files: %w", err)
	}
	return nil
}

type entry struct {
	kind    byte
	mode    uint32
	content []byte
	host    string // file on the host with the content
	size    int64
	target  string
	system  bool
}

type packer struct {
	entries map[string]entry
	times   fileTimes
	root    *os.Root
}

// dir adds a directory and its parents.
func (p *packer) dir(name string, mode uint32, system bool) {
	for d := path.Dir(name); d != "/"; d = path.Dir(d) {
		if _, ok := p.entries[d]; !ok {
			p.entries[d] = entry{kind: tar.TypeDir, mode: 0o755, system: !strings.HasPrefix(d, mcpsf.Home)}
		}
	}
	if _, ok := p.entries[name]; !ok {
		if base := path.Base(name); base == ".ssh" || base == ".gnupg" {
			mode = 0o700 // programs such as ssh require it
		}
		p.entries[name] = entry{kind: tar.TypeDir, mode: mode, system: system}
	}
}

// tree adds the private copy of the target. We made it and nobody else can
// write to it, but links in it are still not followed.
func (p *packer) tree(dir string) error {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return fmt.Errorf("opening the copy of the target: %w", err)
	}
	p.root = root
	return fs.WalkDir(root.FS(), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || name == "." {
			return err
		}
		at := path.Join(mcpsf.WorkDir, name)
		info, err := d.Info()
		if err != nil {
			return err
		}
		mode := uint32(info.Mode().Perm())
		switch {
		case d.IsDir():
			p.entries[at] = entry{kind: tar.TypeDir, mode: mode}
		case d.Type()&fs.ModeSymlink != 0:
			target, err := root.Readlink(name)
			if err != nil {
				return err
			}
			p.entries[at] = entry{kind: tar.TypeSymlink, target: target}
		case d.Type().IsRegular():
			p.entries[at] = entry{kind: tar.TypeReg, mode: mode, host: name, size: info.Size()}
		}
		return nil
	})
}

func (p *packer) pack(w *tar.Writer) error {
	for _, name := range slices.Sorted(maps.Keys(p.entries)) {
		if err := p.write(w, name, p.entries[name]); err != nil {
			return fmt.Errorf("packing %q: %w", name, err)
		}
	}
	return nil
}

func (p *packer) write(w *tar.Writer, name string, e entry) error {
	h := &tar.Header{
		Name: name, Typeflag: e.kind, Mode: int64(e.mode), Linkname: e.target,
		Uid: mcpsf.UID, Gid: mcpsf.GID, ModTime: p.times.of(name), Size: e.size, Format: tar.FormatPAX,
	}
	if e.system {
		h.Uid, h.Gid = 0, 0
	}
	if e.content != nil {
		h.Size = int64(len(e.content))
	}
	if err := w.WriteHeader(h); err != nil {
		return err
	}
	if e.content != nil {
		_, err := w.Write(e.content)
		return err
	}
	if e.host == "" {
		return nil
	}
	f, err := p.root.Open(e.host)
	if err != nil {
		return err
	}
	defer f.Close()
	_, err = io.Copy(w, f)
	return err
}

// fileTimes gives every file a time in the months before now: the same for the
// same name and salt in every run on the same day.
type fileTimes struct {
	now  time.Time
	salt uint64
}

func (c fileTimes) of(name string) time.Time {
	sum := uint64(14695981039346656037) ^ c.salt
	for _, b := range []byte(name) {
		sum = (sum ^ uint64(b)) * 1099511628211
	}
	// gap: late-work
	const most = 120 * 24 * time.Hour
	return c.now.Truncate(24 * time.Hour).Add(-time.Duration(sum % uint64(most)))
}
