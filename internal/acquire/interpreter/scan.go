package interpreter

import (
	"bytes"
	"errors"
	"io"
)

// no gap: bounds the toolchain that we fetch, not the server
const (
	// maxScan bounds how many bytes of a program are searched.
	maxScan = 512 << 20
	// scanTail is how many bytes after a mark are passed on.
	scanTail = 32
)

// scanFile searches a program for mark. at gets the byte before each mark and
// some bytes after it, and returns the version or "".
func scanFile(path, mark string, at func(before byte, tail []byte) string) string {
	f, _, err := openRegular(path)
	if err != nil {
		return ""
	}
	defer f.Close()
	return scan(io.LimitReader(f, maxScan), mark, at)
}

// scan reads in pieces. A mark without its whole tail is left to the next
// piece, which begins with the byte before it.
func scan(r io.Reader, mark string, at func(before byte, tail []byte) string) string {
	buf := make([]byte, 1<<20)
	kept := 1 // nothing comes before the first byte
	for {
		n, err := io.ReadFull(r, buf[kept:])
		ended := errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF)
		if err != nil && !ended {
			return ""
		}
		piece := buf[:kept+n]
		whole := len(piece) - len(mark) - scanTail
		if ended {
			whole = len(piece)
		}
		if v := scanPiece(piece, mark, whole, at); v != "" || ended {
			return v
		}
		kept = copy(buf, piece[whole:])
	}
}

// scanPiece searches for marks that begin after the first byte and not after
// whole.
func scanPiece(piece []byte, mark string, whole int, at func(before byte, tail []byte) string) string {
	for from := 1; ; {
		n := bytes.Index(piece[from:], []byte(mark))
		if n < 0 || from+n > whole {
			return ""
		}
		start, end := from+n, from+n+len(mark)
		if v := at(piece[start-1], piece[end:min(end+scanTail, len(piece))]); v != "" {
			return v
		}
		from = end
	}
}

// readHead reads the beginning of a file; an unreadable file is empty.
func readHead(path string, limit int) []byte {
	f, _, err := openRegular(path)
	if err != nil {
		return nil
	}
	defer f.Close()
	text := make([]byte, limit)
	n, err := io.ReadFull(f, text)
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return nil
	}
	return text[:n]
}
