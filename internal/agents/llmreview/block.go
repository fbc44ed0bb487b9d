package llmreview

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// block is one piece of quoted data.
type block struct {
	// label says what it is, in our words.
	label string
	parts []part
	// of and name are as in [mcpsf.Suspicion]; event and call are those of an
	// answer.
	of, name string
	event    int64
	call     string
	// probe is set for our own text; nil for text of the target.
	probe *probe
}

// part is a piece of text, an optional label, and how many bytes behind it are
// left out.
type part struct {
	text string
	is   string
	left int
}

// clipped is a block with the beginning and the end of a text.
func clipped(label, text string, head, tail int, h *redactor) block {
	b := block{label: label}
	b.add("", text, head, tail, h)
	return b
}

// margin is how far beyond a cut secrets are searched; otherwise a secret at
// the cut would be shown in part.
const margin = 4 << 10

func (b *block) add(is, text string, head, tail int, h *redactor) {
	if len(text) <= head+tail {
		b.parts = append(b.parts, part{text: h.redact(text), is: is})
		return
	}
	begin := cut(h.redact(cut(text, head+margin)), head)
	b.parts = append(b.parts, part{begin, is, len(text) - len(begin) - tail})
	if tail > 0 {
		end := h.redact(text[max(0, len(text)-tail-margin):])
		b.parts = append(b.parts, part{text: strings.ToValidUTF8(end[max(0, len(end)-tail):], "")})
	}
}

func (b *block) size() int {
	n := len(b.label)
	for _, p := range b.parts {
		n += len(p.text)
	}
	return n
}

// maxShown bounds a part after its invisible characters were escaped.
// gap: model-review
const maxShown = 4 << 10

// write quotes the block. Each of its lines begins with a bar, so that none can
// be a delimiter.
func (b *block) write(out *strings.Builder, n int, key string) {
	fmt.Fprintf(out, "<<<block %d %s: %s>>>\n", n, key, b.label)
	for _, p := range b.parts {
		if p.is != "" {
			out.WriteString("! " + p.is + "\n")
		}
		text, left := escapeQuoted(p.text, key), p.left
		if len(text) > maxShown {
			text = cut(text, maxShown)
			left = max(left, 1)
		}
		for line := range strings.SplitSeq(text, "\n") {
			out.WriteString("| " + line + "\n")
		}
		if left > 0 {
			fmt.Fprintf(out, "! here %d bytes or more are left out\n", left)
		}
	}
	fmt.Fprintf(out, "<<<end %d %s>>>\n", n, key)
}

// holds says whether normalised words are in what the block shows.
func (b *block) holds(words, key string) bool {
	for _, p := range b.parts {
		if strings.Contains(bare(p.text), words) || strings.Contains(bare(escapeQuoted(p.text, key)), words) {
			return true
		}
	}
	return false
}

// cut shortens s to at most n bytes, between two characters.
func cut(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}
