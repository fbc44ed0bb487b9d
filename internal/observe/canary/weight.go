package canary

import (
	_ "embed"
	"math"
	"math/bits"
	"slices"
	"sync"
)

//go:embed ordinary.txt
var ordinary string

// no gap: a secret that is encoded more deeply is opaque data, which rules judge by its cause
const (
	// enough is the minimum weight of a hit: a dozen random characters.
	enough = 34
	// faint is the weight below which a whole mark proves nothing.
	faint = 20
	// ordinaryRun is the minimum length of a recognised piece of ordinary text:
	// shorter pieces occur in random tokens.
	ordinaryRun = 6
	// shared is how many marks may contain a piece before it counts as common
	// to files of the kind; a token that is a mark of its own may be in any
	// number.
	shared = 3
	token  = 64

	// leastListed is the minimum length of a piece of a list of numbers: five or six
	// of them in a row. Shorter ones are in every other list that is long enough.
	leastListed = 20

	letterBits = 4.2 // a character in ordinary text, which weighs nothing
	mostBits   = 4   // of one byte
	digitBits  = 1.5 // a digit after a digit: numbers are everywhere
	vouched    = 3   // minimum of a byte in Distinct
	listedBits = 1.5 // the same in a list of numbers: every program has some
)

// weigh computes how much every byte of every mark proves.
func (s *Set) weigh(marks []Mark, values [][]byte) {
	text := ordinaryModel()
	common := commonPieces(values)
	s.marks = make([]mark, len(marks))
	for i, value := range values {
		w := text.weights(value)
		var listed []Span
		if len(marks[i].Distinct) > 0 {
			listed = vouch(w, value, marks[i].Distinct)
		} else {
			erase(w, value, func(piece uint64) bool { return common.find(piece).count >= shared })
			if n := numbers(value); n == len(value) {
				listed = []Span{{0, n}}
			}
		}
		m := mark{id: marks[i].ID, size: len(value), length: len(marks[i].Value), listed: listed, sum: make([]float32, len(value)+1)}
		for j := range w {
			m.sum[j+1] = m.sum[j] + w[j]
		}
		if total := m.sum[len(value)]; total >= faint {
			m.need = min(enough, total*0.9)
		} else {
			s.weak = append(s.weak, m.id)
		}
		s.marks[i] = m
	}
}

func (m *mark) weight(lo, hi int) float32 { return m.sum[min(hi, m.size)] - m.sum[lo] }

// isFewNumbers tells whether a piece is a short part of a list of numbers.
func (m *mark) isFewNumbers(lo, hi int) bool {
	return hi-lo < leastListed && slices.ContainsFunc(m.listed, func(s Span) bool { return lo >= s.From && hi <= s.To })
}

// vouch gives weight to the Distinct parts, and returns the lists of numbers in them.
func vouch(w []float32, value []byte, distinct []Span) (lists []Span) {
	old := append([]float32(nil), w...)
	clear(w)
	for _, d := range distinct {
		end := min(d.To, len(w))
		listed := 0 // end of the list that contains j
		for j := d.From; j < end; j++ {
			if j >= listed {
				if listed = j + numbers(value[j:end]); listed > j {
					lists = append(lists, Span{j, listed})
				}
			}
			if w[j] = max(old[j], vouched); j < listed {
				w[j] = listedBits
			}
		}
	}
	return lists
}

// numbers returns the length of the list of small numbers that value begins
// with, as programs write bytes: 12,112,11. Two commas make a list.
func numbers(value []byte) int {
	digits, commas, n := 0, 0, 0
	for _, c := range value {
		switch {
		case isDigit(c) && digits < 3:
			digits++
		case c == ',' && digits > 0:
			digits, commas = 0, commas+1
		default:
			return listLength(n, commas)
		}
		n++
	}
	return listLength(n, commas)
}

func listLength(n, commas int) int {
	if commas < 2 {
		return 0
	}
	return n
}

// erase removes the weight of known pieces.
func erase(w []float32, value []byte, known func(uint64) bool) {
	eachPiece(value, func(at int, piece uint64) {
		if known(piece) {
			clear(w[at : at+ordinaryRun])
		}
	})
}

