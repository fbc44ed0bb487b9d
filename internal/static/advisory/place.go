package advisory

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/static/advisory/osv"
)

// DefaultBase is where OSV publishes its exports.
const DefaultBase = "https://osv-vulnerabilities.storage.googleapis.com"

// exportName is the file in the folder of each ecosystem.
const exportName = "all.zip"

// place is the location of one export.
type place struct {
	ecosystem string
	// Either a file on this machine or an address.
	file string
	url  *url.URL
}

// name returns the place's name in messages and in the database.
func (p place) name() string {
	if p.url != nil {
		return p.url.Redacted()
	}
	return p.file
}

// places returns where the exports of the ecosystems are. from is an address or
// a directory with a folder for each ecosystem, or a single zip.
func places(ctx context.Context, from string, ecosystems []string) ([]place, error) {
	all := ecosystems
	if len(all) == 0 {
		all = Ecosystems()
	}
	for _, e := range all {
		if err := CheckEcosystem(e); err != nil {
			return nil, usage(err)
		}
	}
	if isAddress(from) {
		return addresses(from, all, len(ecosystems) == 0)
	}
	info, err := os.Stat(from)
	if err != nil {
		return nil, usage(fmt.Errorf("%q cannot be read: %w", from, innermost(err)))
	}
	if !info.IsDir() {
		e, err := ecosystemOf(ctx, from, ecosystems)
		return []place{{ecosystem: e, file: from}}, err
	}
	var found []place
	for _, e := range all {
		file := filepath.Join(from, e, exportName)
		if _, err := os.Stat(file); err == nil || len(ecosystems) > 0 {
			found = append(found, place{ecosystem: e, file: file})
		}
	}
	if len(found) == 0 {
		return nil, usage(fmt.Errorf("%q has no exports; they are in it as ECOSYSTEM/%s", from, exportName))
	}
	return found, nil
}

func isAddress(from string) bool {
	return strings.HasPrefix(from, "https://") || strings.HasPrefix(from, "http://")
}

func addresses(from string, ecosystems []string, unnamed bool) ([]place, error) {
	base, err := url.Parse(from)
	if err != nil || base.Host == "" {
		return nil, usage(errors.New("the address of the exports is no address of the web"))
	}
	if strings.HasSuffix(base.Path, ".zip") {
		if unnamed {
			e := path.Base(path.Dir(base.Path))
			if ecosystems = []string{e}; CheckEcosystem(e) != nil {
				return nil, usage(fmt.Errorf("%q does not say which ecosystem it is about; name it with --ecosystem", base.Redacted()))
			}
		}
		if len(ecosystems) != 1 {
			return nil, usage(fmt.Errorf("%q is one export; name one ecosystem", base.Redacted()))
		}
		return []place{{ecosystem: ecosystems[0], url: base}}, nil
	}
	found := make([]place, len(ecosystems))
	for i, e := range ecosystems {
		found[i] = place{ecosystem: e, url: base.JoinPath(url.PathEscape(e), exportName)}
	}
	return found, nil
}

// ecosystemOf returns the ecosystem of a single zip: from the user, from the
// name of its folder, or from its first records.
func ecosystemOf(ctx context.Context, file string, named []string) (string, error) {
	switch len(named) {
	case 1:
		return named[0], nil
	case 0:
	default:
		return "", usage(fmt.Errorf("%q is one export; name one ecosystem", file))
	}
	abs, err := filepath.Abs(file)
	if err == nil && CheckEcosystem(filepath.Base(filepath.Dir(abs))) == nil {
		return filepath.Base(filepath.Dir(abs)), nil
	}
	common, err := peek(ctx, file)
	if err != nil {
		return "", err
	}
	if len(common) != 1 {
		return "", usage(fmt.Errorf("it cannot be told which ecosystem %q is about; name it with --ecosystem", file))
	}
	return common[0], nil
}

// peek reads some records and returns the ecosystems that they have in common.
func peek(ctx context.Context, file string) ([]string, error) {
	f, size, err := openFile(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	lim := defaultLimits()
	files, err := openExport(f, size, lim)
	if err != nil {
		return nil, usage(fmt.Errorf("%q cannot be used: %w", file, err))
	}
	w := newImporter(f, "", time.Time{}, lim, &atomic.Int64{})
	var common []string
	seen := 0
	for _, entry := range files {
		if seen == 100 || ctx.Err() != nil {
			break
		}
		if !w.isRecord(entry) || w.tooLarge(entry) {
			continue
		}
		data, err := w.unpack(entry)
		if err != nil {
			return nil, usage(fmt.Errorf("%q cannot be used: %w", file, err))
		}
		r, err := osv.Decode(data)
		if err != nil || r.Withdrawn || len(r.Affected) == 0 {
			continue
		}
		bases := basesOf(r)
		if seen++; seen == 1 {
			common = bases
			continue
		}
		common = slices.DeleteFunc(common, func(b string) bool { return !slices.Contains(bases, b) })
	}
	return slices.DeleteFunc(common, func(b string) bool { return CheckEcosystem(b) != nil }), context.Cause(ctx)
}

// basesOf returns the ecosystems of a record.
func basesOf(r *osv.Record) (bases []string) {
	for i := range r.Affected {
		if base, _ := osv.SplitEcosystem(r.Affected[i].Ecosystem); !slices.Contains(bases, base) {
			bases = append(bases, base)
		}
	}
	return bases
}

func openFile(name string) (*os.File, int64, error) {
	info, err := os.Stat(name)
	if err != nil {
		return nil, 0, usage(fmt.Errorf("%q cannot be read: %w", name, innermost(err)))
	}
	if !info.Mode().IsRegular() { // opening a pipe would block
		return nil, 0, usage(fmt.Errorf("%q is not a file", name))
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, 0, usage(fmt.Errorf("%q cannot be read: %w", name, innermost(err)))
	}
	return f, info.Size(), nil
}

func usage(err error) error { return &mcpsf.Error{Code: mcpsf.CodeUsage, Message: err.Error()} }

// innermost returns an error without the path, which the message already has.
func innermost(err error) error {
	if e, ok := errors.AsType[*os.PathError](err); ok {
		return e.Err
	}
	return err
}
