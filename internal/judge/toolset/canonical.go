package toolset

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"math"
	"slices"
	"strconv"
	"strings"
)

// object is a JSON object with its keys in order. Duplicate keys are kept,
// because readers differ in which one they use.
type object []member

type member struct {
	key   string
	value any // object, []any, json.Number, string, bool or nil
}

// decode reads JSON; empty input is no value. encoding/json bounds the depth.
func decode(raw json.RawMessage) (any, bool) {
	if len(bytes.TrimSpace(raw)) == 0 {
		return nil, true
	}
	if !json.Valid(raw) { // the token reader does not check the depth
		return nil, false
	}
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.UseNumber()
	v, err := decodeValue(dec)
	return v, err == nil
}

func decodeValue(dec *json.Decoder) (any, error) {
	token, err := dec.Token()
	if err != nil {
		return nil, err
	}
	switch token {
	case json.Delim('{'):
		var o object
		for dec.More() {
			key, err := dec.Token()
			if err != nil {
				return nil, err
			}
			value, err := decodeValue(dec)
			if err != nil {
				return nil, err
			}
			name, _ := key.(string)
			o = append(o, member{name, value})
		}
		slices.SortStableFunc(o, func(a, b member) int { return strings.Compare(a.key, b.key) })
		_, err = dec.Token()
		return o, err
	case json.Delim('['):
		list := []any{}
		for dec.More() {
			value, err := decodeValue(dec)
			if err != nil {
				return nil, err
			}
			list = append(list, value)
		}
		_, err = dec.Token()
		return list, err
	}
	return token, nil
}

// get returns the first value of a key.
func (o object) get(key string) (any, bool) {
	for _, m := range o {
		if m.key == key {
			return m.value, true
		}
	}
	return nil, false
}

// canonical writes a value so that equal values are the same text.
func canonical(v any) string {
	var b strings.Builder
	write(&b, v)
	return b.String()
}

func write(b *strings.Builder, v any) {
	switch v := v.(type) {
	case object:
		b.WriteByte('{')
		for i, m := range v {
			if i > 0 {
				b.WriteByte(',')
			}
			write(b, m.key)
			b.WriteByte(':')
			write(b, m.value)
		}
		b.WriteByte('}')
	case []any:
		b.WriteByte('[')
		for i, entry := range v {
			if i > 0 {
				b.WriteByte(',')
			}
			write(b, entry)
		}
		b.WriteByte(']')
	case json.Number:
		b.WriteString(number(string(v)))
	default:
		text, err := json.Marshal(v)
		if err != nil {
			text = []byte("null") // cannot happen for a string, a bool or nil
		}
		b.Write(text)
	}
}

// number writes 1, 1.0 and 1e0 alike. Numbers too large or precise for a float64
// stay as written.
func number(s string) string {
	f, err := strconv.ParseFloat(s, 64)
	if err != nil || math.Abs(f) >= 1<<53 {
		return s
	}
	if f == math.Trunc(f) {
		return strconv.FormatInt(int64(f), 10)
	}
	return strconv.FormatFloat(f, 'g', -1, 64)
}

// hash returns a hash short enough to read and long enough that collisions do
// not occur, even on purpose.
func hash(parts ...string) string {
	sum := sha256.New()
	for _, part := range parts {
		sum.Write([]byte(strconv.Itoa(len(part)) + ":" + part))
	}
	return hex.EncodeToString(sum.Sum(nil))[:32]
}
