package evidence

import (
	"context"
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/judge/rules"
)

// VerifyOptions are the options of a verification.
type VerifyOptions struct {
	// Rules judge the events again and must not be nil. Version is that of the
	// program they come with.
	Rules   *rules.Set
	Version string
	// Render writes a file of the run that follows from report and events, such
	// as report.html, once again; nil if no such file is known. It may be nil.
	Render func(name string, r *mcpsf.Report, events []mcpsf.Event) ([][]byte, error)
	// Key must have signed; nil if no signature is required.
	Key ed25519.PublicKey
}

// Verify checks a bundle or the directory of a run. Failed checks are in the
// result; an error means that there was nothing to check.
func Verify(ctx context.Context, name string, opts *VerifyOptions) (*Result, error) {
	info, err := os.Stat(name)
	if err != nil {
		return nil, &mcpsf.Error{Code: mcpsf.CodeUsage, Message: fmt.Sprintf("cannot look at %q; name an %s or the directory of a run", name, BundleName), Err: err}
	}
	v := &verifier{opts: opts, result: &Result{Path: name}}
	switch {
	case info.Mode().IsRegular():
		err = v.bundle(ctx, name)
	case !info.IsDir():
		err = &mcpsf.Error{Code: mcpsf.CodeUsage, Message: fmt.Sprintf("%q is neither a file nor a directory", name)}
	default:
		err = v.directory(ctx, name)
	}
	if err == nil {
		err = ctx.Err()
	}
	return v.result, err
}

// verifier is a verification in progress.
type verifier struct {
	opts     *VerifyOptions
	result   *Result
	manifest *Manifest
	report   *mcpsf.Report
	// unread is why there is no report.
	unread error
	// sums are the hashes of the files that were read.
	sums  map[string]string
	trail *trail
}

// bundle checks an archive and the statements about it.
func (v *verifier) bundle(ctx context.Context, name string) error {
	f, err := os.Open(name)
	if err != nil {
		return &mcpsf.Error{Code: mcpsf.CodeUsage, Message: fmt.Sprintf("cannot read %q", name), Err: err}
	}
	defer f.Close()
	sum, size := sha256.New(), &tally{}
	source := io.TeeReader(interruptible{ctx, f}, io.MultiWriter(sum, size))
	changed, bad := v.archive(source)
	if _, err := io.Copy(io.Discard, source); err != nil {
		return fmt.Errorf("reading %q: %w", name, err)
	}
	if bad != nil {
		v.result.fail("archive", "%v", bad)
	} else {
		v.result.ok("archive", "%d files, %d bytes packed", len(v.manifest.Files), size.n)
		v.result.all("hashes", StatusFailed, changed, "every file is what the manifest says")
		v.conclude()
	}
	return v.statements(statementFor(name), hex.EncodeToString(sum.Sum(nil)))
}

// archive reads a bundle and lists what contradicts its manifest. An error says
// why it is no bundle.
func (v *verifier) archive(r io.Reader) (changed []string, err error) {
	err = readBundle(r, &visitor{
		manifest: func(m *Manifest) { v.manifest = m },
		file:     v.read,
		sum: func(f File, sum string) {
			if sum != f.SHA256 {
				changed = append(changed, fmt.Sprintf("%s has the hash %s, and the manifest says %s", f.Name, sum, f.SHA256))
			}
			v.saw(f.Name, sum)
		},
	})
	return changed, err
}

func (v *verifier) saw(name, sum string) {
	if v.sums == nil {
		v.sums = map[string]string{}
	}
	v.sums[name] = sum
}

// read reads one file, the report before the events.
func (v *verifier) read(name string, content io.Reader) {
	switch name {
	case reportName:
		v.report, v.unread = readReport(content)
	case eventsName:
		v.trail = follow(content, v.report)
	}
}

// directory checks a run that was not packed, or a packed run and its bundle.
func (v *verifier) directory(ctx context.Context, dir string) error {
	bundle := filepath.Join(dir, BundleName)
	if info, err := os.Lstat(bundle); err == nil && info.Mode().IsRegular() {
		if err := v.bundle(ctx, bundle); err != nil {
			return err
		}
		return v.beside(ctx, dir)
	}
	if err := v.loose(ctx, dir, []string{reportName, eventsName}, v.read); err != nil {
		return err
	}
	if v.sums[reportName] == "" {
		return noRun(dir, fs.ErrNotExist)
	}
	if err := v.loose(ctx, dir, v.recorded(), nil); err != nil {
		return err
	}
	v.result.note("archive", "there is no %s: nothing tells whether these files are what was written", BundleName)
	v.conclude()
	if v.opts.Key != nil {
		v.result.fail("signature", "there is no bundle, and thus no signature")
	}
	return nil
}

// beside compares the files of a directory with those of its bundle.
func (v *verifier) beside(ctx context.Context, dir string) error {
	if v.manifest == nil {
		return nil
	}
	packed := v.sums
	v.sums = nil
	var names, problems []string
	for _, f := range v.manifest.Files {
		names = append(names, f.Name)
	}
	if err := v.loose(ctx, dir, names, nil); err != nil {
		return err
	}
	for _, name := range names {
		if sum := v.sums[name]; sum != "" && sum != packed[name] {
			problems = append(problems, fmt.Sprintf("%s beside the bundle is not the one in it", name))
		}
	}
	v.result.all("beside", StatusFailed, problems, "%d files beside the bundle are the same as in it", len(v.sums))
	return nil
}

// loose reads those of the named files that exist, and only regular files.
func (v *verifier) loose(ctx context.Context, dir string, names []string, read func(string, io.Reader)) error {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return noRun(dir, err)
	}
	defer root.Close()
	for _, name := range names {
		info, err := root.Lstat(name)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil || !info.Mode().IsRegular() {
			v.result.fail("files", "%s is not a plain file", name)
			continue
		}
		if err := v.open(ctx, root, name, read); err != nil {
			return fmt.Errorf("reading %s: %w", name, err)
		}
	}
	return nil
}

func (v *verifier) open(ctx context.Context, root *os.Root, name string, read func(string, io.Reader)) error {
	f, err := root.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	sum := sha256.New()
	content := io.TeeReader(interruptible{ctx, f}, sum)
	if read != nil {
		read(name, content)
	}
	if _, err := io.Copy(io.Discard, content); err != nil {
		return err
	}
	v.saw(name, hex.EncodeToString(sum.Sum(nil)))
	return nil
}