// eachPiece visits the pieces of ordinaryRun bytes, in lower case.
func eachPiece[T string | []byte](value T, visit func(at int, piece uint64)) {
	var piece uint64
	for i := range len(value) {
		piece = (piece<<8 | uint64(lowerByte(value[i]))) & (1<<(8*ordinaryRun) - 1)
		if i+1 >= ordinaryRun {
			visit(i+1-ordinaryRun, piece)
		}
	}
}

// pieceTable counts the marks that have a piece. It is a minimal hash table;
// with a map, Compile would spend most of its time there.
type pieceTable []pieceOwner

type pieceOwner struct {
	piece uint64 // plus one
	last  int32
	count int32
}

// newPieceTable has room for n pieces.
func newPieceTable(n int) pieceTable { return make(pieceTable, 1<<bits.Len(uint(2*n+1))) }

// find returns the owner of a piece, a new one if it was not there.
func (t pieceTable) find(piece uint64) *pieceOwner {
	i := piece * mixer >> 20 & uint64(len(t)-1)
	for ; t[i].piece != 0 && t[i].piece != piece+1; i = (i + 1) & uint64(len(t)-1) {
	}
	t[i].piece = piece + 1
	return &t[i]
}

// has reports whether a piece is there.
func (t pieceTable) has(piece uint64) bool {
	i := piece * mixer >> 20 & uint64(len(t)-1)
	for ; t[i].piece != 0; i = (i + 1) & uint64(len(t)-1) {
		if t[i].piece == piece+1 {
			return true
		}
	}
	return false
}

// take records that a mark has a piece, and reports whether it already had it.
func (t pieceTable) take(piece uint64, mark int) bool {
	o := t.find(piece)
	if o.count > 0 && o.last == int32(mark) {
		return true
	}
	o.last, o.count = int32(mark), o.count+1
	return false
}

// commonPieces counts how many marks have each piece, and zero for those of
// tokens.
func commonPieces(values [][]byte) pieceTable {
	total := 0
	for _, value := range values {
		total += len(value)
	}
	t := newPieceTable(total)
	for i, value := range values {
		eachPiece(value, func(_ int, piece uint64) { t.take(piece, i) })
	}
	for _, value := range values {
		if len(value) <= token {
			eachPiece(value, func(_ int, piece uint64) { t.find(piece).count = 0 })
		}
	}
	return t
}

// model is a statistical model of ordinary text.
type model struct {
	pieces pieceTable
	cost   [256][256]float32 // of the second character after the first
}

// ordinaryModel is made once: sets are compiled for the arguments of every call.
//
//nolint:gochecknoglobals // made once, and never changed
var ordinaryModel = sync.OnceValue(func() *model { return newModel(ordinary) })

func newModel(text string) *model {
	m := &model{pieces: newPieceTable(len(text))}
	eachPiece(text, func(_ int, piece uint64) { m.pieces.take(piece, 0) })
	var pairs [256][256]float32
	var single, rows [256]float32
	for i := 1; i < len(text); i++ {
		a, b := lowerByte(text[i-1]), lowerByte(text[i])
		pairs[a][b]++
		rows[a]++
		single[b]++
	}
	const backoff = 4 // how many observations the single character is worth
	for a := range pairs {
		for b := range pairs[a] {
			alone := (single[b] + 0.5) / (float32(len(text)) + 128)
			m.cost[a][b] = -float32(math.Log2(float64((pairs[a][b] + backoff*alone) / (rows[a] + backoff))))
		}
	}
	return m
}

// weights returns the weights of value's bytes by the model alone.
func (m *model) weights(value []byte) []float32 {
	w := make([]float32, len(value))
	for i, c := range value {
		before := byte(' ')
		if i > 0 {
			before = value[i-1]
		}
		switch {
		case i > 2 && c == before && c == value[i-2]:
		case isDigit(c) && isDigit(before):
			w[i] = digitBits
		default:
			w[i] = min(max(m.cost[lowerByte(before)][lowerByte(c)]-letterBits, 0), mostBits)
			if (c >= 'A' && c <= 'Z') && (before >= 'a' && before <= 'z' || isDigit(before)) {
				w[i] = min(w[i]+1.5, mostBits) // text does not change case inside a word
			}
		}
	}
	erase(w, value, func(piece uint64) bool { return m.pieces.has(piece) })
	// A repetition proves nothing new.
	seen := newPieceTable(len(value))
	eachPiece(value, func(at int, piece uint64) {
		if seen.take(piece, 0) {
			w[at+ordinaryRun-1] = 0
		}
	})
	return w
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }
