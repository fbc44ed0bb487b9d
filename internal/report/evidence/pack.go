package evidence

import (
	"context"
	"crypto/ed25519"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"

	"github.com/mcpsf/mcpsf"
)

// Options of [Pack]. The zero value works.
type Options struct {
	// Out is the file to write; "" is [BundleName] in the run's directory.
	Out string
	// Rules is the digest of the rules that judged the run. Without it a
	// verifier cannot tell whether the findings follow from the events.
	Rules string
	// Key signs a statement about the bundle, which is written beside it.
	Key ed25519.PrivateKey
}

// Bundle is what [Pack] wrote.
type Bundle struct {
	Path string
	// SHA256 is the hash of the file, in hexadecimal, and Bytes its size.
	SHA256   string
	Bytes    int64
	Manifest Manifest
	// Statement is the file with the signature, "" if there is none.
	Statement string
}

// Pack packs the files of a run into one. The same files give the same bytes. A
// reader never sees half a bundle, and a statement about an older bundle of the
// same name is removed.
func Pack(ctx context.Context, dir string, opts *Options) (*Bundle, error) {
	if opts == nil {
		opts = &Options{}
	}
	out := opts.Out
	if out == "" {
		out = filepath.Join(dir, BundleName)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, noRun(dir, err)
	}
	defer root.Close()
	p := &packer{root: root, scratch: filepath.Dir(out)}
	defer p.close()
	if err := p.collect(ctx, dir); err != nil {
		return nil, fmt.Errorf("packing the evidence: %w", err)
	}
	b := &Bundle{Path: out, Manifest: p.manifest(opts.Rules)}
	if err := p.write(ctx, b); err != nil {
		return nil, fmt.Errorf("packing the evidence: %w", err)
	}
	if err := p.attest(b, opts.Key); err != nil {
		return nil, fmt.Errorf("signing the evidence: %w", err)
	}
	return b, nil
}

// packer is a bundle in progress.
type packer struct {
	root *os.Root
	// scratch is where the transcript is stored until it is packed.
	scratch string
	parts   []part
	report  *mcpsf.Report
}

// part is a file that will be packed.
type part struct {
	File
	file *os.File
	// made is set for a temporary file that must be removed.
	made bool
}

func (p *packer) close() {
	for _, part := range p.parts {
		_ = part.file.Close()
		if part.made {
			_ = os.Remove(part.file.Name())
		}
	}
}

// collect opens and hashes all files that will be packed.
func (p *packer) collect(ctx context.Context, dir string) error {
	entries, err := fs.ReadDir(p.root.FS(), ".")
	if err != nil {
		return err
	}
	var names []string
	for _, e := range entries {
		if e.Type().IsRegular() && belongs(e.Name()) {
			names = append(names, e.Name())
		}
	}
	for _, name := range []string{reportName, eventsName} {
		if !slices.Contains(names, name) {
			return noRun(dir, fmt.Errorf("%s: %w", name, fs.ErrNotExist))
		}
	}
	for _, name := range names {
		if err := p.add(ctx, name); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	slices.SortFunc(p.parts, func(a, b part) int { return compareNames(a.Name, b.Name) })
	m := Manifest{Files: p.files()}
	if err := m.checkFiles(); err != nil {
		return fmt.Errorf("the run %w", err)
	}
	return nil
}

func noRun(dir string, err error) error {
	return &mcpsf.Error{
		Code: mcpsf.CodeUsage, Message: fmt.Sprintf("there is no run in %q; name the directory that one was written to", dir), Err: err,
	}
}

// belongs reports whether a file of the run's directory goes into its bundle.
func belongs(name string) bool {
	if !goodName(name) {
		return false
	}
	for _, pattern := range []string{eventsName, trafficName, conversationsName, modelsName, sbomPattern, renderPattern} {
		if ok, err := path.Match(pattern, name); err == nil && ok {
			return true
		}
	}
	return false
}

func (p *packer) files() []File {
	var files []File
	for _, part := range p.parts {
		files = append(files, part.File)
	}
	return files
}

func (p *packer) manifest(rules string) Manifest {
	m := outline(p.report)
	m.Rules, m.Files, m.Missing = rules, p.files(), []Missing{}
	if m.file(trafficName) == nil {
		why := "no packets were captured"
		if p.report.Coverage.Remote {
			why = "the server ran elsewhere, where no packets are seen"
		}
		m.Missing = append(m.Missing, Missing{trafficName, why})
	}
	isSBOM := func(f File) bool { ok, err := path.Match(sbomPattern, f.Name); return err == nil && ok }
	if !slices.ContainsFunc(m.Files, isSBOM) {
		m.Missing = append(m.Missing, Missing{sbomPattern, "no SBOM was made"})
	}
	return m
}

// attest writes the statement, or removes that of another bundle.
func (p *packer) attest(b *Bundle, key ed25519.PrivateKey) error {
	name := statementFor(b.Path)
	if key == nil {
		if err := os.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		return nil
	}
	if err := writeStatement(name, state(p.report, &b.Manifest, b.SHA256), key); err != nil {
		return err
	}
	b.Statement = name
	return nil
}
