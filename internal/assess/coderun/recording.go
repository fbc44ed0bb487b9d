package coderun

import (
	"slices"
	"sort"
	"strconv"
	"strings"
)

// Recording is what all processes of a server reported, joined.
type Recording struct {
	// began are the runtimes that reported: "python", "node".
	began map[string]bool
	files map[string]*recorded // by path in the sandbox
}

// recorded is what was reported about one file.
type recorded struct {
	functions, ran map[int]bool
	// lines are those of Python.
	lines map[int]bool
	// length is that of a file as Node compiled it, 0 if unknown; spans ran.
	length int
	spans  []span
	// contradicts is set if the file was compiled from different sources.
	contradicts bool
}

// span is a stretch of a file, in UTF-16 units.
type span struct{ from, to int }

// Parse reads reports. One that is malformed is left out.
func Parse(reports []string) *Recording {
	r := &Recording{began: map[string]bool{}, files: map[string]*recorded{}}
	for _, report := range reports {
		kind, rest, _ := strings.Cut(report, " ")
		numbers, name, ok := strings.Cut(rest, "\t")
		switch {
		case kind == "s":
			r.began[rest] = true
		case ok && strings.HasPrefix(name, "/"):
			r.file(name).add(kind, strings.Fields(numbers))
		}
	}
	return r
}

func (r *Recording) file(name string) *recorded {
	if r.files[name] == nil {
		r.files[name] = newRecorded()
	}
	return r.files[name]
}

func newRecorded() *recorded {
	return &recorded{functions: map[int]bool{}, ran: map[int]bool{}, lines: map[int]bool{}}
}

func (f *recorded) add(kind string, numbers []string) {
	for _, text := range numbers {
		from, to, isSpan := strings.Cut(text, "-")
		n, err := strconv.Atoi(from)
		if err != nil || n < 0 {
			continue
		}
		switch kind {
		case "f":
			f.functions[n] = true
		case "r":
			f.ran[n] = true
		case "l":
			f.lines[n] = true
		case "n":
			f.contradicts = f.contradicts || f.length != 0 && f.length != n
			f.length = n
		case "o":
			if end, err := strconv.Atoi(to); isSpan && err == nil && end > n {
				f.spans = append(f.spans, span{n, end})
			}
		case "x":
			f.contradicts = true
		}
	}
}

// join adds what was reported about another copy of the file.
func (f *recorded) join(other *recorded) {
	for n := range other.functions {
		f.functions[n] = true
	}
	for n := range other.ran {
		f.ran[n] = true
	}
	for n := range other.lines {
		f.lines[n] = true
	}
	f.contradicts = f.contradicts || other.contradicts || f.length != 0 && other.length != 0 && f.length != other.length
	f.length = max(f.length, other.length)
	f.spans = append(f.spans, other.spans...)
}

// settle orders the stretches and joins those that touch.
func (f *recorded) settle() {
	slices.SortFunc(f.spans, func(a, b span) int { return a.from - b.from })
	var out []span
	for _, s := range f.spans {
		if n := len(out); n > 0 && s.from <= out[n-1].to {
			out[n-1].to = max(out[n-1].to, s.to)
			continue
		}
		out = append(out, s)
	}
	f.spans = out
}

// covers tells whether everything from one offset to another ran.
func (f *recorded) covers(from, to int) bool {
	i := sort.Search(len(f.spans), func(i int) bool { return f.spans[i].to > from })
	return i < len(f.spans) && f.spans[i].from <= from && f.spans[i].to >= to
}
