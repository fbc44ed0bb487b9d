package canary

import "slices"

// no gap: a secret that is encoded more deeply is opaque data, which rules judge by its cause
const (
	// history is how many bytes a node keeps beside those it still needs.
	history = 512
	// portion is how many bytes a node handles at a time.
	portion = 2048
	// maxDepth is the maximum number of nested decodings. Three, because doubly
	// encoded text is often in a JSON string.
	maxDepth = 3
)

// node searches one sequence of bytes: the stream itself or something decoded
// from it. Its hits depend on the bytes alone, not on how they were portioned:
// each part stops where it would have to guess and continues when more bytes
// have come.
type node struct {
	scan  *scan
	chain []string
	depth int

	dead     bool // the allowance was used up; later bytes would be misplaced
	buf      []byte
	base     int64 // position of buf[0]
	windowAt int   // in buf: earlier windows were looked up
	tracks   []track

	source
	separators
	again bool // from the second search of the beginning: see lookAgain

	look      looker
	runs      [alphabetCount]runner
	active    bool // the runners are active
	escapes   [escapeCount]escaper
	split     [maxPeriod - minPeriod + 1]splitter // by period
	splitting int                                 // how many of them are active
	compression
}

// separators are what was removed to get a node's bytes.
type separators struct {
	splits int
	wide   bool
	sep    byte
}

// compression is the state of the search for compressed data.
type compression struct {
	magicAt   int64
	deflateAt int      // bytes needed to recognise deflated data
	coding    []coding // the known codings at the beginning
	inflaters []*inflater
}

// child makes a node for bytes that are decoded from here on. num:den is the
// ratio of the encoding.
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

// work searches the new bytes.
func (n *node) work(final bool) {
	n.follow()
	n.windows()
	n.forget(n.windowAt)
	if n.depth >= maxDepth {
		return
	}
	n.findCompressed(final) // first, before the steps that may see the same data again: these are few
	n.findRuns(final)
	n.findEscapes(final)
}

// finish ends the sequence. The node must not be used any more.
func (n *node) finish() {
	n.drain()
	n.recycle()
}

// drain reports the open tracks.
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

// trim drops bytes that nothing can refer to any more.
func (n *node) trim() {
	keep := min(n.base+int64(n.windowAt), n.needed())
	cut := (int(keep-n.base) - history) &^ 1 // keeps even positions even
	if cut < portion {
		return
	}
	n.buf = append(n.buf[:0], n.buf[cut:]...) // shorter, so there is room for the spare byte
	n.base += int64(cut)
	n.windowAt -= cut
	n.source.trim(n.base - 4*portion) // decoded data lags behind, but never this far
}

// needed returns the first position that is still to be searched.
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

// tidy merges two decoding steps that are one: pairs of digits with separators
// between are hexadecimal.
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
