package staging

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf/internal/acquire/source/redact"
	"github.com/mcpsf/mcpsf/internal/acquire/source/usererr"
)

// Veil marks the files that may hold secrets of their owner, by their own
// name or by that of a link to them.
func (t *Tree) Veil() {
	for _, e := range t.Entries {
		if !e.IsFile() {
			continue
		}
		e.veiled = redact.VeilOf(e.Path)
		if e.veiled.Framed && e.Info.Size() > redact.MaxParsed {
			e.veiled = redact.Veil{} // no key is that large
		}
	}
	for _, e := range t.Entries {
		if !e.IsLink() {
			continue
		}
		v := redact.VeilOf(e.Path)
		to := t.File(e.Path)
		if v.Any() && to != nil && !to.veiled.Any() && !redact.IsOpen(to.Path) {
			to.veiled = v
		}
	}
}

// forget takes what was not copied out of the tree.
func (t *Tree) forget() {
	t.Entries = slices.DeleteFunc(t.Entries, func(e *Entry) bool {
		if e.dropped {
			delete(t.ByPath, e.Path)
			t.Bytes -= e.Info.Size()
		}
		return e.dropped
	})
}

// disguise returns what is copied in place of a file that may hold secrets.
// It drops the entry if they cannot be told from the rest.
func (c *copier) disguise(ctx context.Context, e *Entry, in io.Reader) (io.Reader, error) {
	m := redact.NewMask(e.Path, e.veiled)
	var out, why string
	c.veiled += e.Info.Size()
	switch {
	case e.Info.Size() > redact.MaxVeiled:
		why = "it may hold secrets and is larger than " + usererr.Size(redact.MaxVeiled)
	case c.veiled > redact.MaxAllVeiled:
		why = "it may hold secrets, and such files add up to more than " + usererr.Size(redact.MaxAllVeiled)
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

// leftBehind is what of a project was made for its owner's machine, or by
// tools for themselves, and is no use elsewhere.
type leftBehind struct {
	environments, caches []string
}

// takes reports whether an entry is left behind. Compiled Python is not: the
// interpreter may run it in place of the source beside it.
func (l *leftBehind) takes(root *os.Root, p string, info fs.FileInfo) bool {
	if !info.IsDir() {
		return false
	}
	switch path.Base(p) {
	case ".mypy_cache", ".pytest_cache", ".tox", ".nox":
		l.caches = append(l.caches, p)
		return true
	}
	if isEnvironment(root, p) {
		l.environments = append(l.environments, p)
		return true
	}
	return false
}

// isEnvironment recognises a virtual environment of Python by its mark and
// its interpreter.
func isEnvironment(root *os.Root, p string) bool {
	if mark, err := root.Lstat(path.Join(p, "pyvenv.cfg")); err != nil || !mark.Mode().IsRegular() {
		return false
	}
	return slices.ContainsFunc([]string{"bin/python", "bin/python3", "Scripts/python.exe"}, func(program string) bool {
		_, err := root.Lstat(path.Join(p, program))
		return err == nil
	})
}

func (l *leftBehind) note(n *usererr.Notes) {
	slices.Sort(l.environments)
	for _, p := range l.environments {
		n.Add("left out the virtual environment %s: it was made for this machine and works on no other", usererr.Quote(p))
	}
	if len(l.caches) == 0 {
		return
	}
	const most = 5
	slices.Sort(l.caches)
	var names []string
	for _, p := range l.caches[:min(most, len(l.caches))] {
		names = append(names, usererr.Quote(p))
	}
	more := ""
	if n := len(l.caches) - most; n > 0 {
		more = fmt.Sprintf(" and %d more", n)
	}
	n.Add("left out caches of tools, which the server does not need: %s%s", strings.Join(names, ", "), more)
}
