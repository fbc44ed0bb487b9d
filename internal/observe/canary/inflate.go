package canary

import (
	"bytes"
	"errors"
	"io"
	"iter"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/flate"
	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zlib"
	"github.com/klauspost/compress/zstd"
)

// gap: not-decoded
const (
	// maxInflaters is how many decompressors may run in one stream.
	maxInflaters = 12
	// maxBig is how many of those may need much memory, in units of one zstd
	// decompressor.
	maxBig = 6
	// inflaterCost is the fixed cost of one, in bytes searched.
	inflaterCost = 2048
	// maxZstdWindow is the largest window a zstd frame may request.
	maxZstdWindow = 4 << 20
	// magicSize is how many bytes identify compressed data.
	magicSize = 4
)

// Decoder opens compressed data. It must read no more than it needs and bound
// its allocations whatever the data says.
type Decoder func(io.Reader) (io.Reader, error)

// inflater decompresses the bytes fed to it, as a coroutine of the caller:
// decompressors pull from a reader, but here bytes are pushed.
type inflater struct {
	child              *node
	fedTo              int64 // position in the node
	parent             *node
	outerFrom, outerAt int64 // consumed range of the stream
	in                 []byte
	inAt               int64 // position of in
	next               func() (struct{}, bool)
	stop               func()
	yield              func(struct{}) bool
	big                int
	ended              bool
}

// findCompressed looks for the beginnings of compressed data and feeds the
// running decompressors.
func (n *node) findCompressed(final bool) {
	n.feedInflaters()
	if c := n.coding; len(c) > 0 {
		n.coding = nil
		if z := n.inflate(c[0].name, 0, c[0].open, c[1:]); z != nil {
			n.magicAt = 1 // avoids decoding the same data twice
		}
	}
	if n.end()-n.magicAt >= magicSize {
		b := n.buf[n.magicAt-n.base:]
		n.findMagic(b, 0x1f, isGzip)
		n.findMagic(b, 0x28, isZstd)
		n.findMagic(b, 0x78, isZlib)
		n.magicAt = n.end() - magicSize + 1
	}
	if n.deflateAt > 0 && n.base == 0 && (final || len(n.buf) >= n.deflateAt) {
		if plausibleDeflate(n.buf[:min(len(n.buf), n.deflateAt)], len(n.buf) < n.deflateAt) {
			n.inflate(nameDeflate, 0, openDeflate, nil)
		}
		n.deflateAt = 0
	}
}

// findMagic looks for one format in b, which begins at magicAt.
func (n *node) findMagic(b []byte, first byte, is func([]byte) (string, Decoder)) {
	for i := 0; i+magicSize <= len(b); i++ {
		k := bytes.IndexByte(b[i:len(b)-magicSize+1], first)
		if k < 0 {
			return
		}
		i += k
		if name, open := is(b[i:]); open != nil {
			n.inflate(name, n.magicAt+int64(i), open, nil)
		}
	}
}

func isGzip(b []byte) (string, Decoder) {
	if b[0] == 0x1f && b[1] == 0x8b && b[2] == 8 && b[3]&0xe0 == 0 {
		return nameGzip, openGzip
	}
	return "", nil
}

func isZstd(b []byte) (string, Decoder) {
	if b[0] == 0x28 && b[1] == 0xb5 && b[2] == 0x2f && b[3] == 0xfd {
		return nameZstd, openZstd
	}
	return "", nil
}

func isZlib(b []byte) (string, Decoder) {
	if b[0] == 0x78 && (b[1] == 0x01 || b[1] == 0x5e || b[1] == 0x9c || b[1] == 0xda) && (len(b) < 2+minValue || plausibleDeflate(b[2:min(len(b), 2+plausible)], false)) {
		return nameZlib, openZlib
	}
	return "", nil
}

func openGzip(r io.Reader) (io.Reader, error)    { return gzip.NewReader(r) }
func openZlib(r io.Reader) (io.Reader, error)    { return zlib.NewReader(r) }
func openDeflate(r io.Reader) (io.Reader, error) { return flate.NewReader(r), nil }

func openZstd(r io.Reader) (io.Reader, error) {
	return zstd.NewReader(r, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true),
		zstd.WithDecoderMaxWindow(maxZstdWindow))
}

// openBrotli reads single bytes, as the other decompressors do by themselves:
// see [inflater.ReadByte].
func openBrotli(r io.Reader) (io.Reader, error) { return brotli.NewReader(single{r}), nil }

type single struct{ io.Reader }

func (s single) Read(p []byte) (int, error) { return s.Reader.Read(p[:min(len(p), 1)]) }

