package archive

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/acquire/source/staging"
	"github.com/mcpsf/mcpsf/internal/acquire/source/usererr"
	"github.com/mcpsf/mcpsf/internal/safetext"
)

// FactRefused is the kind of a [mcpsf.Fact] about an archive entry that was not
// unpacked because only a hostile archive has such entries.
const FactRefused = "archive.refused"

// RefusedError says why one entry is not unpacked. The other entries are.
type RefusedError string

func (e RefusedError) Error() string { return string(e) }

// Settle records the refusal of an entry; any other error is returned.
func (u *Unpacker) Settle(name string, err error) error {
	if why, ok := errors.AsType[RefusedError](err); ok {
		u.refuse(name, string(why))
		return nil
	}
	return err
}

// refuse records an entry that is not written.
func (u *Unpacker) refuse(name, why string) {
	// no gap: what is larger is refused, and the refusal is recorded as a fact
	const most = 200
	u.Tree.Notes.Add("refused %s: %s", usererr.Quote(name), why)
	if len(u.facts) == most {
		u.moreFact++
	} else {
		u.facts = append(u.facts, mcpsf.Fact{Kind: FactRefused, Path: safetext.Line(name, usererr.MaxShown), Text: why})
	}
}

// Facts describes the refused entries.
func (u *Unpacker) Facts() []mcpsf.Fact {
	if u.moreFact == 0 {
		return u.facts
	}
	return append(u.facts, mcpsf.Fact{Kind: FactRefused, Text: fmt.Sprintf("and %d more entries", u.moreFact)})
}

// FirstRefusal is a remark in brackets about the first refused entry, "" if
// there is none.
func (u *Unpacker) FirstRefusal() string {
	if len(u.facts) == 0 {
		return ""
	}
	return " (" + usererr.Quote(u.facts[0].Path) + " was refused: " + u.facts[0].Text + ")"
}

// bomb refuses archives that unpack to much more than any real one.
func (u *Unpacker) bomb(unpacked int64) error {
	const harmless, ratio = 10 << 20, 200
	if unpacked <= harmless || unpacked/ratio <= u.Consumed {
		return nil
	}
	return usererr.Usage("%s is made to fill the disk: it unpacks to more than %d times its size; do not use it", usererr.Quote(u.Source), ratio)
}

func (u *Unpacker) tooMany() error {
	return usererr.Usage("%s has more than %d entries; unpack it and assess what the server needs of it", usererr.Quote(u.Source), u.limits.MaxFiles)
}

// Damaged says that the archive is corrupt.
func (u *Unpacker) Damaged(format string, args ...any) error {
	return usererr.Usage("%s is damaged or cut short: %s; get it again", usererr.Quote(u.Source), fmt.Sprintf(format, args...))
}

// Broken explains a decoder's error.
func (u *Unpacker) Broken(err error) error {
	if _, ours := errors.AsType[*mcpsf.Error](err); ours || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	if _, host := errors.AsType[*fs.PathError](err); host {
		return staging.Unreadable(u.Source, err)
	}
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return u.Damaged("it ends too early")
	}
	return u.Damaged("%s", safetext.Line(err.Error(), usererr.MaxShown))
}
