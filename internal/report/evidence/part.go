package evidence

import (
	"bufio"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/observe/trace"
)

// compareNames orders the files of a bundle. The report comes first, so that a
// reader knows which events it names before they come.
func compareNames(a, b string) int {
	switch {
	case a == b:
		return 0
	case a == reportName:
		return -1
	case b == reportName:
		return 1
	}
	return strings.Compare(a, b)
}

// add opens a file, reads it once and remembers its hash.
func (p *packer) add(ctx context.Context, name string) error {
	f, err := p.root.Open(name)
	if err != nil {
		return err
	}
	part := part{File: File{Name: name}, file: f}
	content := interruptible{ctx, f}
	sum, count := sha256.New(), &tally{}
	hashed := io.TeeReader(content, io.MultiWriter(sum, count))
	switch name {
	case reportName:
		p.report, err = readReport(hashed)
	case eventsName:
		err = p.transcribe(hashed)
	}
	if err == nil {
		_, err = io.Copy(io.Discard, hashed)
	}
	part.Size, part.SHA256 = count.n, hex.EncodeToString(sum.Sum(nil))
	p.parts = append(p.parts, part)
	return err
}

// transcribe makes the transcript from the events.
func (p *packer) transcribe(events io.Reader) error {
	f, err := os.CreateTemp(p.scratch, ".transcript-*")
	if err != nil {
		return err
	}
	sum, count := sha256.New(), &tally{}
	out := bufio.NewWriterSize(io.MultiWriter(f, sum, count), 1<<16)
	t := newTranscript(out)
	err = trace.Read(events, func(e mcpsf.Event) error { return t.add(&e) })
	err = errors.Join(err, out.Flush())
	p.parts = append(p.parts, part{
		File: File{Name: transcriptName, Size: count.n, SHA256: hex.EncodeToString(sum.Sum(nil))}, file: f, made: true,
	})
	return err
}

// copyTo writes the part, and fails if it changed since it was hashed.
func (p *part) copyTo(ctx context.Context, w io.Writer) error {
	if _, err := p.file.Seek(0, io.SeekStart); err != nil {
		return err
	}
	sum := sha256.New()
	n, err := io.Copy(io.MultiWriter(w, sum), io.LimitReader(interruptible{ctx, p.file}, p.Size))
	if err != nil {
		return err
	}
	if n != p.Size || hex.EncodeToString(sum.Sum(nil)) != p.SHA256 {
		return fmt.Errorf("%s changed while it was packed", p.Name)
	}
	return nil
}
