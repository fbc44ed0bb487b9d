// Package child reads source files in a separate process.
//
// It takes files and returns an ir.File for each. Hostile input can make the
// parsers use up all memory, time or stack, which a Go program does not
// survive; so they run in a child that gets one file after the other. If it
// dies or takes too long, the parent reads the file with package loose, and a
// new child continues with the next one.
package child

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"strings"
	"time"

	"github.com/mcpsf/mcpsf/internal/static/code/contract"
	"github.com/mcpsf/mcpsf/internal/static/code/flow"
	"github.com/mcpsf/mcpsf/internal/static/code/ir"
	"github.com/mcpsf/mcpsf/internal/static/code/loose"
	"github.com/mcpsf/mcpsf/internal/static/code/python"
	"github.com/mcpsf/mcpsf/internal/static/code/resolve"
	"github.com/mcpsf/mcpsf/internal/static/code/script"
	"github.com/mcpsf/mcpsf/internal/static/code/syntax"
)

// gap: source-not-read
const (
	// MaxMemory is the memory limit of a child; it exits above that.
	MaxMemory = 1 << 30
	// maxStack is the maximum size of one goroutine's stack.
	maxStack = 128 << 20
	// ExitMemory is the exit status of a child that used too much memory.
	ExitMemory = 7
)

// Serve is the child's main function: it reads requests from r and answers to w
// until r ends.
func Serve(r io.Reader, w io.Writer) error {
	Guard(MaxMemory)
	in, out := bufio.NewReaderSize(r, 1<<16), bufio.NewWriterSize(w, 1<<16)
	for {
		frame, err := ir.ReadFrame(in)
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("reading a request: %w", err)
		}
		q, err := ir.DecodeRequest(frame)
		if err != nil {
			return err
		}
		body, err := json.Marshal(Parse(q))
		if err != nil {
			return fmt.Errorf("writing an answer: %w", err)
		}
		if len(body) > ir.MaxFrame {
			return fmt.Errorf("an answer of %d bytes: %w", len(body), ir.ErrFrame)
		}
		if err := ir.WriteFrame(out, body); err != nil {
			return err
		}
		if err := out.Flush(); err != nil {
			return err
		}
	}
}

// Guard ends this process when it uses more memory than allowed. It is for
// processes that do nothing else.
func Guard(limit uint64) {
	debug.SetMaxStack(maxStack)
	debug.SetMemoryLimit(int64(limit / 2))
	runtime.GOMAXPROCS(2)
	go func() {
		sample := []metrics.Sample{{Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"}}
		for {
			metrics.Read(sample)
			if sample[0].Value.Uint64()-sample[1].Value.Uint64() > limit {
				os.Exit(ExitMemory)
			}
			time.Sleep(20 * time.Millisecond)
		}
	}()
}

// Parse reads one file in this process.
func Parse(q *ir.Request) *ir.File {
	src := q.Source
	var t *syntax.Tree
	switch q.Language {
	case ir.Python:
		t = python.Read(src)
	case ir.TypeScript:
		t = script.Read(src, syntaxOf(script.TypeScript, script.TSX, q.Markup))
	default:
		t = script.Read(src, syntaxOf(script.JavaScript, script.JSX, q.Markup))
	}
	if q.Declared {
		return &ir.File{Path: q.Path, Language: q.Language, Whole: t.Whole, Contract: contract.Read(t, q.Language == ir.Python)}
	}
	if t.Root == nil {
		note := t.Note
		comments, words := t.Comments, t.Words
		t = loose.Read(src, q.Language)
		t.Note, t.Comments, t.Words = note, comments, words
	}
	f := resolve.Understand(q.Path, q.Language, t, src)
	if !q.Brief {
		f.Flow = flow.Read(t, q.Language == ir.Python)
		f.Contract = contract.Read(t, q.Language == ir.Python)
	}
	return f
}

// syntaxOf returns the syntax of a file that may contain JSX.
func syntaxOf(plain, markup script.Syntax, has bool) script.Syntax {
	if has {
		return markup
	}
	return plain
}

// Loosely reads a file without parsing it: safe in any process.
func Loosely(q *ir.Request, why string) *ir.File {
	t := loose.Read(q.Source, q.Language)
	t.Note = strings.ToValidUTF8(why, "")
	return resolve.Understand(q.Path, q.Language, t, q.Source)
}
