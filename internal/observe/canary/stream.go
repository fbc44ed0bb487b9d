package canary

import (
	"slices"
	"strings"
)

const (
	// step is how often, in bytes of the stream, hits that could have grown are
	// settled.
	step = 4096
	// apart is the maximum distance of two pieces of one hit.
	apart = 512
	// patience is how long, in bytes of the stream, further pieces of a mark
	// are awaited: more encodings make a line of text longer.
	patience = 1 << 14
	// ripe is after how many bytes all readings of a place are known.
	ripe = 256
)

// StreamOptions say what is known about a stream.
type StreamOptions struct {
	// ContentEncoding is the value of the header: the codings in the order in
	// which they were applied. Compressed data with a magic number is found
	// without it.
	ContentEncoding string
	// Decoders are for codings that are not built in.
	Decoders map[string]Decoder
}

// Stream searches one ordered sequence of bytes. It takes memory as it needs
// it: 30 kB on ordinary traffic, at most 6 MB if an attacker triggers all
// decodings at once, and for each of at most twelve nested compressed streams
// 50 kB, or 5 MB for at most six in zstd and 17 MB for at most two in brotli.
// It must be closed.
//
// Hits do not depend on how the bytes were portioned. A plain or once encoded
// mark is reported by the Write that completes it, a doubly encoded one at most
// 256 bytes later. A partial mark is reported when enough bytes have followed
// to be sure. Flush and Close report what was found so far.
type Stream struct {
	scan   scan
	root   *node
	size   int64
	head   []byte
	closed bool
	ledger ledger
}

// Stream begins a stream. Options may be nil.
func (s *Set) Stream(o *StreamOptions) *Stream {
	st := &Stream{scan: scan{set: s, index: s.index, allow: allowAtFirst}, ledger: ledger{marks: s.marks}}
	st.scan.report = st.ledger.add
	st.root = s.nodes.Get().(*node)
	st.root.scan, st.root.chain = &st.scan, nil
	st.root.deflateAt = plausible
	if o != nil {
		st.coded(o)
	}
	return st
}

// Write searches the next bytes.
func (st *Stream) Write(p []byte) []Hit {
	if st.closed {
		return nil
	}
	for len(p) > 0 {
		k := min(len(p), int(step-st.size%step))
		if room := headSize - len(st.head); room > 0 && st.size == int64(len(st.head)) {
			st.head = append(st.head, p[:min(k, room)]...)
		}
		st.root.write(p[:k])
		p = p[k:]
		if st.size += int64(k); st.size%step == 0 {
			st.ledger.ripen(st.size)
			st.lookAgain()
			st.ledger.settle(st.size - patience)
		}
	}
	st.ledger.ripen(st.size)
	return st.ledger.take()
}

// Flush reports what was found so far, whole or not. Later bytes are judged
// separately.
func (st *Stream) Flush() []Hit {
	st.ledger.settle(st.size + 1)
	return st.ledger.take()
}

// Close ends the stream.
func (st *Stream) Close() []Hit {
	if st.closed {
		return nil
	}
	st.closed = true
	st.root.drain()
	st.lookAgain()
	st.root.recycle()
	st.ledger.settle(st.size + 1)
	return st.ledger.take()
}

// Cut reports whether something was not searched because it would have taken
// too much time or memory.
func (st *Stream) Cut() bool { return st.scan.cut }

// coded starts to decode the header's codings, the last one first.
func (st *Stream) coded(o *StreamOptions) {
	list := strings.Split(o.ContentEncoding, ",")
	if len(list) > maxDepth {
		st.scan.cut = true
		return
	}
	for _, coding := range slices.Backward(list) {
		name := strings.ToLower(strings.TrimSpace(coding))
		c, ok := codingOf(name, o.Decoders)
		if !ok {
			st.scan.cut = st.scan.cut || name != "" && name != "identity"
			break
		}
		st.root.coding = append(st.root.coding, c)
	}
}

// coding is a content coding that can be decoded.
type coding struct {
	name string
	open Decoder
}

func codingOf(name string, more map[string]Decoder) (coding, bool) {
	if open := more[name]; open != nil {
		return coding{name, open}, true
	}
	switch name {
	case "gzip", "x-gzip":
		return coding{nameGzip, openGzip}, true
	case "deflate":
		return coding{nameDeflate, openEither}, true
	case "zstd":
		return coding{nameZstd, openZstd}, true
	case "br":
		return coding{nameBrotli, openBrotli}, true
	default:
		return coding{}, false
	}
}
