package osv

import (
	"errors"
	"fmt"
	"time"
)

// Bounds of a record's lists. The largest real ones, about kernels of
// distributions, have a tenth of that.
// gap: advisories
const (
	maxAliases  = 10_000
	maxAffected = 50_000
	maxVersions = 300_000
	maxEvents   = 100_000
	maxID       = 200
	maxName     = 2_000
)

// Decode reads a record. A field of the wrong type is an error, so that a
// record is either understood or reported as broken; unneeded fields may hold
// anything.
func Decode(data []byte) (*Record, error) {
	d := decoder{scanner: scanner{data: data}, versions: maxVersions, events: maxEvents}
	if d.peek() != '{' {
		return nil, errors.New("it is not a JSON object")
	}
	if err := d.object(d.field); err != nil {
		return nil, err
	}
	if err := d.end(); err != nil {
		return nil, err
	}
	r := &d.record
	if r.ID == "" || len(r.ID) > maxID {
		return nil, errors.New("it has no usable id")
	}
	if r.Summary == "" && d.details != nil {
		details, err := decodeText(d.details)
		if err != nil {
			return nil, in("details", err)
		}
		r.Summary = firstLine(details)
	}
	return r, nil
}

// decoder is the state of one record being read.
type decoder struct {
	scanner

	record  Record
	details []byte
	// versions and events are how many more the whole record may have.
	versions, events int
}

func (d *decoder) field(key []byte) (err error) {
	r := &d.record
	switch string(key) {
	case "id":
		r.ID, err = d.text()
	case "aliases":
		err = d.array(maxAliases, func() error {
			alias, err := d.text()
			if alias != "" && len(alias) <= maxID {
				r.Aliases = append(r.Aliases, alias)
			}
			return err
		})
	case "summary":
		r.Summary, err = d.text()
		r.Summary = firstLine(r.Summary)
	case "details":
		if !d.null() {
			d.details, err = d.raw()
		}
	case "published":
		r.Published, err = d.time()
	case "modified":
		r.Modified, err = d.time()
	case "withdrawn":
		var when string
		when, err = d.text()
		r.Withdrawn = when != ""
	case "severity":
		r.Severity, err = d.severities()
	case "database_specific":
		r.Rating, err = d.rating()
	case "affected":
		err = d.array(maxAffected, d.affected)
	default:
		return d.skip()
	}
	return in(string(key), err)
}

func (d *decoder) affected() error {
	var a Affected
	err := d.object(func(key []byte) (err error) {
		switch string(key) {
		case "package":
			err = d.packageName(&a)
		case "versions":
			a.Versions, err = d.enumeration()
		case "ranges":
			err = d.array(maxEvents, func() error {
				r, err := d.versionRange()
				if len(r.Events) > 0 {
					a.Ranges = append(a.Ranges, r)
				}
				return err
			})
		case "severity":
			a.Severity, err = d.severities()
		case "database_specific", "ecosystem_specific":
			var rating string
			rating, err = d.rating()
			if a.Rating == "" {
				a.Rating = rating
			}
		default:
			return d.skip()
		}
		return in(string(key), err)
	})
	if len(a.Name) > maxName || len(a.Ecosystem) > maxName {
		return errors.New("the name of a package is too long")
	}
	if err == nil && a.Name != "" && a.Ecosystem != "" {
		d.record.Affected = append(d.record.Affected, a)
	}
	return err
}

func (d *decoder) packageName(a *Affected) error {
	return d.object(func(key []byte) (err error) {
		switch string(key) {
		case "ecosystem":
			a.Ecosystem, err = d.text()
		case "name":
			a.Name, err = d.text()
		default:
			return d.skip()
		}
		return in(string(key), err)
	})
}

func (d *decoder) enumeration() (versions []string, err error) {
	err = d.array(d.versions, func() error {
		v, err := d.text()
		versions = append(versions, v)
		return err
	})
	d.versions -= len(versions)
	return versions, err
}

// versionRange reads a range; one over commits, or of an unknown kind, is
// returned empty.
func (d *decoder) versionRange() (r Range, err error) {
	ordered := false
	err = d.object(func(key []byte) error {
		switch string(key) {
		case "type":
			kind, err := d.text()
			ordered = kind == "SEMVER" || kind == "ECOSYSTEM"
			return in("type", err)
		case "events":
			err := d.array(d.events, func() error { return d.event(&r) })
			return in("events", err)
		}
		return d.skip()
	})
	d.events -= len(r.Events)
	if !ordered {
		r.Events = nil
	}
	return r, err
}

// event reads one event. Older records put several into one object.
func (d *decoder) event(r *Range) error {
	return d.object(func(key []byte) error {
		var kind EventKind
		switch string(key) {
		case "introduced":
			kind = Introduced
		case "fixed":
			kind = Fixed
		case "last_affected":
			kind = LastAffected
		case "limit":
			kind = Limit
		default:
			return d.skip()
		}
		version, err := d.text()
		if version != "" {
			r.Events = append(r.Events, Event{Kind: kind, Version: version})
		}
		return in(string(key), err)
	})
}

func (d *decoder) severities() (all []Severity, err error) {
	err = d.array(100, func() error {
		var s Severity
		err := d.object(func(key []byte) (err error) {
			switch string(key) {
			case "type":
				s.Type, err = d.text()
			case "score":
				s.Score, err = d.text()
			default:
				return d.skip()
			}
			return in(string(key), err)
		})
		all = append(all, s)
		return err
	})
	return all, err
}

// rating reads the severity from fields whose form differs between databases:
// another type there is not an error.
func (d *decoder) rating() (rating string, err error) {
	if d.peek() != '{' {
		return "", d.skip()
	}
	err = d.object(func(key []byte) (err error) {
		if string(key) != "severity" || d.peek() != '"' {
			return d.skip()
		}
		rating, err = d.text()
		return err
	})
	return cut(rating), err
}

// time reads a date; an invalid date counts as none, and the record is kept.
func (d *decoder) time() (time.Time, error) {
	s, err := d.text()
	if err != nil {
		return time.Time{}, err
	}
	t, err := time.Parse(time.RFC3339, s)
	if err != nil || t.Year() < 1970 || t.Year() > 9999 {
		return time.Time{}, nil //nolint:nilerr // as the comment says
	}
	return t.UTC(), nil
}

// in adds the field to an error.
func in(field string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", field, err)
}
