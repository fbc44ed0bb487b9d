package evidence

import (
	"archive/tar"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"

	"github.com/klauspost/compress/zstd"
)

// visitor receives the content of a bundle.
type visitor struct {
	manifest func(m *Manifest)
	// file is called for every file. It need not read all of it.
	file func(name string, content io.Reader)
	// sum is called with its hash afterwards.
	sum func(f File, sum string)
}

// readBundle reads a bundle from beginning to end. An error says why [Pack]
// cannot have written it.
func readBundle(r io.Reader, v *visitor) error {
	packed := &tally{}
	z, err := zstd.NewReader(io.TeeReader(r, packed), zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true),
		zstd.WithDecoderMaxWindow(window), zstd.WithDecoderMaxMemory(window))
	if err != nil {
		return err
	}
	defer z.Close()
	flat := &unfolded{r: z, packed: packed, most: maxManifest + 4*512}
	t := tar.NewReader(flat)
	m, err := firstEntry(t)
	if err != nil {
		return err
	}
	for _, f := range m.Files {
		flat.most += f.Size + 2*512
	}
	v.manifest(m)
	for _, f := range m.Files {
		if err := entry(t, f, v); err != nil {
			return err
		}
	}
	if h, err := t.Next(); !errors.Is(err, io.EOF) {
		if err != nil {
			return unreadable(err)
		}
		return fmt.Errorf("it has %q in it, which the manifest does not list", h.Name)
	}
	switch n, err := io.Copy(io.Discard, flat); {
	case err != nil:
		return unreadable(err)
	case n > 0:
		return fmt.Errorf("%d bytes follow its end", n)
	}
	return nil
}

func firstEntry(t *tar.Reader) (*Manifest, error) {
	h, err := next(t)
	if errors.Is(err, io.EOF) {
		return nil, errors.New("it is empty")
	}
	if err != nil {
		return nil, err
	}
	if h.Name != manifestName || h.Size > maxManifest {
		return nil, fmt.Errorf("it begins with %q of %d bytes and not with %s", h.Name, h.Size, manifestName)
	}
	return parseManifest(t)
}

// entry passes on one file, which has to be f.
func entry(t *tar.Reader, f File, v *visitor) error {
	h, err := next(t)
	if errors.Is(err, io.EOF) {
		return fmt.Errorf("%s is listed in the manifest and not there", f.Name)
	}
	if err != nil {
		return err
	}
	if h.Name != f.Name {
		return fmt.Errorf("it has %q in it where the manifest lists %s", h.Name, f.Name)
	}
	if h.Size != f.Size {
		return fmt.Errorf("%s has %d bytes, and the manifest says %d", f.Name, h.Size, f.Size)
	}
	sum := sha256.New()
	content := io.TeeReader(t, sum)
	v.file(f.Name, content)
	if _, err := io.Copy(io.Discard, content); err != nil {
		return unreadable(err)
	}
	v.sum(f, hex.EncodeToString(sum.Sum(nil)))
	return nil
}

// next returns the next entry, which has to be a regular file.
func next(t *tar.Reader) (*tar.Header, error) {
	h, err := t.Next()
	switch {
	case errors.Is(err, io.EOF):
		return nil, io.EOF
	case err != nil:
		return nil, unreadable(err)
	case !goodName(h.Name):
		return nil, fmt.Errorf("it has a file with a bad name in it: %q", h.Name)
	case h.Typeflag != tar.TypeReg:
		return nil, fmt.Errorf("%s is not a plain file", h.Name)
	case h.Format != tar.FormatUSTAR || len(h.PAXRecords) > 0:
		return nil, fmt.Errorf("%s has a header of another kind than mcpsf writes", h.Name)
	}
	return h, nil
}

func unreadable(err error) error {
	if errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF) {
		return errors.New("it is cut off")
	}
	return err
}
