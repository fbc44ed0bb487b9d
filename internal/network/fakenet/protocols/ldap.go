package protocols

import (
	"bytes"
	"context"
)

// The LDAP operations that are handled, by their tags.
const (
	ldapBind     = 0x60
	ldapUnbind   = 0x42
	ldapSearch   = 0x63
	ldapAbandon  = 0x50
	ldapExtended = 0x77

	startTLS = "1.3.6.1.4.1.1466.20037"
	ldapMax  = 4 << 20
)

func ldap() speaker {
	return speaker{
		name:  "ldap",
		match: matchLDAP,
		serve: func(_ context.Context, w *wire) error { return directory(w) },
	}
}

func matchLDAP(first []byte) match {
	if len(first) == 0 || first[0] != 0x30 {
		return no
	}
	if len(first) == 1 {
		return maybe
	}
	n := 2
	if first[1] > 0x80 && first[1] <= 0x84 {
		n += int(first[1] & 0xf)
	} else if first[1] >= 0x80 {
		return no
	}
	if len(first) <= n+1 {
		return min(maybe, opens(first[min(n, len(first)):], "\x02"))
	}
	if first[n] != 2 || first[n+1] == 0 || first[n+1] > 4 {
		return no
	}
	if op := n + 2 + int(first[n+1]); len(first) > op {
		if response(first[op]) != 0 || first[op] == ldapUnbind || first[op] == ldapAbandon {
			return yes
		}
		return no
	}
	return maybe
}

// response is the tag of the answer to an operation, 0 if there is none.
func response(op byte) byte {
	switch op {
	case ldapBind:
		return 0x61
	case ldapSearch:
		return 0x65
	case ldapExtended:
		return 0x78
	case 0x66, 0x68, 0x6c, 0x6e: // modify, add, rename, compare
		return op + 1
	case 0x4a: // delete
		return 0x6b
	}
	return 0
}

// directory accepts every login and has no entries.
func directory(w *wire) error {
	for {
		op, id, p, err := request(w)
		if err != nil {
			return err
		}
		if op == ldapBind {
			w.tell("login")
		}
		w.tell("query")
		w.ask(languageLDAP, searchText(p))
		switch {
		case op == ldapUnbind:
			return nil
		case op == ldapAbandon:
		case op == ldapExtended && bytes.Contains(p, []byte(startTLS)):
			secure := w.canSecure()
			if !secure {
				result(w, id, response(op), 2) // a protocol error
				continue
			}
			result(w, id, response(op), 0)
			if err := w.upgrade(); err != nil {
				return err
			}
		case response(op) == 0:
			return errStray
		default:
			result(w, id, response(op), 0)
		}
	}
}

// request reads a message: its number, its operation and the beginning of the
// operation's content.
func request(w *wire) (op byte, id, p []byte, err error) {
	tag, size, err := element(w)
	if err != nil {
		return 0, nil, nil, err
	}
	if tag != 0x30 || size > ldapMax {
		return 0, nil, nil, errStray
	}
	p, err = w.head("query", size)
	if err != nil {
		return 0, nil, nil, err
	}
	if len(p) < 4 || p[0] != 2 || p[1] == 0 || p[1] > 4 || len(p) < int(p[1])+3 {
		return 0, nil, nil, errStray
	}
	n := 2 + int(p[1])
	return p[n], p[:n], p[n:], nil
}

// element reads a tag and a length.
func element(w *wire) (tag byte, size int64, err error) {
	p, err := w.take(2)
	if err != nil {
		return 0, 0, err
	}
	if p[1] < 0x80 {
		return p[0], int64(p[1]), nil
	}
	if p[1] == 0x80 || p[1] > 0x84 {
		return 0, 0, errStray
	}
	digits, err := w.take(int(p[1] & 0xf))
	if err != nil {
		return 0, 0, err
	}
	for _, c := range digits {
		size = size<<8 | int64(c)
	}
	return p[0], size, nil
}

// result sends a result code without a text.
func result(w *wire, id []byte, tag, code byte) {
	w.put(0x30, byte(len(id)+9))
	w.put(id...)
	w.put(tag, 7, 0x0a, 1, code, 4, 0, 4, 0)
}
