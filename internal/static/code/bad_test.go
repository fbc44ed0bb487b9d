package code_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/mcpsf/mcpsf/internal/static/code"
	"github.com/mcpsf/mcpsf/internal/static/code/child"
	"github.com/mcpsf/mcpsf/internal/static/code/ir"
)

// badChild misbehaves as a parser may on hostile input; the name of the file
// chooses how.
func badChild() {
	child.Guard(child.MaxMemory) // less memory would prevent the stack overflow
	in, out := bufio.NewReader(os.Stdin), bufio.NewWriter(os.Stdout)
	for {
		frame, err := ir.ReadFrame(in)
		if err != nil {
			return
		}
		q, err := ir.DecodeRequest(frame)
		if err != nil {
			return
		}
		switch {
		case strings.Contains(q.Path, "hang"):
			time.Sleep(time.Hour)
		case strings.Contains(q.Path, "spin"):
			for i := 0; ; i++ {
				if i < 0 {
					i = 0
				}
			}
		case strings.Contains(q.Path, "eat"):
			var kept [][]byte
			for {
				b := make([]byte, 8<<20)
				for i := range b {
					b[i] = 1
				}
				if kept = append(kept, b); len(kept) > 1<<20 {
					return
				}
			}
		case strings.Contains(q.Path, "deep"):
			fmt.Fprint(os.Stderr, deep(0))
		case strings.Contains(q.Path, "die"):
			os.Exit(3)
		case strings.Contains(q.Path, "lie"):
			_ = ir.WriteFrame(out, []byte(`{"calls":[{"func":99}]}`))
			_ = out.Flush()
			continue
		}
		body, err := json.Marshal(child.Parse(q))
		if err != nil {
			return
		}
		_ = ir.WriteFrame(out, body)
		_ = out.Flush()
	}
}

func deep(n int) int {
	if n < 0 {
		return n
	}
	return deep(n+1) + n
}

// TestChildDies checks that whatever happens to a child, the parent continues,
// reads the file loosely, and reports it.
func TestChildDies(t *testing.T) {
	for _, tt := range []struct {
		name  string
		limit time.Duration
		bad   map[string]string
	}{
		{"in time", 5 * time.Minute, map[string]string{
			"eat.js":  "reading it took more than 1024 MB",
			"deep.js": "it made the reading process end: exit status 2",
			"die.js":  "it made the reading process end: exit status 3",
			"lie.js":  "a message of the reading process is not right",
		}},
		{"too slow", 2 * time.Second, map[string]string{
			"hang.js": "the reading process did not answer within 10s",
			"spin.js": "reading it took more than 2s",
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			const src = "import { exec } from 'node:child_process';\nexec('id');\n"
			fsys := fstest.MapFS{"a.js": {Data: []byte(src)}, "z.js": {Data: []byte(src)}}
			for name := range tt.bad {
				fsys[name] = &fstest.MapFile{Data: []byte(src)}
			}
			r, err := code.Read(t.Context(), fsys, &code.Options{Self: self(t, "read-badly"), FileTime: tt.limit, Children: 2})
			if err != nil {
				t.Fatal(err)
			}
			if r.Files.Source != len(fsys) {
				t.Errorf("%d source files, want %d", r.Files.Source, len(fsys))
			}
			if got := r.Capabilities; len(got) == 0 || got[0].Count != len(fsys) {
				t.Errorf("the call is found in %v, want all %d files", got, len(fsys))
			}
			blind := strings.Join(r.Gaps, "\n")
			for name, why := range tt.bad {
				if want := name + " was not understood as a whole: " + why; !strings.Contains(blind, want) {
					t.Errorf("not told: %s\ngot %s", want, blind)
				}
			}
		})
	}
}

func TestNoChild(t *testing.T) {
	fsys := fstest.MapFS{"a.js": {Data: []byte("1")}}
	if _, err := code.Read(t.Context(), fsys, nil); err == nil {
		t.Error("no options: want an error")
	}
	if _, err := code.Read(t.Context(), fsys, &code.Options{}); err == nil {
		t.Error("no command: want an error")
	}
	if _, err := code.Read(t.Context(), fsys, &code.Options{Self: []string{"/does/not/exist"}}); err == nil {
		t.Error("a command that is not there: want an error")
	}
}
