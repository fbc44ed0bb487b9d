package advisory

import (
	"archive/zip"
	"context"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"path"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/mcpsf/mcpsf/internal/static/advisory/osv"
	"github.com/mcpsf/mcpsf/internal/static/advisory/table"
)

var errBomb = errors.New("the export unpacks to far more than an export has; it was not used")

// importer reads records, one after the other, into its builder.
type importer struct {
	tally

	r         io.ReaderAt
	ecosystem string
	// latest is the time after which a date is implausible.
	latest  time.Time
	lim     limits
	total   *atomic.Int64
	builder *table.Builder
	ids     []uint64

	// Buffers that are reused for the next record.
	packed  []byte
	raw     []byte
	value   []byte
	inflate inflater
	byName  map[string][]osv.Affected
}

func newImporter(r io.ReaderAt, ecosystem string, now time.Time, lim limits, total *atomic.Int64) *importer {
	return &importer{
		r: r, ecosystem: ecosystem, latest: now.Add(24 * time.Hour), lim: lim, total: total, builder: &table.Builder{},
		byName: map[string][]osv.Affected{},
	}
}

func (w *importer) run(ctx context.Context, work <-chan []*zip.File) error {
	for batch := range work {
		for _, f := range batch {
			if err := w.file(f); err != nil {
				return err
			}
		}
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
	}
	return nil
}

// file reads one file of the zip. A broken record is counted; an error means
// that the whole export is broken.
func (w *importer) file(f *zip.File) error {
	if !w.isRecord(f) {
		return nil
	}
	if w.tooLarge(f) {
		w.reject(f, fmt.Errorf("it has more than %d MiB", w.lim.record>>20))
		return nil
	}
	data, err := w.unpack(f)
	if err != nil {
		return err
	}
	record, err := osv.Decode(data)
	if err != nil {
		w.reject(f, err)
		return nil
	}
	return w.keep(record)
}

func (*importer) isRecord(f *zip.File) bool { return strings.HasSuffix(f.Name, ".json") }

func (w *importer) tooLarge(f *zip.File) bool {
	return max(f.UncompressedSize64, f.CompressedSize64) > uint64(w.lim.record)
}

// unpack returns the content of a file that is not too large. It is valid until
// the next call.
func (w *importer) unpack(f *zip.File) ([]byte, error) {
	off, err := f.DataOffset()
	if err != nil {
		return nil, damagedExport(f)
	}
	size := int(f.CompressedSize64)
	if cap(w.packed) < size {
		w.packed = make([]byte, size, size+size/2)
	}
	packed := w.packed[:size]
	if _, err := w.r.ReadAt(packed, off); err != nil {
		return nil, damagedExport(f)
	}
	want := int(f.UncompressedSize64)
	data := packed
	switch f.Method {
	case zip.Store:
	case zip.Deflate:
		if cap(w.raw) < want {
			w.raw = make([]byte, want, want+want/2)
		}
		data = w.raw[:want]
		if err := w.inflate.decode(data, packed); err != nil {
			return nil, damagedExport(f)
		}
	default:
		return nil, damagedExport(f)
	}
	if len(data) != want || crc32.ChecksumIEEE(data) != f.CRC32 {
		return nil, damagedExport(f)
	}
	if w.total.Add(int64(want)) > w.lim.total {
		return nil, errBomb
	}
	return data, nil
}

// keep adds the record to the builder, once for each package.
func (w *importer) keep(r *osv.Record) error {
	if r.Modified.After(w.newest) && r.Modified.Before(w.latest) {
		w.newest = r.Modified
	}
	if r.Withdrawn {
		w.withdrawn++
		return nil
	}
	kept := false
	for name, affected := range w.packages(r.Affected) {
		r.Affected = affected
		w.value = r.Append(w.value[:0])
		if err := w.builder.Add(name, w.value); err != nil {
			return fmt.Errorf("keeping the records: %w", err)
		}
		kept = true
	}
	if !kept {
		w.foreign++
		return nil
	}
	w.records++
	w.ids = append(w.ids, hash(r.ID))
	return nil
}

// packages groups the entries of a record by the packages of the ecosystem.
func (w *importer) packages(affected []osv.Affected) map[string][]osv.Affected {
	clear(w.byName)
	for i := range affected {
		base, _ := osv.SplitEcosystem(affected[i].Ecosystem)
		if base != w.ecosystem {
			continue
		}
		name := osv.NormalName(base, affected[i].Name)
		w.byName[name] = append(w.byName[name], affected[i])
	}
	return w.byName
}

// hash is FNV-1a. Two ids with the same hash are counted as one record; nothing
// else depends on it.
func hash(s string) uint64 {
	h := uint64(14695981039346656037)
	for i := range len(s) {
		h = (h ^ uint64(s[i])) * 1099511628211
	}
	return h
}

// reject counts an unusable record.
func (w *importer) reject(f *zip.File, err error) {
	w.broken++
	if len(w.examples) < maxExamples {
		w.examples = append(w.examples, shortName(f)+": "+err.Error())
	}
}

func damagedExport(f *zip.File) error {
	return fmt.Errorf("the export is damaged at %s; fetch it again", shortName(f))
}

// shortName returns the name of a file in the export, safe to print.
func shortName(f *zip.File) string {
	// gap: advisories
	const most = 80
	name := strings.ToValidUTF8(path.Base(f.Name), "?")
	return strconv.Quote(strings.ToValidUTF8(name[:min(len(name), most)], ""))
}
