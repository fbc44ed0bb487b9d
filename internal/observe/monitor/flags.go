package monitor

import "github.com/mcpsf/mcpsf/internal/sandbox/wire"

// The kernel's open flags, the same on amd64 and arm64.
const (
	openAccess   = 0x3
	openWrite    = 0x1
	openTruncate = 0x200
	openAppend   = 0x400
	openPath     = 0x200000
)

// access is what an open asks for.
type access struct{ read, write bool }

// accessOf returns the access mode. A descriptor that only names a file
// (O_PATH) counts as neither, see [access.reaches].
func accessOf(flags uint32) access {
	if flags&openPath != 0 {
		return access{}
	}
	switch flags & openAccess {
	case 0:
		return access{read: true}
	case openWrite:
		return access{write: true}
	default:
		return access{read: true, write: true}
	}
}

// reaches reports whether the content can be read afterwards: directly, or by a
// descriptor that names the file and can be opened again.
func (a access) reaches() bool { return !a.write || a.read }

// openLetters formats an open for [mcpsf.FileDetail].
func openLetters(r *wire.Record) string {
	a := accessOf(r.Num)
	letters := make([]byte, 0, 8)
	add := func(yes bool, letter byte) {
		if yes {
			letters = append(letters, letter)
		}
	}
	add(a.read, 'r')
	add(a.write, 'w')
	add(r.Flags&wire.FlagCreated != 0, 'c')
	add(a.write && r.Num&openTruncate != 0, 't')
	add(a.write && r.Num&openAppend != 0, 'a')
	add(r.Flags&wire.FlagMapped != 0, 'm')
	add(r.Flags&wire.FlagDir != 0, 'd')
	return string(letters)
}
