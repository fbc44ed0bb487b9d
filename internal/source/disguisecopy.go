package source

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
)

// veil marks the files that may hold secrets of their owner, by their own
// name or by that of a link to them.
func (t *tree) veil() {
	for _, e := range t.entries {
		if !e.isFile() {
			continue
		}
		e.veiled = veiledFile(e.path)
		if e.veiled.framed && e.info.Size() > maxParsed {
			e.veiled = veiled{} // no key is that large
		}
	}
	for _, e := range t.entries {
		if !e.isLink() {
			continue
		}
		v := veiledFile(e.path)
		to := t.file(e.path)
		if v.form != formNone && to != nil && to.veiled.form == formNone && !isCode(strings.ToLower(to.path)) && !isExample(strings.ToLower(path.Base(to.path))) {
			to.veiled = v
		}
	}
}

// forget takes what was not copied out of the tree.
func (t *tree) forget() {
	t.entries = slices.DeleteFunc(t.entries, func(e *entry) bool {
		if e.dropped {
			delete(t.byPath, e.path)
			t.bytes -= e.info.Size()
		}
		return e.dropped
	})
}

// disguise returns what is copied in place of a file that may hold secrets.
// It drops the entry if they cannot be told from the rest.
func (c *copier) disguise(ctx context.Context, e *entry, in io.Reader) (io.Reader, error) {
	m := newMask(e.path, e.veiled)
	var out, why string
	c.veiled += e.info.Size()
	switch {
	case e.info.Size() > maxVeiled:
		why = "it may hold secrets and is larger than " + size(maxVeiled)
	case c.veiled > maxAllVeiled:
		why = "it may hold secrets, and such files add up to more than " + size(maxAllVeiled)
	default:
		var data bytes.Buffer
		if err := c.contents(ctx, &data, in, e); err != nil {
			return nil, err
		}
		out, why = m.apply(data.String())
	}
	if why != "" {
		e.dropped = true
		c.tree.notes.add("left out %s: %s", quote(e.path), why)
		return nil, nil
	}
	if m.count > 0 {
		c.tree.notes.add("%s: %s", quote(e.path), m.summary())
	}
	c.tree.bytes += int64(len(out)) - e.info.Size()
	e.info = member{mode: e.info.Mode(), size: int64(len(out))}
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

func (l *leftBehind) note(n *notes) {
	slices.Sort(l.environments)
	for _, p := range l.environments {
		n.add("left out the virtual environment %s: it was made for this machine and works on no other", quote(p))
	}
	if len(l.caches) == 0 {
		return
	}
	const most = 5
	slices.Sort(l.caches)
	var names []string
	for _, p := range l.caches[:min(most, len(l.caches))] {
		names = append(names, quote(p))
	}
	more := ""
	if n := len(l.caches) - most; n > 0 {
		more = fmt.Sprintf(" and %d more", n)
	}
	n.add("left out caches of tools, which the server does not need: %s%s", strings.Join(names, ", "), more)
}
