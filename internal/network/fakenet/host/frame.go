package host

import (
	"bufio"
	"encoding/binary"
	"errors"
	"io"
)

// The kinds of WebSocket frames (RFC 6455, section 11.8).
const (
	frameContinuation = 0
	frameText         = 1
	frameBinary       = 2
	frameClose        = 8
	framePing         = 9
	framePong         = 10
)

// frame is the header of one frame.
type frame struct {
	final  bool
	kind   byte
	masked bool
	mask   [4]byte
	size   uint64
}

var errFrame = errors.New("not a frame of a WebSocket")

// readFrame reads the header of a frame. Clients that do not mask are accepted,
// because their content matters and not its form.
func readFrame(in *bufio.Reader) (*frame, error) {
	var p [8]byte
	if _, err := io.ReadFull(in, p[:2]); err != nil {
		return nil, err
	}
	f := &frame{final: p[0]&0x80 != 0, kind: p[0] & 0x0f, masked: p[1]&0x80 != 0, size: uint64(p[1] & 0x7f)}
	var err error
	switch f.size {
	case 126:
		_, err = io.ReadFull(in, p[:2])
		f.size = uint64(binary.BigEndian.Uint16(p[:]))
	case 127:
		_, err = io.ReadFull(in, p[:8])
		f.size = binary.BigEndian.Uint64(p[:])
	}
	if err == nil && f.masked {
		_, err = io.ReadFull(in, f.mask[:])
	}
	switch {
	case err != nil:
		return nil, noEOF(err)
	case f.kind >= frameClose && (f.size > 125 || !f.final):
		return nil, errFrame
	}
	return f, nil
}

// read passes on at most that many bytes of the payload, unmasked and in
// pieces.
func (f *frame) read(in *bufio.Reader, most uint64, to func([]byte)) error {
	most = min(f.size, most)
	buffer := make([]byte, min(most, pieceSize))
	for at := uint64(0); at < most; {
		n, err := io.ReadFull(in, buffer[:min(most-at, uint64(len(buffer)))])
		if f.masked {
			for i := range buffer[:n] {
				buffer[i] ^= f.mask[(at+uint64(i))&3]
			}
		}
		to(buffer[:n])
		if at += uint64(n); err != nil {
			return noEOF(err)
		}
	}
	return nil
}

// appendFrame appends a frame in the form that servers send.
func appendFrame(to []byte, kind byte, payload []byte) []byte {
	to = append(to, 0x80|kind)
	switch n := len(payload); {
	case n < 126:
		to = append(to, byte(n))
	case n < 1<<16:
		to = binary.BigEndian.AppendUint16(append(to, 126), uint16(n))
	default:
		to = binary.BigEndian.AppendUint64(append(to, 127), uint64(n))
	}
	return append(to, payload...)
}
