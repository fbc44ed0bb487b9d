package executor

import (
	"archive/tar"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path"

	"github.com/moby/moby/client"

	"github.com/mcpsf/mcpsf"
)

// carryIn copies the archive into a container that has not started.
func (d *Docker) carryIn(ctx context.Context, id, name string, archive *Archive) error {
	file, err := archive.Open()
	if err != nil {
		return err
	}
	defer file.Close()
	r, w := io.Pipe()
	defer r.Close()
	go func() {
		t := tar.NewWriter(w)
		err := t.WriteHeader(&tar.Header{Name: name, Mode: 0o600, Uid: 1000, Gid: 1000, Size: archive.Size})
		if err == nil {
			_, err = io.CopyN(t, file, archive.Size)
		}
		w.CloseWithError(errors.Join(err, t.Close()))
	}()
	if _, err := d.engine.CopyToContainer(ctx, id, client.CopyToContainerOptions{DestinationPath: data, Content: r}); err != nil {
		return fmt.Errorf("copying the archive into the container: %w", err)
	}
	return nil
}

// carryOut copies the files of a run out of the container. They come as an
// untrusted tar: only regular files with valid report names, one level deep, are
// accepted.
func (d *Docker) carryOut(ctx context.Context, id, dir string) error {
	from, err := d.engine.CopyFromContainer(ctx, id, client.CopyFromContainerOptions{SourcePath: out})
	if err != nil {
		return fmt.Errorf("copying the report from the container: %w", err)
	}
	defer from.Content.Close()
	root, err := outputRoot(dir)
	if err != nil {
		return err
	}
	defer root.Close()
	return unpack(root, from.Content)
}

// outputRoot creates the directory for the files of a run.
func outputRoot(dir string) (*os.Root, error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, &mcpsf.Error{Code: mcpsf.CodeUsage, Message: "cannot create the output directory; choose another with --output", Err: err}
	}
	return os.OpenRoot(dir)
}

func unpack(root *os.Root, from io.Reader) error {
	t := tar.NewReader(from)
	files := 0
	for {
		h, err := t.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("reading the files of the container: %w", err)
		}
		if h.Typeflag == tar.TypeDir && path.Clean(h.Name) == path.Base(out) {
			continue
		}
		name := path.Base(h.Name)
		if files++; files > maxFiles {
			return errManyFiles
		}
		if h.Typeflag != tar.TypeReg || path.Join(path.Base(out), name) != h.Name || !fileName.MatchString(name) || h.Size > maxFile {
			return fmt.Errorf("the container has a file %q of %d bytes, which is no file of a report", h.Name, h.Size)
		}
		if err := writeFile(root, name, h.Size, t); err != nil {
			return err
		}
	}
}

// writeFile writes one file below root, completely or not at all.
func writeFile(root *os.Root, name string, size int64, from io.Reader) error {
	part := "." + name + ".part"
	f, err := root.OpenFile(part, os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o644)
	if err != nil {
		return &mcpsf.Error{Code: mcpsf.CodeUsage, Message: "cannot write to the output directory; choose another with --output", Err: err}
	}
	n, err := io.Copy(f, io.LimitReader(from, size+1))
	if closed := f.Close(); err == nil {
		err = closed
	}
	if err == nil && n != size {
		err = fmt.Errorf("%s does not have the announced size", name)
	}
	if err != nil {
		_ = root.Remove(part)
		return err
	}
	return root.Rename(part, name)
}
