package host

import (
	"slices"

	"github.com/mcpsf/mcpsf/internal/network/fakenet/databases/objects"
	"github.com/mcpsf/mcpsf/internal/network/fakenet/services"
)

// intake receives the body of one request, reports it decoded and keeps its
// beginning.
type intake struct {
	web  *web
	undo *undo // nil if the body is not encoded
	// frame undoes aws-chunked, and what is around it; nil if the body has no frame.
	// field receives the headers in the frame.
	frame *undo
	field func(services.Field)
	// draft keeps the body for object storage, as it is inside the frame.
	draft *objects.Draft

	size int64 // as sent
	cut  bool
	// kept is the beginning without encodings, and clearSize how much that is in
	// all.
	kept      []byte
	clearSize int64

	piece []byte // not yet reported
	tail  []byte // the end of what was reported
}

const (
	// pieceSize is how much of a body is reported at once. Most bodies are
	// reported whole.
	pieceSize = 64 << 10
	// overlap is how many bytes are repeated when a piece of another request
	// came in between, so that a secret is not split between two reports.
	overlap = 1 << 10
)

func (w *web) newIntake(encodings []string) *intake {
	b := &intake{web: w, field: func(f services.Field) { w.sent("header "+f.Name, []byte(f.Value)) }}
	if i := slices.Index(encodings, encodingAWS); i >= 0 {
		b.frame = newUndo(encodings[i:], b, b.unframed)
		encodings = encodings[:i]
	}
	if len(encodings) > 0 {
		b.undo = newUndo(encodings, b, b.clear)
	}
	return b
}

// take adds bytes as sent. It returns false if the body is already too large.
func (b *intake) take(p []byte) bool {
	if room := maxBody - b.size; int64(len(p)) > room {
		p = p[:room]
		b.cut = true
	}
	b.size += int64(len(p))
	if b.frame != nil {
		b.frame.take(p)
	} else {
		b.unframed(p)
	}
	return !b.cut
}

// unframed receives the body without its frame.
func (b *intake) unframed(p []byte) {
	_, _ = b.draft.Write(p) // never fails
	if b.undo != nil {
		b.undo.take(p)
	} else {
		b.clear(p)
	}
}

// end reports the rest. It must be called.
func (b *intake) end() {
	if b.frame != nil {
		b.frame.end()
		if b.cut = b.cut || b.frame.bomb; b.frame.failed {
			b.draft.Break()
		}
		b.frame = nil
	}
	if b.undo != nil {
		b.undo.end()
		b.cut = b.cut || b.undo.bomb
		b.undo = nil
	}
	b.flush()
}

// clear receives the decoded body.
func (b *intake) clear(p []byte) {
	b.clearSize += int64(len(p))
	if room := keptToReply - len(b.kept); room > 0 {
		b.kept = append(b.kept, p[:min(room, len(p))]...)
	}
	for len(p) > 0 {
		n := min(len(p), pieceSize-len(b.piece))
		b.piece = append(b.piece, p[:n]...)
		if p = p[n:]; len(b.piece) == pieceSize {
			b.flush()
		}
	}
}

func (b *intake) flush() {
	if len(b.piece) == 0 {
		return
	}
	p := b.piece
	if b.web.last != b && len(b.tail) > 0 {
		p = append(b.tail, p...)
	}
	b.web.last = b
	b.web.sent("body", p)
	b.tail = append(b.tail[:0:0], p[max(0, len(p)-overlap):]...)
	b.piece = b.piece[:0]
}
