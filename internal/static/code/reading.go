package code

import (
	"context"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"sync"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/static/code/child"
	"github.com/mcpsf/mcpsf/internal/static/code/described"
	"github.com/mcpsf/mcpsf/internal/static/code/ir"
)

// gap: source-not-read
const (
	// maxParse is the size of the largest file that is parsed; larger ones are
	// read loosely, up to maxLoose.
	maxParse = 6 << 20
	maxLoose = 24 << 20
	// maxOwn is how much of the server's own source is parsed.
	maxOwn = 96 << 20
	// maxDependencyFile is the largest file of a dependency that is read.
	maxDependencyFile = 2 << 20
	// maxNotes is how many files are listed individually.
	maxNotes = 20
)

// reading is the state of reading one package.
type reading struct {
	fsys     fs.FS
	pool     *child.Pool
	set      *Options
	survey   *surveyed
	result   *Result
	places   map[mcpsf.CapabilityKind][]mcpsf.CodePlace
	packages map[mcpsf.CapabilityKind][]string
	notes    []note
	// bytes is the size of the text in each file that was read.
	bytes map[string]int64
}

// note is why a file was not parsed completely.
type note struct{ path, why string }

// each reads files one after the other and passes each result to f, nil for an
// unusable file.
func (r *reading) each(ctx context.Context, entries []entry, f func(path string, file *ir.File)) error {
	requests := make(chan *ir.Request)
	var mu sync.Mutex
	done := func(file *ir.File) {
		mu.Lock()
		defer mu.Unlock()
		if file.Whole {
			r.result.Files.Parsed++
		} else {
			r.notes = append(r.notes, note{file.Path, file.Note})
		}
		if file.Cut {
			r.notes = append(r.notes, note{file.Path, "there is more in it than is kept"})
		}
		f(file.Path, file)
	}
	stop := make(chan struct{})
	var wg sync.WaitGroup
	wg.Go(func() {
		defer close(requests)
		total := int64(0)
		for _, e := range entries {
			q, why := r.request(e)
			mu.Lock()
			r.result.Files.Source++
			mu.Unlock()
			if q == nil {
				mu.Lock()
				r.notes = append(r.notes, note{e.path, why})
				f(e.path, nil)
				mu.Unlock()
				continue
			}
			total += int64(len(q.Source))
			mu.Lock()
			r.result.Files.Bytes += int64(len(q.Source))
			r.bytes[e.path] = int64(len(q.Source))
			mu.Unlock()
			if len(q.Source) > maxParse || total > maxOwn {
				done(child.Loosely(q, fmt.Sprintf("it has %d bytes", e.size)))
				continue
			}
			select {
			case requests <- q:
			case <-stop:
				return
			case <-ctx.Done():
				return
			}
		}
	})
	err := r.pool.Read(ctx, requests, done)
	close(stop)
	wg.Wait()
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return err
}

// request reads a file's bytes; it returns nil and the reason if the file is
// unusable.
func (r *reading) request(e entry) (*ir.Request, string) {
	src, err := readFile(r.fsys, e.path, maxLoose)
	if err != nil {
		return nil, "it cannot be opened"
	}
	text, ok := decode(src)
	if !ok {
		return nil, "it is not text"
	}
	lang := e.lang
	if lang == "" {
		lang = shebang(text)
	}
	return &ir.Request{Path: e.path, Language: lang, Markup: e.markup, Brief: e.purl != "", Declared: e.declared, Source: text}, ""
}

// described reads the documents in which the package describes answers.
func (r *reading) described() []mcpsf.ExpectedAnswer {
	var out []mcpsf.ExpectedAnswer
	for _, p := range r.survey.documents {
		if data, err := readFile(r.fsys, p, described.MaxBytes+1); err == nil {
			out = append(out, described.Answers(p, data)...)
		}
	}
	return out
}

// blinds adds the files that were not parsed to the gaps.
func (r *reading) blinds(out *[]string) {
	slices.SortFunc(r.notes, func(a, b note) int { return cmpPath(a.path, b.path) })
	for i, n := range r.notes {
		if i == maxNotes {
			*out = append(*out, fmt.Sprintf("%d more source files were not understood as a whole", len(r.notes)-maxNotes))
			return
		}
		*out = append(*out, printable(n.path)+" was not understood as a whole: "+printable(n.why))
	}
}

func cmpPath(a, b string) int { return strings.Compare(a, b) }
