package shape

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"
	"io"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/mcpsf/mcpsf"
)

// TestManyWishes is bounded in time and size.
func TestManyWishes(t *testing.T) {
	e, r := New(), asked("GET", "a.example", "/v1/one")
	var wishes []mcpsf.Wish
	for i := range 1_000_000 {
		wishes = append(wishes, missing("string", "m"+strconv.Itoa(i), strings.Repeat("n", i%70), "0", "x"))
	}
	began := time.Now()
	for range 50 {
		tried(e, r, map[string]any{"data": map[string]any{}}, wishes...)
		wishes = wishes[10_000:]
	}
	if n := len(asText(t, e.Complete(r, map[string]any{}))); n > maxSize+maxSize/4 {
		t.Errorf("%d bytes", n)
	}
	if len(e.taught) > maxTaught || e.count > maxLessons {
		t.Errorf("%d words, %d lessons", len(e.taught), e.count)
	}
	if took := time.Since(began); took > time.Minute {
		t.Errorf("took %s", took)
	}
}

func TestHugeShape(t *testing.T) {
	deep := kind("string")
	for range 100_000 {
		deep = list(obj(map[string]*mcpsf.Shape{"a": deep, "b": list(kind("string"))}))
	}
	wide := obj(map[string]*mcpsf.Shape{})
	for i := range 100_000 {
		wide.Members["m"+strconv.Itoa(i)] = list(obj(map[string]*mcpsf.Shape{"x": list(list(list(kind("string"))))}))
	}
	e := New()
	for range 100 {
		e.Expect(mcpsf.ExpectedAnswer{Shape: deep})
	}
	for range 20 {
		e.Expect(mcpsf.ExpectedAnswer{Shape: wide})
	}
	if e.size > maxAll {
		t.Errorf("%d nodes", e.size)
	}
	for _, base := range []any{nil, []any{}, map[string]any{}} {
		if n := len(asText(t, e.Complete(asked("GET", "a.example", "/x"), base))); n > maxSize+maxSize/4 {
			t.Errorf("%d bytes", n)
		}
	}
}

func TestLoopingShape(t *testing.T) {
	s := obj(map[string]*mcpsf.Shape{})
	s.Members["next"], s.Members["all"] = s, list(s)
	e := New()
	e.Expect(mcpsf.ExpectedAnswer{Shape: s})
	if n := len(asText(t, e.Complete(asked("GET", "a.example", "/x"), nil))); n > maxSize+maxSize/4 {
		t.Errorf("%d bytes", n)
	}
}

// TestHugeDocument has formats other than JSON, and a great many of them.
func TestHugeDocument(t *testing.T) {
	deep := obj(map[string]*mcpsf.Shape{"text": {}})
	for range 10_000 {
		deep = obj(map[string]*mcpsf.Shape{"a": list(deep), "b..c": deep, "atom..d": deep, "<x>": deep, "$": obj(map[string]*mcpsf.Shape{"y": {}})})
	}
	for _, format := range []string{"xml", "xml-object", "csv", "other"} {
		e := New()
		for i := range 1_000 {
			s := deep
			if i > 2 {
				s = obj(map[string]*mcpsf.Shape{"a": {}})
			}
			e.Expect(mcpsf.ExpectedAnswer{Host: "a.example", Shape: list(s), Format: format, Headers: map[string]*mcpsf.Shape{"x-" + strconv.Itoa(i): {}}})
			e.Expect(mcpsf.ExpectedAnswer{Host: "b.example", Shape: s, Format: format})
		}
		if e.size > maxAll+maxNodes || len(e.replies) > maxReplies {
			t.Errorf("%d nodes, %d replies", e.size, len(e.replies))
		}
		for _, host := range []string{"a.example", "b.example"} {
			r := asked("GET", host, "/x")
			want := e.Reply(r)
			kind, body := e.Document(r, want)
			if len(want.Headers) > maxHeaders || len(body) > 4*maxSize || strings.Contains(kind, "xml") && !isXML(body) {
				t.Errorf("%s: %d headers, %d bytes", kind, len(want.Headers), len(body))
			}
		}
	}
}

func isXML(body []byte) bool {
	d := xml.NewDecoder(bytes.NewReader(body))
	for {
		if _, err := d.Token(); err != nil {
			return errors.Is(err, io.EOF)
		}
	}
}

// TestAtOnce has starts that ask while another learns.
func TestAtOnce(t *testing.T) {
	e := New()
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			for j := range 50 {
				r := asked("GET", "a.example", "/v1/"+strconv.Itoa(i))
				tried(e, r, map[string]any{"data": map[string]any{}}, missing("", "map"), missing("string", "m"+strconv.Itoa(j)))
				e.Expect(mcpsf.ExpectedAnswer{Shape: obj(map[string]*mcpsf.Shape{"a": {}})})
				e.Own(r, []byte("x"))
			}
		})
	}
	wg.Wait()
}

func FuzzLearn(f *testing.F) {
	f.Add([]byte(`[{"kind":"missing","path":["a","0","b"],"type":"string"},{"kind":"type","type":"array"}]`), []byte(`{"type":"object","members":{"a":{"type":"array"}}}`), []byte(`{"a":{"b":[1,"x",null]}}`), "/v1/users/{}/x")
	f.Add([]byte(`[{"kind":"missing","path":["map"]},{"kind":"missing","path":["children"]},{"kind":"one of","path":["*"],"accepted":["x"]}]`), []byte(`{"element":{"members":{"children":{}}}}`), []byte(`[{}]`), "//{{}}")
	f.Fuzz(func(t *testing.T, wishes, expected, answer []byte, path string) {
		var w []mcpsf.Wish
		var s *mcpsf.Shape
		var v any
		if json.Unmarshal(wishes, &w) != nil || json.Unmarshal(expected, &s) != nil || json.Unmarshal(answer, &v) != nil {
			return
		}
		e, r := New(), asked("GET", "a.example", path)
		e.Expect(mcpsf.ExpectedAnswer{Path: path, Shape: s})
		for range 3 {
			e.Begin()
			v = e.Complete(r, v)
			e.Learn(w)
		}
		e.Freeze()
		if text := asText(t, e.Complete(r, nil)); len(text) > 2*maxSize || strings.Contains(text, `"__proto__":`) {
			t.Errorf("%.200s", text)
		}
	})
}

// TestManyForms has a server that asks with another body each time.
func TestManyForms(t *testing.T) {
	e := New()
	for i := range 3 * maxForms {
		var names []string
		for j := range maxFormed * 2 {
			names = append(names, "n"+strconv.Itoa(i*maxFormed*2+j))
		}
		r := asked("POST", "a.example", "/rpc")
		if r.Form = Form(names, nil); strings.Count(r.Form, "&") >= maxFormed {
			t.Fatal("a form has too many parts")
		}
		tried(e, r, map[string]any{"a": map[string]any{}}, notText())
	}
	if len(e.known) > maxForms {
		t.Errorf("%d forms of one request", len(e.known))
	}
}
