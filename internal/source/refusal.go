package source

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"

	"github.com/mcpsf/mcpsf"
)

// refusedError says why one entry is not unpacked. It ends nothing but that
// entry.
type refusedError string

func (e refusedError) Error() string { return string(e) }

// settle remembers the refusal of an entry; any other error stays one.
func (u *unpacker) settle(name string, err error) error {
	if why, ok := errors.AsType[refusedError](err); ok {
		u.refuse(name, string(why))
		return nil
	}
	return err
}

// refuse remembers an entry that is not written.
func (u *unpacker) refuse(name, why string) {
	const most = 200
	u.tree.notes.add("refused %s: %s", quote(name), why)
	if len(u.facts) == most {
		u.moreFact++
	} else {
		u.facts = append(u.facts, mcpsf.Fact{Kind: FactRefused, Path: clean(name, maxShown), Text: why})
	}
}

func (u *unpacker) allFacts() []mcpsf.Fact {
	if u.moreFact == 0 {
		return u.facts
	}
	return append(u.facts, mcpsf.Fact{Kind: FactRefused, Text: fmt.Sprintf("and %d more entries", u.moreFact)})
}

func (u *unpacker) firstRefusal() string {
	if len(u.facts) == 0 {
		return ""
	}
	return " (" + quote(u.facts[0].Path) + " was refused: " + u.facts[0].Text + ")"
}

// bomb refuses archives that unpack to much more than anything real does.
func (u *unpacker) bomb(unpacked int64) error {
	const harmless, ratio = 10 << 20, 200
	if unpacked <= harmless || unpacked/ratio <= u.consumed {
		return nil
	}
	return usage("%s is made to fill the disk: it unpacks to more than %d times its size; do not use it", quote(u.source), ratio)
}

func (u *unpacker) tooMany() error {
	return usage("%s has more than %d entries; unpack it and assess what the server needs of it", quote(u.source), u.opts.MaxFiles)
}

func (u *unpacker) damaged(format string, args ...any) error {
	return usage("%s is damaged or cut short: %s; get it again", quote(u.source), fmt.Sprintf(format, args...))
}

// broken says what an error of a decoder means.
func (u *unpacker) broken(err error) error {
	if _, ours := errors.AsType[*mcpsf.Error](err); ours || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	if _, host := errors.AsType[*fs.PathError](err); host {
		return unreadable(u.source, err)
	}
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return u.damaged("it ends too early")
	}
	return u.damaged("%s", clean(err.Error(), maxShown))
}
