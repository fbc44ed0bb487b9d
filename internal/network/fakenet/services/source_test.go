package services_test

import (
	"encoding/csv"
	"encoding/json"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/mcpsf/mcpsf/internal/network/fakenet/execproof"
	"github.com/mcpsf/mcpsf/internal/network/fakenet/services"
	"github.com/mcpsf/mcpsf/internal/network/fakenet/shape"
	"github.com/mcpsf/mcpsf/internal/static/code/expect"
	"github.com/mcpsf/mcpsf/internal/static/code/flow"
	"github.com/mcpsf/mcpsf/internal/static/code/ir"
	"github.com/mcpsf/mcpsf/internal/static/code/python"
	"github.com/mcpsf/mcpsf/internal/static/code/script"
)

// TestAnswersToSources has sources that check what they are answered. Each file
// of testdata/source has requests, and below each what the source checks of its
// answer.
func TestAnswersToSources(t *testing.T) {
	names, err := filepath.Glob("testdata/source/*.txtar")
	if err != nil || len(names) == 0 {
		t.Fatal(len(names), err)
	}
	for _, name := range names {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) {
			data, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			arc := txtar.Parse(data)
			world := servicesOf(t, arc)
			var a *services.Answer
			for line := range strings.Lines(string(arc.Comment)) {
				if line = strings.TrimSpace(line); line == "" {
					continue
				}
				if method, address, ok := strings.Cut(line, " "); ok && strings.HasPrefix(address, "https://") {
					a = asked(t, world, method, address)
				} else {
					holds(t, a, line)
				}
			}
		})
	}
}

// servicesOf are services that expect what the files say.
func servicesOf(t *testing.T, arc *txtar.Archive) *services.Services {
	t.Helper()
	expected := shape.New()
	for _, a := range expect.Answers(filesOf(t, arc), nil) {
		expected.Expect(a)
		if text, err := json.Marshal(a); err == nil {
			t.Logf("expected %s", text)
		}
	}
	now := func() time.Time { return time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC) }
	return services.New(&services.Options{Seed: 7, Now: now, Expected: expected, Proofs: execproof.New(7)})
}

// filesOf reads the sources in this process.
func filesOf(t *testing.T, arc *txtar.Archive) []*ir.File {
	t.Helper()
	var out []*ir.File
	for _, f := range arc.Files {
		file := &ir.File{Path: f.Name, Language: ir.JavaScript, Funcs: []ir.Func{{In: -1, Handler: -1}}}
		if strings.HasSuffix(f.Name, ".py") {
			file.Language, file.Flow = ir.Python, flow.Read(python.Read(f.Data), true)
		} else {
			file.Flow = flow.Read(script.Read(f.Data, script.JavaScript), false)
		}
		raw, err := json.Marshal(file)
		if err != nil {
			t.Fatal(err)
		}
		if file, err = ir.Decode(raw); err != nil {
			t.Fatal(err)
		}
		out = append(out, file)
	}
	return out
}

func asked(t *testing.T, s *services.Services, method, address string) *services.Answer {
	t.Helper()
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	a := s.Reply(&services.Request{Method: method, Target: u.RequestURI(), Version: "1.1", Scheme: "https", Host: u.Host, Path: u.Path, Query: u.Query(), TLS: true})
	t.Logf("%s %s: %d %v %s", method, address, a.Status, a.Fields, a.Body)
	return a
}

// holds checks one line: "path = value", "path : type", "path ~ pattern", and the
// like; "status", "header", "xml", "csv" and "contains" are about the whole answer.
func holds(t *testing.T, a *services.Answer, line string) {
	t.Helper()
	word, rest, _ := strings.Cut(line, " ")
	switch word {
	case "status", "header", "xml", "csv", "contains":
		if code := len(rest) == 3; word != "status" || code { // else a member of that name
			if !about(a, word, rest) {
				t.Errorf("not so: %s", line)
			}
			return
		}
	}
	var value any
	if err := json.Unmarshal(a.Body, &value); err != nil {
		t.Errorf("%s: no JSON: %v", line, err)
		return
	}
	path, test, _ := strings.Cut(line, " ")
	v, there := at(value, strings.Split(path, "."))
	if !is(v, there, test) {
		t.Errorf("not so: %s: %v", line, v)
	}
}

func about(a *services.Answer, word, rest string) bool {
	switch word {
	case "status":
		return written(float64(a.Status)) == rest
	case "header":
		name, test, _ := strings.Cut(rest, " ")
		for _, f := range a.Fields {
			if strings.EqualFold(f.Name, name) {
				return is(f.Value, true, test)
			}
		}
	case "xml":
		return strings.Contains(a.Kind(), "xml") && hasElement(a.Body, strings.Split(rest, "/"))
	case "csv":
		rows, err := csv.NewReader(strings.NewReader(string(a.Body))).ReadAll()
		return err == nil && len(rows) > 1 && len(rows[0]) >= len(strings.Split(rest, ",")) && subset(strings.Split(rest, ","), rows[0])
	case "contains":
		return strings.Contains(string(a.Body), rest)
	}
	return false
}
