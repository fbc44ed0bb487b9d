package canary

import "slices"

const (
	// history is how far back a node remembers, beside what it still needs.
	history = 512
	// portion is what a node takes at a time.
	portion = 2048
	// maxDepth is how many decodings deep is looked. Three, because what is
	// two deep is often in a JSON string.
	maxDepth = 3
)

// node searches one sequence of bytes: the stream itself or something that was
// decoded from it. What it finds depends on the bytes alone, not on how they
// were portioned: every part of it stops where it would have to guess and goes
// on when more has come.
type node struct {
	scan  *scan
	chain []string
	depth int

	dead     bool // there was no paying for it; what follows would be out of place
	buf      []byte
	base     int64 // position of buf[0]
	windowAt int   // in buf: the windows before were looked up
	tracks   []track

	source
	separators
	again bool // this is from the second look at the beginning: see lookAgain

	look      looker
	runs      [alphabetCount]runner
	active    bool // the runners are at work
	escapes   [escapeCount]escaper
	split     [maxPeriod - minPeriod + 1]splitter // by period
	splitting int                                 // how many of them are at work
	compression
}

// separators are what was taken out to get a node's bytes.
type separators struct {
	splits int
	wide   bool
	sep    byte
}

// compression is how far a node has looked for compressed data.
type compression struct {
	magicAt   int64
	deflateAt int      // bytes needed to tell whether this is deflated data
	coding    []coding // what the beginning is known to be in
	inflaters []*inflater
}

// child makes a node for what is decoded from here on. Ratio num:den is that
// of the encoding.
func (n *node) child(name string, at, num, den int64) *node {
	c := n.scan.set.nodes.Get().(*node)
	c.dead = !n.scan.charge(nodeCost)
	c.scan, c.depth = n.scan, n.depth+1
	c.chain = append(append(c.chain[:0], n.chain...), name)
	c.again = n.again
	c.up, c.num, c.den, c.inside = n, num, den, n.inside
	c.anchors = append(c.anchors[:0], anchor{0, at})
	c.look.reset()
	return c
}

// end is the position after the last byte.
func (n *node) end() int64 { return n.base + int64(len(n.buf)) }

func (n *node) write(p []byte) {
	for len(p) > 0 {
		k := min(len(p), portion)
		if n.dead = n.dead || !n.scan.pay(n, k); n.dead {
			return
		}
		n.buf = append(append(n.buf, p[:k]...), 0) // a spare byte, to read windows as words
		n.buf = n.buf[:len(n.buf)-1]
		p = p[k:]
		n.work(false)
		n.trim()
	}
}

// work looks at what has come.
func (n *node) work(final bool) {
	n.follow()
	n.windows()
	n.forget(n.windowAt)
	if n.depth >= maxDepth {
		return
	}
	n.findCompressed(final) // before what may see the same once more: they are few
	n.findRuns(final)
	n.findEscapes(final)
}

// finish ends the sequence. The node must not be used any more.
func (n *node) finish() {
	n.drain()
	n.recycle()
}

// drain reports what is still open.
func (n *node) drain() {
	n.work(true)
	for i := range n.tracks {
		if t := &n.tracks[i]; t.open {
			t.open = false
			n.close(t, &n.scan.index.forms[t.form])
		}
	}
	for i := range n.runs {
		n.runs[i].stop(n, &n.scan.set.alphabets[i])
	}
	for i := range n.split {
		n.split[i].stop(n)
	}
	for i := range n.escapes {
		n.escapes[i].stop()
	}
	for _, z := range n.inflaters {
		z.finish()
	}
}

// recycle keeps the memory for another node.
func (n *node) recycle() {
	pool := &n.scan.set.nodes
	*n = node{
		chain: n.chain[:0], buf: n.buf[:0], tracks: n.tracks[:0],
		source:      source{anchors: n.anchors[:0]},
		compression: compression{inflaters: slices.Delete(n.inflaters, 0, len(n.inflaters))},
	}
	pool.Put(n)
}

// trim drops what nothing can refer to any more.
func (n *node) trim() {
	keep := min(n.base+int64(n.windowAt), n.needed())
	cut := (int(keep-n.base) - history) &^ 1 // what was even stays so
	if cut < portion {
		return
	}
	n.buf = append(n.buf[:0], n.buf[cut:]...) // shorter, so there is room for the spare byte
	n.base += int64(cut)
	n.windowAt -= cut
	n.source.trim(n.base - 4*portion) // what is decoded from here lags behind, but never that far
}

// needed is the first position that is still to be looked at.
func (n *node) needed() int64 {
	if n.depth >= maxDepth {
		return n.end()
	}
	at := min(n.look.at, n.magicAt)
	for i := range n.escapes {
		at = min(at, n.escapes[i].at)
	}
	return at
}

// tidy names what was taken apart in two steps but is one: pairs of digits
// with separators between are hexadecimal.
func tidy(chain []string) []string {
	for i := 0; i+1 < len(chain); i++ {
		if chain[i] == namePairs {
			chain[i] = nameSplit
			if chain[i+1] == nameHex {
				chain = slices.Delete(chain, i, i+1)
			}
		}
	}
	if k := len(chain) - 1; k >= 0 && chain[k] == namePairs {
		chain[k] = nameSplit
	}
	return chain
}
