package attack

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/lazyregexp"
)

// Adopt turns a value that a model wrote for a place into payloads, by the
// marks it contains. Payloads that belong together are in order. The error says
// briefly why the value proves nothing or does too much.
func (w *World) Adopt(class string, p Place, value any) ([]Payload, error) {
	classes := All()
	i := slices.IndexFunc(classes, func(c Class) bool { return c.ID == class })
	if i < 0 {
		return nil, errors.New("there is no such class")
	}
	if classes[i].Yield(p) <= 0 {
		return nil, errors.New("the class does not apply to such a value")
	}
	text, isText := value.(string)
	if !isText {
		if !Untyped(class) && class != classAmplification {
			return nil, errors.New("the value is no text")
		}
		if text = compact(value); text == "" {
			return nil, errors.New("the value cannot be sent")
		}
	}
	if Harms(text) {
		return nil, errors.New("it does more than to bring its sign about")
	}
	m, err := w.markIn(class, p, text)
	if err != nil {
		return nil, err
	}
	return w.bearing(m, p, value, text)
}

// markIn returns the mark that the payload contains and can prove an attack
// with.
func (w *World) markIn(class string, p Place, text string) (*Mark, error) {
	err := errors.New("it holds nothing that success could be told by")
	for _, m := range w.Marks() {
		if m.Class != class || !m.In(text) {
			continue
		}
		if m.check != nil {
			if err = m.check(p, text); err != nil {
				continue
			}
		}
		if m.Sign == mcpsf.SignArgument {
			m.Marker = optionOf(text, m.Texts[0])
		}
		echo := compact(map[string]any{"text": text})
		if m.Sign == mcpsf.SignAnswer && Shown(&mcpsf.AttackDetail{Class: class, Sign: m.Sign, Marker: m.Marker}, []byte(echo)) {
			err = errors.New("who repeats it shows the sign, too")
			continue
		}
		return &m, nil
	}
	return nil, err
}

// bearing makes the payloads of a value with its mark.
func (w *World) bearing(m *Mark, p Place, value any, text string) ([]Payload, error) {
	one := Payload{Value: value, Sign: m.Sign, Marker: m.Marker}
	switch m.Class {
	case classReDoS, classAmplification:
		return w.sized(m.Class, value, text)
	case classPollution:
		// As in our own pairs, the first payload shows nothing by itself.
		one.Marker = ""
		return []Payload{one, {Value: p.usual(), Sign: m.Sign, Marker: m.Marker, Why: "an ordinary value after one that pollutes"}}, nil
	case classUnicode:
		one.Why = HardToWrite // the crash rule looks for this technique
	}
	return []Payload{one}, nil
}

// largest is the largest number that a payload may ask for.
const largest = 1_000_000_000

// sized makes a pair of payloads of different size, the smaller first, if the
// value has a repetition that can be halved. Otherwise the value is sent alone,
// and only its own effect counts.
func (w *World) sized(class string, value any, text string) ([]Payload, error) {
	name := w.word("proposed "+class, int(w.hash(text, 0)&0xffffff))
	make1 := func(v any, size int) Payload {
		return Payload{Value: v, Sign: mcpsf.SignCost, Marker: fmt.Sprintf("%s/%d", name, size)}
	}
	if _, isText := value.(string); !isText {
		n, err := strconv.Atoi(text)
		if err != nil || n < 1000 || n > largest {
			return nil, errors.New("it is no number that costs much")
		}
		return []Payload{make1(n/100, n/100), make1(n, n)}, nil
	}
	if half, n := halved(text); n > 0 {
		return []Payload{make1(half, n/2), make1(text, n)}, nil
	}
	return []Payload{make1(text, len(text))}, nil
}

// leastRun is the minimum number of repetitions for halving.
const leastRun = 16

// halved removes half of the longest repetition from a text and returns the
// number of repetitions, 0 if there are none. The repeated part has up to four
// bytes.
func halved(text string) (half string, times int) {
	from, unit := 0, 0
	for size := 1; size <= 4; size++ {
		for i, run := size, 0; i < len(text); i++ {
			if run++; text[i] != text[i-size] {
				run = 0
			}
			if n := run/size + 1; run > 0 && n >= leastRun && n*size > times*unit {
				times, unit, from = n, size, i+1-n*size
			}
		}
	}
	if times == 0 {
		return text, 0
	}
	return text[:from] + text[from+times/2*unit:], times
}

// Harms reports whether a value, plain or decoded, does something that no
// payload may do.
func Harms(text string) bool { return slices.ContainsFunc(readings(text), beyond.MatchString) }

// beyond matches what no payload may do: it would break later calls or look
// like the server's own behaviour.
var beyond = lazyregexp.New(`(?i)\b(?:rm|rmdir|dd|mkfs|kill|pkill|killall|chmod|chown|crontab|sudo|curl|wget|nc|ncat|telnet|ssh|scp)\s+[-/~$.\w]` +
	`|\b(?:shutdown|reboot|poweroff|halt)\b` +
	`|\b(?:drop|truncate|alter)\s+(?:table|database|schema|view|index)\b|\bdelete\s+from\b|\bupdate\s+\S+\s+set\b|\binsert\s+into\b` +
	`|\brmtree\b|\brmSync\b|\bunlink(?:Sync)?\s*\(|\bos\.(?:remove|kill|_exit|abort|fork)\b|\b(?:process|sys)\.(?:exit|kill|abort)\b` +
	`|\.(?:ssh|aws|kube|gnupg|netrc|npmrc|pypirc|docker|git-credentials)\b|\bid_(?:rsa|ed25519)\b|/etc/(?:passwd|shadow)|/proc/\w+/environ`)

// compact returns a value as JSON, "" if it cannot be encoded.
func compact(value any) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(value); err != nil {
		return ""
	}
	return string(bytes.TrimSuffix(b.Bytes(), []byte("\n")))
}
