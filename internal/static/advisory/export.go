package advisory

import (
	"archive/zip"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/mcpsf/mcpsf/internal/static/advisory/table"
)

// limits bound an export. Real ones stay far below.
type limits struct {
	download int64 // of the packed export
	record   int64 // of one record
	total    int64 // of all records, unpacked
	// directory bounds the bytes read to find the records, records their
	// number.
	directory int64
	records   int
}

func defaultLimits() limits {
	return limits{download: 4 << 30, record: 16 << 20, total: 16 << 30, directory: 128 << 20, records: 1_500_000}
}

// workers is how many goroutines unpack. More gain little: the records come
// from one file and go into one.
const workers = 4

// imported is the content of an export.
type imported struct {
	tally

	builders []*table.Builder
}

// readExport reads all records about an ecosystem out of a zip.
func readExport(ctx context.Context, r io.ReaderAt, size int64, ecosystem string, now time.Time, lim limits) (*imported, error) {
	files, err := openExport(r, size, lim)
	if err != nil {
		return nil, err
	}
	n := min(workers, max(runtime.GOMAXPROCS(0), 1))
	importers := make([]*importer, n)
	group, ctx := errgroup.WithContext(ctx)
	work := make(chan []*zip.File, n)
	var total atomic.Int64
	for i := range importers {
		w := newImporter(r, ecosystem, now, lim, &total)
		importers[i] = w
		group.Go(func() error { return w.run(ctx, work) })
	}
	group.Go(func() error {
		defer close(work)
		return handOut(ctx, files, work)
	})
	if err := group.Wait(); err != nil {
		return nil, err
	}
	return collect(importers, ecosystem)
}

// openExport reads the directory of the zip.
func openExport(r io.ReaderAt, size int64, lim limits) ([]*zip.File, error) {
	if size > lim.download {
		return nil, fmt.Errorf("the export has more than %d MiB", lim.download>>20)
	}
	limited := &limitedReaderAt{ReaderAt: r, left: lim.directory}
	z, err := zip.NewReader(limited, size)
	if limited.left < 0 || z != nil && len(z.File) > lim.records {
		return nil, fmt.Errorf("the export has more than %d records", lim.records)
	}
	if err != nil && !errors.Is(err, zip.ErrInsecurePath) { // paths are not used
		return nil, errors.New("the export is not a zip file, or a damaged one")
	}
	limited.left = math.MaxInt64
	return z.File, nil
}

// limitedReaderAt bounds how much memory the directory of a zip can make its
// reader use. It is not safe for concurrent use until the limit is lifted.
type limitedReaderAt struct {
	io.ReaderAt

	left int64
}

// ReadAt implements [io.ReaderAt].
func (r *limitedReaderAt) ReadAt(p []byte, off int64) (int, error) {
	if r.left < math.MaxInt64 {
		if r.left -= int64(len(p)); r.left < 0 {
			return 0, io.ErrUnexpectedEOF
		}
	}
	return r.ReaderAt.ReadAt(p, off)
}

// handOut gives the files to the workers and drops them: the directory of a
// large zip takes more memory than the records kept from it.
func handOut(ctx context.Context, files []*zip.File, work chan<- []*zip.File) error {
	const batch = 64
	for part := range slices.Chunk(files, batch) {
		select {
		case work <- slices.Clone(part):
			clear(part)
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
	return nil
}

// collect merges the workers' results.
func collect(importers []*importer, ecosystem string) (*imported, error) {
	all := &imported{}
	var ids []uint64
	for _, w := range importers {
		all.add(&w.tally)
		all.builders = append(all.builders, w.builder)
		ids = append(ids, w.ids...)
	}
	slices.Sort(ids)
	all.duplicate = len(ids) - len(slices.Compact(ids))
	all.records -= all.duplicate
	switch {
	case all.records == 0 && all.broken == 0:
		return nil, fmt.Errorf("the export has no records about %s", ecosystem)
	case all.broken > all.records:
		return nil, fmt.Errorf("of the export's records %d cannot be read and %d can; the first of them: %s",
			all.broken, all.records, strings.Join(all.examples[:1], ""))
	}
	return all, nil
}

// tally counts records.
type tally struct {
	records, withdrawn, broken, foreign, duplicate int
	examples                                       []string
	newest                                         time.Time
}

// maxExamples is how many broken records are named.
// gap: advisories
const maxExamples = 5

func (t *tally) add(o *tally) {
	t.records += o.records
	t.withdrawn += o.withdrawn
	t.broken += o.broken
	t.foreign += o.foreign
	t.examples = append(t.examples, o.examples...)
	slices.Sort(t.examples)
	t.examples = t.examples[:min(len(t.examples), maxExamples)]
	if o.newest.After(t.newest) {
		t.newest = o.newest
	}
}