// openEither accepts what servers call deflate: zlib, or raw deflate without
// its header.
func openEither(r io.Reader) (io.Reader, error) {
	p := &peeked{r: r}
	if _, err := io.ReadFull(r, p.head[:]); err != nil {
		return nil, err
	}
	if p.head[0]&0x0f == 8 && (uint(p.head[0])<<8|uint(p.head[1]))%31 == 0 {
		return openZlib(p)
	}
	return openDeflate(p)
}

// peeked puts two bytes back before a reader.
type peeked struct {
	head [2]byte
	used int
	r    io.Reader
}

func (p *peeked) Read(b []byte) (int, error) {
	if p.used < len(p.head) {
		k := copy(b, p.head[p.used:])
		p.used += k
		return k, nil
	}
	return p.r.Read(b)
}

func (p *peeked) ReadByte() (byte, error) {
	var b [1]byte
	_, err := io.ReadFull(p, b[:])
	return b[0], err
}

// inflate begins to decompress at a position.
func (n *node) inflate(name string, at int64, open Decoder, inner []coding) *inflater {
	big := bigness(name)
	if n.scan.inflaters >= maxInflaters || n.scan.big+big > maxBig || !n.scan.charge(inflaterCost) {
		n.scan.cut = true
		return nil
	}
	n.scan.inflaters++
	n.scan.big += big
	z := &inflater{parent: n, big: big, fedTo: at, child: n.child(name, at, 1, 1), outerFrom: n.outer(at), outerAt: n.outerEnd(at + 1)}
	z.child.inside, z.child.coding, z.child.deflateAt = z, inner, plausible
	z.next, z.stop = iter.Pull(func(yield func(struct{}) bool) {
		z.yield = yield
		z.run(open)
	})
	if z.feed(n); z.ended {
		z.finish() // most candidates are not compressed data
	} else {
		n.inflaters = append(n.inflaters, z)
	}
	return z
}

// bigness returns the memory class of a format, 0 for small. Two brotli
// decompressors may run; their window has any size up to 16 MB.
func bigness(name string) int {
	switch name {
	case nameZstd:
		return 1
	case nameBrotli:
		return 3
	}
	return 0
}

func (n *node) feedInflaters() {
	kept := n.inflaters[:0]
	for _, z := range n.inflaters {
		if z.feed(n); z.ended {
			z.finish()
		} else {
			kept = append(kept, z)
		}
	}
	clear(n.inflaters[len(kept):])
	n.inflaters = kept
}

// feed passes on the new bytes.
func (z *inflater) feed(n *node) {
	if z.ended || z.fedTo >= n.end() {
		return
	}
	z.in, z.inAt = n.buf[z.fedTo-n.base:], z.fedTo
	z.fedTo = n.end()
	if _, more := z.next(); !more {
		z.ended = true
	}
}

// finish signals the end of the input to the decompressor.
func (z *inflater) finish() {
	if !z.ended {
		z.in = nil
		z.stop()
	}
	z.parent.scan.inflaters--
	z.parent.scan.big -= z.big
	z.child.finish()
}

// run is the coroutine.
func (z *inflater) run(open Decoder) {
	defer func() {
		if recover() != nil { // a panic in a decoder, caused by hostile data
			z.parent.scan.cut = true
		}
	}()
	r, err := open(z)
	if err != nil {
		return
	}
	if c, ok := r.(*zstd.Decoder); ok {
		defer c.Close()
	}
	var buf [portion]byte
	for {
		k, err := r.Read(buf[:])
		z.outerAt = z.parent.outerEnd(z.inAt)
		z.child.write(buf[:k])
		if err != nil || z.parent.scan.broke() {
			if errors.Is(err, zstd.ErrWindowSizeExceeded) {
				z.parent.scan.cut = true
			}
			return
		}
	}
}

// Read gives the decompressor the available bytes, and waits for more if there
// are none.
func (z *inflater) Read(p []byte) (int, error) {
	if !z.wait() {
		return 0, io.EOF
	}
	k := copy(p, z.in)
	z.in, z.inAt = z.in[k:], z.inAt+int64(k)
	return k, nil
}

// ReadByte makes the decompressor read single bytes: it does not read beyond
// its end, and how much it has read does not depend on how much was available.
func (z *inflater) ReadByte() (byte, error) {
	if !z.wait() {
		return 0, io.EOF
	}
	c := z.in[0]
	z.in, z.inAt = z.in[1:], z.inAt+1
	return c, nil
}

// wait reports whether there is something to read.
func (z *inflater) wait() bool {
	for len(z.in) == 0 {
		if !z.yield(struct{}{}) {
			return false
		}
	}
	return true
}
