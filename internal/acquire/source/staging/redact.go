package staging

import (
	"bytes"
	"context"
	"io"
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf/internal/acquire/source/redact"
	"github.com/mcpsf/mcpsf/internal/acquire/source/usererr"
)

// MarkSecrets marks the files that may contain secrets of their owner, by their
// own name or by that of a link to them.
func (t *Tree) MarkSecrets() {
	for _, e := range t.Entries {
		if !e.IsFile() {
			continue
		}
		e.secret = redact.Classify(e.Path)
		if e.secret.Framed && e.Info.Size() > redact.MaxParsed {
			e.secret = redact.SecretFile{} // no key is that large
		}
	}
	for _, e := range t.Entries {
		if !e.IsLink() {
			continue
		}
		v := redact.Classify(e.Path)
		to := t.File(e.Path)
		if v.Any() && to != nil && !to.secret.Any() && !redact.IsOpen(to.Path) {
			to.secret = v
		}
	}
}

// forget removes what was not copied from the tree.
func (t *Tree) forget() {
	t.Entries = slices.DeleteFunc(t.Entries, func(e *Entry) bool {
		if e.dropped {
			delete(t.ByPath, e.Path)
			t.Bytes -= e.Info.Size()
		}
		return e.dropped
	})
}

// redact returns the redacted content of a file that may contain secrets. It
// drops the entry if they cannot be recognised.
func (c *copier) redact(ctx context.Context, e *Entry, in io.Reader) (io.Reader, error) {
	m := redact.NewMask(e.Path, e.secret)
	var out, why string
	c.redacted += e.Info.Size()
	switch {
	case e.Info.Size() > redact.MaxFile:
		why = "it may hold secrets and is larger than " + usererr.Size(redact.MaxFile)
	case c.redacted > redact.MaxAllFiles:
		why = "it may hold secrets, and such files add up to more than " + usererr.Size(redact.MaxAllFiles)
	default:
		var data bytes.Buffer
		if err := c.contents(ctx, &data, in, e); err != nil {
			return nil, err
		}
		out, why = m.Apply(data.String())
	}
	if why != "" {
		e.dropped = true
		c.tree.Notes.Add("left out %s: %s", usererr.Quote(e.Path), why)
		return nil, nil
	}
	if m.Count > 0 {
		c.tree.Notes.Add("%s: %s", usererr.Quote(e.Path), m.Summary())
	}
	c.tree.Bytes += int64(len(out)) - e.Info.Size()
	e.Info = Info(e.Info.Mode(), int64(len(out)))
	return strings.NewReader(out), nil
}
