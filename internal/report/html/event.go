package html

import (
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"strings"

	"github.com/mcpsf/mcpsf"
)

// eventView is one event on one line, and its details.
type eventView struct {
	Seq  int64
	Time string
	Proc string
	Verb string
	What string
	// Count is how many look the same, 0 for one.
	Count int64
	// Late is set for work done for a call after its answer.
	Late bool
	// Level is that of the finding that it proves, "" for none.
	Level string
	// Anchor says that this entry can be linked to; Linked that another entry of
	// the page can.
	Anchor, Linked bool
	Fields         []field
}

type field struct {
	Name, Value string
	// Block is set for text with line breaks.
	Block bool
}

func (b *index) event(e *mcpsf.Event) eventView {
	verb, what := b.Describe(e)
	v := eventView{
		Seq: e.Seq, Time: clock(e.T), Proc: b.process(e), Verb: b.line(verb, 40), What: b.line(what, maxLine), Late: e.Phase == mcpsf.PhaseIdle,
	}
	if e.Count > 1 {
		v.Count = e.Count
	}
	if p, ok := b.proofs[e.Seq]; ok {
		v.Level = severityLevel(p.severity)
	}
	return v
}

func (b *index) process(e *mcpsf.Event) string {
	switch {
	case e.PID == 0:
		return b.line(e.Proc, 40)
	case e.Proc == "":
		return fmt.Sprintf("[%d]", e.PID)
	}
	return fmt.Sprintf("%s[%d]", b.line(e.Proc, 40), e.PID)
}

// clock writes seconds since the run began.
func clock(t float64) string {
	if math.IsNaN(t) || math.IsInf(t, 0) {
		return "?"
	}
	return fmt.Sprintf("%.3f", t)
}

// fields returns all fields of an event, named as in events.jsonl.
func (b *index) fields(e *mcpsf.Event) []field {
	var list []field
	b.walk(&list, "", reflect.ValueOf(*e))
	return list
}

// walk adds the fields of a value. The types of events are shallow and not
// recursive, so this terminates.
func (b *index) walk(list *[]field, name string, v reflect.Value) {
	if v.IsZero() {
		return
	}
	switch x := v.Interface().(type) {
	case json.RawMessage:
		*list = append(*list, field{name, b.json(x, maxField), true})
		return
	case []string:
		*list = append(*list, field{name, b.lines(strings.Join(x, "\n"), maxField), len(x) > 1})
		return
	case []mcpsf.HTTPHeader:
		var lines []string
		for _, h := range x {
			lines = append(lines, h.Name+": "+h.Value)
		}
		*list = append(*list, field{name, b.lines(strings.Join(lines, "\n"), maxField), true})
		return
	}
	switch v.Kind() {
	case reflect.Pointer:
		b.walk(list, name, v.Elem())
	case reflect.Struct:
		for i := range v.NumField() {
			tag, _, _ := strings.Cut(v.Type().Field(i).Tag.Get("json"), ",")
			if name != "" {
				tag = name + "." + tag
			}
			b.walk(list, tag, v.Field(i))
		}
	case reflect.String:
		s := v.String()
		*list = append(*list, field{name, b.lines(s, maxField), strings.Contains(s, "\n")})
	default:
		*list = append(*list, field{name, b.line(fmt.Sprint(v.Interface()), maxField), false})
	}
}

// cost is the size of fields in the file, tags included.
func cost(list []field) int {
	total := 0
	for _, f := range list {
		total += 60 + len(f.Name) + weigh(f.Value)
	}
	return total
}
