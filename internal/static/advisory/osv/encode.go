package osv

import (
	"encoding/binary"
	"errors"
	"time"
)

// errDamaged reports bytes that [Record.Append] did not write.
var errDamaged = errors.New("a kept record is damaged")

// Append encodes the record for storage: numbers, and strings with their
// lengths, one after the other. The id comes first.
func (r *Record) Append(b []byte) []byte {
	b = appendString(b, r.ID)
	b = appendStrings(b, r.Aliases)
	b = appendString(b, r.Summary)
	b = appendTime(b, r.Published)
	b = appendTime(b, r.Modified)
	b = appendSeverities(b, r.Severity)
	b = appendString(b, r.Rating)
	b = binary.AppendUvarint(b, uint64(len(r.Affected)))
	for i := range r.Affected {
		a := &r.Affected[i]
		b = appendString(b, a.Ecosystem)
		b = appendString(b, a.Name)
		b = appendStrings(b, a.Versions)
		b = binary.AppendUvarint(b, uint64(len(a.Ranges)))
		for _, rg := range a.Ranges {
			b = binary.AppendUvarint(b, uint64(len(rg.Events)))
			for _, e := range rg.Events {
				b = append(b, byte(e.Kind))
				b = appendString(b, e.Version)
			}
		}
		b = appendSeverities(b, a.Severity)
		b = appendString(b, a.Rating)
	}
	return b
}

func appendString(b []byte, s string) []byte {
	return append(binary.AppendUvarint(b, uint64(len(s))), s...)
}

func appendStrings(b []byte, all []string) []byte {
	b = binary.AppendUvarint(b, uint64(len(all)))
	for _, s := range all {
		b = appendString(b, s)
	}
	return b
}

func appendSeverities(b []byte, all []Severity) []byte {
	b = binary.AppendUvarint(b, uint64(len(all)))
	for _, s := range all {
		b = appendString(appendString(b, s.Type), s.Score)
	}
	return b
}

// appendTime stores whole seconds; 0 is no time.
func appendTime(b []byte, t time.Time) []byte {
	if t.IsZero() {
		return append(b, 0)
	}
	return binary.AppendUvarint(b, uint64(max(t.Unix(), 0))+1)
}

// Restore reads what [Record.Append] wrote.
func Restore(data []byte) (*Record, error) {
	k := keeper{data: data}
	r := &Record{
		ID: k.string(), Aliases: k.strings(), Summary: k.string(), Published: k.time(), Modified: k.time(),
		Severity: k.severities(), Rating: k.string(),
	}
	for range k.count() {
		a := Affected{Ecosystem: k.string(), Name: k.string(), Versions: k.strings()}
		for range k.count() {
			var rg Range
			for range k.count() {
				rg.Events = append(rg.Events, Event{Kind: EventKind(k.byte()), Version: k.string()})
			}
			a.Ranges = append(a.Ranges, rg)
		}
		a.Severity, a.Rating = k.severities(), k.string()
		r.Affected = append(r.Affected, a)
	}
	if k.broken || len(k.data) > 0 {
		return nil, errDamaged
	}
	return r, nil
}

// keeper reads values one after the other. After the first failure it returns
// zeros.
type keeper struct {
	data   []byte
	broken bool
}

// count reads the number of following elements. Each takes at least a byte, so
// a count above the number of bytes is invalid.
func (k *keeper) count() int {
	n := k.number()
	if n > uint64(len(k.data)) {
		k.fail()
		return 0
	}
	return int(n)
}

func (k *keeper) number() uint64 {
	n, size := binary.Uvarint(k.data)
	if size <= 0 {
		k.fail()
		return 0
	}
	k.data = k.data[size:]
	return n
}

func (k *keeper) byte() byte {
	if len(k.data) == 0 {
		k.fail()
		return 0
	}
	c := k.data[0]
	k.data = k.data[1:]
	return c
}

func (k *keeper) string() string {
	n := k.count()
	s := string(k.data[:n])
	k.data = k.data[n:]
	return s
}

func (k *keeper) strings() (all []string) {
	for range k.count() {
		all = append(all, k.string())
	}
	return all
}

func (k *keeper) severities() (all []Severity) {
	for range k.count() {
		all = append(all, Severity{Type: k.string(), Score: k.string()})
	}
	return all
}

func (k *keeper) time() time.Time {
	n := k.number()
	if n == 0 || n > 1<<40 {
		return time.Time{}
	}
	return time.Unix(int64(n-1), 0).UTC()
}

func (k *keeper) fail() { k.data, k.broken = nil, true }
