package schema

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/drive/meaning"
)

// pairs are the words for the two ends of a span, the earlier or smaller first.
func pairs() [][2]string {
	return [][2]string{
		{"start", "end"}, {"begin", "end"}, {"from", "to"}, {"from", "until"}, {"start", "stop"}, {"start", "finish"}, {"since", "until"}, {"arrival", "departure"},
		{"arrive", "depart"}, {"checkin", "checkout"}, {"in", "out"}, {"min", "max"}, {"minimum", "maximum"}, {"low", "high"}, {"lower", "upper"}, {"lowest", "highest"},
		{"opens", "closes"}, {"open", "close"}, {"earliest", "latest"}, {"first", "last"}, {"after", "before"},
	}
}

// layouts are the forms of dates and times.
func layouts() []string {
	return []string{
		"2006-01-02", "2006-01-02T15:04:05Z07:00", "2006-01-02T15:04:05.000Z07:00", "2006-01-02T15:04Z07:00", "2006-01-02T15:04:05", "2006-01-02T15:04", "2006-01-02 15:04:05", "2006-01-02 15:04",
		"15:04:05", "15:04", "2006-01", "2006", "2006/01/02", "02.01.2006", "02/01/2006", "01/02/2006", "20060102",
	}
}

// momentOf reads a text as a date or time.
func momentOf(text string) (t time.Time, layout string, ok bool) {
	for _, layout := range layouts() {
		if t, err := time.Parse(layout, text); err == nil && t.Format(layout) == text {
			return t, layout, true
		}
	}
	return time.Time{}, "", false
}

// following returns a value that comes after another one, in the same form. It is false
// for what has no order.
func following(value any) (any, bool) {
	if n, ok := number(value); ok {
		return format(n + 1), true
	}
	text, _ := value.(string)
	t, layout, ok := momentOf(text)
	if !ok {
		n, err := strconv.Atoi(text)
		return strconv.Itoa(n + 1), err == nil && n < maxWished
	}
	switch {
	case !strings.Contains(layout, "2006"):
		t = t.Add(time.Hour)
	case layout == "2006":
		t = t.AddDate(1, 0, 0)
	case layout == "2006-01":
		t = t.AddDate(0, 1, 0)
	default:
		t = t.AddDate(0, 0, 2)
	}
	return t.Format(layout), true
}

// follows reports whether a value comes after another one, and has the same form.
func follows(later, earlier any) bool {
	a, okA := number(earlier)
	b, okB := number(later)
	if okA || okB {
		return okA && okB && b > a
	}
	from, _ := earlier.(string)
	to, _ := later.(string)
	t, layout, okT := momentOf(from)
	u, same, okU := momentOf(to)
	return okT && okU && layout == same && u.After(t)
}

// inOrder makes the second of two ends of a span come after the first.
func (g *generator) inOrder(out, properties map[string]any) {
	names := sortedKeys(out)
	if len(names) < 2 || g.steps < 0 {
		return
	}
	for _, later := range names[:min(len(names), maxPlaces)] {
		earlier, ok := endBefore(names, later)
		if !ok || !hasOrder(g, out[earlier], properties[earlier], earlier, properties) || follows(out[later], out[earlier]) {
			continue
		}
		s := g.flatten(properties[later], 0)
		_, high := bounds(s, g.kind(s) == "integer")
		value, ok := following(out[earlier])
		n, numeric := number(value)
		if !ok || s["pattern"] != nil || s["enum"] != nil || s["const"] != nil || typeOf(value) != typeOf(out[later]) || numeric && n > high {
			continue
		}
		at := pointerTo(append(slices.Clone(g.path), later))
		if g.origins[at] != "" || s["format"] != nil && !sameLayout(value, out[later]) {
			continue // the schema says what it is
		}
		out[later] = value
		if from := g.origins[pointerTo(append(slices.Clone(g.path), earlier))]; from != "" {
			g.origins[at] = from
		}
	}
}

// sameLayout reports whether two values are written in the same form.
func sameLayout(a, b any) bool {
	x, _ := a.(string)
	y, _ := b.(string)
	_, one, _ := momentOf(x)
	_, other, _ := momentOf(y)
	return one == other
}

// hasOrder reports whether a value is a number, or a date by its text and its name.
func hasOrder(g *generator, value, node any, name string, beside map[string]any) bool {
	if _, ok := number(value); ok {
		return true
	}
	text, _ := value.(string)
	_, _, ok := momentOf(text)
	kind, _ := g.meaning(newPlace(g.flatten(node, 0), name, beside))
	return ok && !kind.Guarded()
}

// endBefore returns the name of the other end of a span: start_date of end_date.
func endBefore(names []string, later string) (string, bool) {
	words := strings.Join(meaning.Words(later), " ")
	for _, pair := range pairs() {
		if !slices.Contains(meaning.Words(later), pair[1]) {
			continue
		}
		want := strings.Replace(" "+words+" ", " "+pair[1]+" ", " "+pair[0]+" ", 1)
		for _, name := range names {
			if " "+strings.Join(meaning.Words(name), " ")+" " == want {
				return name, true
			}
		}
	}
	return "", false
}

// after puts a value that comes after that of another argument.
func (m *documents) after(s *spot, w *mcpsf.Wish) bool {
	if len(w.Accepted) == 0 {
		return false
	}
	at, ok := m.locate(&mcpsf.Wish{Kind: mcpsf.WishFormat, Path: slices.Concat(s.path[:len(s.path)-1], w.Accepted[:1])})
	if !ok {
		at, ok = m.locate(&mcpsf.Wish{Kind: mcpsf.WishFormat, Path: w.Accepted[:1]})
	}
	earlier, there := find(m.args, at)
	if !ok || !there || slices.Equal(at, s.path) || follows(s.value, earlier) {
		return false
	}
	value, ok := following(earlier)
	if kind, _ := m.generator().meaning(s.place); !ok || kind.Guarded() {
		return false
	}
	if text, written := s.value.(string); written && typeOf(value) == "number" && text != "" {
		value = textOf(value)
	}
	return m.keep(s, m.putFrom(s, value, m.in.Server.At(pointerTo(at))))
}
