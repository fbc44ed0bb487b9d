package listener

import (
	"encoding/json"
	"strings"
	"sync/atomic"
	"unicode"
	"unicode/utf8"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/drive/jsonrpc"
)

// maxAttacked is how many bytes of answers to attacks are scanned, without lines
// that stood in an earlier answer.
// gap: attack-answers-not-read
const maxAttacked = 2 << 20

// attacked counts the answers to attacks. There are hundreds, most of them alike.
type attacked struct {
	read   int
	unread atomic.Int64
}

// readAttacked scans the answer to an attack, which may be the only input that a
// server answers with an order. It may repeat our text, which has odd characters
// and encodings but orders nothing: its words are left out, and only orders are the
// server's. What a model wrote for us may order something, so the answers to that are
// not read.
func (l *Listener) readAttacked(m *mcpsf.Message) {
	if m.Method != "tools/call" || m.Attack.By != "" {
		return
	}
	var answer any
	if json.Unmarshal(m.Whole, &answer) != nil {
		return
	}
	fresh, err := jsonrpc.Marshal(l.unheard(answer, wordsOf(m.Attack.Payload)))
	if err != nil {
		return
	}
	if l.attacked.read += len(fresh); l.attacked.read > maxAttacked {
		l.attacked.unread.Add(int64(len(fresh)))
		return
	}
	l.scan(m, "result", m.Tool, fresh, func(d *mcpsf.TextDetail) bool { return d.What.Orders() })
}

// unheard returns a JSON value without the lines of text that were heard before, and
// without our words.
func (l *Listener) unheard(value any, ours map[string]bool) any {
	switch v := value.(type) {
	case string:
		var fresh strings.Builder
		for line := range strings.Lines(v) {
			if line = without(line, ours); l.lines.first("", "", []byte(line)) {
				fresh.WriteString(line)
			}
		}
		return fresh.String()
	case map[string]any:
		for name := range v {
			v[name] = l.unheard(v[name], ours)
		}
	case []any:
		for i := range v {
			v[i] = l.unheard(v[i], ours)
		}
	}
	return value
}

// wordsOf returns the words of a payload.
func wordsOf(payload string) map[string]bool {
	words := map[string]bool{}
	for word := range strings.FieldsFuncSeq(strings.ToLower(payload), betweenWords) {
		words[word] = true
	}
	return words
}

// without leaves words out of a line, however the server writes them.
func without(line string, words map[string]bool) string {
	var b strings.Builder
	for rest := line; rest != ""; {
		end := strings.IndexFunc(rest, betweenWords)
		if end < 0 {
			end = len(rest)
		}
		if word := rest[:end]; !words[strings.ToLower(word)] {
			b.WriteString(word)
		}
		_, size := utf8.DecodeRuneInString(rest[end:])
		b.WriteString(rest[end : end+size])
		rest = rest[end+size:]
	}
	return b.String()
}

func betweenWords(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }
