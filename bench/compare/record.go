package main

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/mcpsf/mcpsf/bench/advisory/export"
)

// record is an advisory in OSV's format, only the fields about packages.
type record struct {
	SchemaVersion    string         `json:"schema_version"`
	ID               string         `json:"id"`
	Modified         time.Time      `json:"modified"`
	Published        time.Time      `json:"published"`
	Withdrawn        *time.Time     `json:"withdrawn,omitempty"`
	Aliases          []string       `json:"aliases,omitempty"`
	Summary          string         `json:"summary"`
	Details          string         `json:"details"`
	Severity         []severity     `json:"severity,omitempty"`
	Affected         []affected     `json:"affected"`
	References       []reference    `json:"references"`
	DatabaseSpecific map[string]any `json:"database_specific,omitempty"`
}

type severity struct {
	Type  string `json:"type"`
	Score string `json:"score"`
}

type reference struct {
	Type string `json:"type"`
	URL  string `json:"url"`
}

type affected struct {
	Package  subject    `json:"package"`
	Ranges   []interval `json:"ranges,omitempty"`
	Versions []string   `json:"versions,omitempty"`
}

type subject struct {
	Ecosystem string `json:"ecosystem"`
	Name      string `json:"name"`
}

type interval struct {
	Type   string  `json:"type"`
	Repo   string  `json:"repo,omitempty"`
	Events []event `json:"events"`
}

type event struct {
	Introduced   string `json:"introduced,omitempty"`
	Fixed        string `json:"fixed,omitempty"`
	LastAffected string `json:"last_affected,omitempty"`
}

// known is a record with the correct answer for a package.
type known struct {
	ID       string
	Pack     pack
	Shape    string
	Concerns bool
}

// made are the records about the packages of the servers.
type made struct {
	Known   []known
	Records map[string][]export.Record `json:"-"`
	number  int
}

// perPackage is how many shapes of records each package gets. The shapes rotate,
// so that among a hundred packages each occurs several times.
const perPackage = 4

// makeRecords writes records about packages, of each shape in turn.
func makeRecords(packages []pack) (*made, error) {
	m := &made{Records: map[string][]export.Record{}}
	next := map[string]int{}
	for _, p := range packages {
		shapes := shapesOf(p.Ecosystem)
		for range perPackage {
			s := shapes[next[p.Ecosystem]%len(shapes)]
			next[p.Ecosystem]++
			if s.fits != nil && !s.fits(p) {
				continue
			}
			if err := m.add(p, s); err != nil {
				return nil, err
			}
		}
	}
	return m, nil
}

func (m *made) add(p pack, s shape) error {
	m.number++
	published := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC).Add(time.Duration(m.number) * time.Minute)
	r := record{
		SchemaVersion: "1.7.4", ID: fmt.Sprintf("GHSA-c0de-%04d-%04d", m.number/10000, m.number%10000),
		Published: published, Modified: published.Add(24 * time.Hour), Aliases: []string{fmt.Sprintf("CVE-2099-%d", 10000+m.number)},
		Summary: "Made up: " + s.name, Details: "### Impact\nA record of the comparison. " + s.name + ".\n",
		Severity:   []severity{{"CVSS_V3", "CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:N/A:N"}},
		References: []reference{{"WEB", fmt.Sprintf("https://advisories.example/%d", m.number)}},
		Affected:   []affected{{Package: subject{p.Ecosystem, p.Name}}},
	}
	s.write(&r, p)
	if s.malicious {
		r.ID, r.Aliases, r.Severity = fmt.Sprintf("MAL-2026-%d", 9_000_000+m.number), nil, nil
	}
	list := []record{r}
	if s.twin {
		other := r
		other.ID, other.Aliases = fmt.Sprintf("%s-2026-%d", map[string]string{"npm": "NSEC", "PyPI": "PYSEC"}[p.Ecosystem], 900_000+m.number), []string{r.ID}
		list = append(list, other)
	}
	for _, r := range list {
		data, err := json.MarshalIndent(r, "", "  ")
		if err != nil {
			return err
		}
		m.Records[p.Ecosystem] = append(m.Records[p.Ecosystem], export.Record{ID: r.ID, Data: data})
		m.Known = append(m.Known, known{r.ID, p, s.name, s.concerns})
	}
	return nil
}
