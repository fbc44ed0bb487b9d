// Package export generates exports of advisories: zips in the layout of OSV's
// bucket, with records of the structure and length of real ones and our own
// words.
//
// In: how many records, and given records to include. Out: the zips and packages
// to look up.
package export

import (
	"archive/zip"
	"bufio"
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"time"
)

// Size is the number of records: about malicious and vulnerable npm packages,
// and about Python packages.
type Size struct{ Malicious, Vulnerable, Python int }

// Record is a given record to include.
type Record struct {
	ID   string
	Data []byte
}

// maker generates records with the structure and length of real ones, and our
// own words. The same seed makes the same export.
type maker struct {
	rand *rand.Rand
	// names are the packages that have records, for the lookup.
	names []string
	more  map[string][]Record
	buf   bytes.Buffer
}

// Generate writes <dir>/<ecosystem>/all.zip for npm and PyPI and returns
// packages to look up. more are records to include, by ecosystem.
func Generate(dir string, s Size, more map[string][]Record) ([]Wanted, error) {
	m := &maker{rand: rand.New(rand.NewPCG(1, 2)), more: more}
	npm, err := m.export(filepath.Join(dir, "npm"), s.Malicious+s.Vulnerable, func(i int) (string, []byte) {
		if i < s.Malicious {
			return m.malicious("npm", i)
		}
		return m.vulnerable("npm", i-s.Malicious, m.rand.IntN(1+3*s.Vulnerable/10))
	})
	if err != nil {
		return nil, err
	}
	python, err := m.export(filepath.Join(dir, "PyPI"), s.Python, func(i int) (string, []byte) {
		switch {
		case i%3 == 0:
			return m.malicious("PyPI", i)
		case i%3 == 1:
			return m.vulnerable("PyPI", i/3, i/3%1000)
		}
		return m.twin(i / 3)
	})
	if err != nil {
		return nil, err
	}
	return append(m.sample("npm", npm, 800), m.sample("PyPI", python, 200)...), nil
}

// export writes n records into a zip and returns the names of their packages.
func (m *maker) export(dir string, n int, record func(i int) (id string, data []byte)) ([]string, error) {
	m.names = nil
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	f, err := os.Create(filepath.Join(dir, "all.zip"))
	if err != nil {
		return nil, err
	}
	defer f.Close()
	out := bufio.NewWriterSize(f, 1<<20)
	z := zip.NewWriter(out)
	for i := range n {
		id, data := record(i)
		if err := put(z, Record{id, data}, day(i)); err != nil {
			return nil, err
		}
	}
	for i, r := range m.more[filepath.Base(dir)] {
		if err := put(z, r, day(i)); err != nil {
			return nil, err
		}
	}
	if err := z.Close(); err != nil {
		return nil, err
	}
	if err := out.Flush(); err != nil {
		return nil, err
	}
	return m.names, f.Close()
}

func put(z *zip.Writer, r Record, modified time.Time) error {
	w, err := z.CreateHeader(&zip.FileHeader{Name: r.ID + ".json", Method: zip.Deflate, Modified: modified})
	if err != nil {
		return err
	}
	_, err = w.Write(r.Data)
	return err
}

// malicious returns a record about a malicious package.
func (m *maker) malicious(ecosystem string, i int) (string, []byte) {
	id := fmt.Sprintf("MAL-%d-%d", 2022+i%5, i)
	name := m.name(ecosystem, "bad", i)
	version := fmt.Sprintf("%d.%d.%d", m.rand.IntN(100), m.rand.IntN(10), m.rand.IntN(10))
	affected := fmt.Sprintf(`"versions": ["%s"]`, version)
	if i%4 != 0 {
		affected = `"ranges": [{"type": "SEMVER", "events": [{"introduced": "0"}]}]`
	}
	purl := map[string]string{"npm": "npm", "PyPI": "pypi"}[ecosystem]
	m.buf.Reset()
	fmt.Fprintf(&m.buf, `{
  "schema_version": "1.7.4",
  "id": "%s",
  "modified": "%s",
  "published": "%s",
  "summary": "Malicious code in %s (%s)",
  "details": "\n---\n_-= Per source details. Do not edit below this line.=-_\n\n## Source: bench-analysis (%s)\nThe package %s was found to hold harmful code.\n\nIt is considered harmful because:\n\n- It speaks with a host that is known for harmful activity.\n- It runs commands when it is installed, which send the names of files and the variables of the environment away.\n\n## Source: bench-feed (%s)\nAny computer that has this package installed or running should be considered compromised. All secrets that are stored on it should be changed at once from another computer. The package should be removed, but as control of the computer may have been given away there is no guarantee that removing it removes everything that came with it.\n",
  "affected": [
    {
      "package": {"ecosystem": "%s", "name": "%s", "purl": "pkg:%s/%s"},
      %s,
      "database_specific": {
        "source": "https://advisories.example/%s/%s.json",
        "cwes": [{"cweId": "CWE-506", "name": "Embedded Malicious Code", "description": "The product has code in it that appears to be malicious in nature."}]
      }
    }
  ],
  "references": [{"type": "WEB", "url": "https://advisories.example/%s"}],
  "credits": [{"name": "Bench Analysis", "type": "FINDER", "contact": ["https://advisories.example/analysis"]}],
  "database_specific": {
    "malicious-packages-origins": [
      {"source": "bench-analysis", "sha256": "%s", "import_time": "%s", "modified_time": "%s", "versions": ["%s"]},
      {"source": "bench-feed", "sha256": "%s", "import_time": "%s", "modified_time": "%s", "id": "%s"}
    ]
  }
}
`, id, stamp(i+3), stamp(i), name, ecosystem, m.hex(64), name, m.hex(64), ecosystem, name, purl, name, affected,
		ecosystem, id, id, m.hex(64), stamp(i+1), stamp(i), version, m.hex(64), stamp(i+2), stamp(i), m.hex(16))
	return id, m.buf.Bytes()
}

// vulnerable returns a reviewed record about a vulnerable package. Many packages
// have several.
func (m *maker) vulnerable(ecosystem string, i, which int) (string, []byte) {
	id := fmt.Sprintf("GHSA-%04x-%04x-%04x", i>>16, i&0xffff, (i*7919)&0xffff)
	name := m.name(ecosystem, "good", which)
	m.buf.Reset()
	fmt.Fprintf(&m.buf, `{
  "schema_version": "1.7.4",
  "id": "%s",
  "modified": "%s",
  "published": "%s",%s
  "aliases": ["%s"],
  "related": [],
  "summary": "%s lets others read what they should not",
  "details": "### Impact\nWhoever can send text to the parser of %s can make it read a file outside of the directory that it was given, because links are followed before the path is checked. Servers that take paths from strangers are affected; those that do not are not.\n\n### Patches\nUpdate to one of the fixed versions.\n\n### Workarounds\nCheck the path before it is handed over, and run the server as a user who can read nothing else.\n\n### References\nSee the repository for the change and for tests that show the problem.\n",
  "severity": [%s],
  "affected": [{
    "package": {"ecosystem": "%s", "name": "%s"},
    "ranges": [%s],
    "database_specific": {"last_known_affected_version_range": "<= %d.%d.%d", "source": "https://advisories.example/%s.json"}
  }],
  "references": [
    {"type": "WEB", "url": "https://code.example/%s/security/advisories/%s"},
    {"type": "ADVISORY", "url": "https://advisories.example/%s"},
    {"type": "WEB", "url": "https://code.example/%s/commit/%s"},
    {"type": "PACKAGE", "url": "https://code.example/%s"}
  ],
  "database_specific": {"cwe_ids": ["CWE-22", "CWE-59"], "severity": "%s", "github_reviewed": true, "github_reviewed_at": "%s", "nvd_published_at": "%s"}
}
`, id, stamp(i+9), stamp(i), m.withdrawn(i), cve(i), name, name, m.severity(i), ecosystem, name, m.ranges(ecosystem, i),
		i%9, i%11, i%13, id, name, id, id, name, m.hex(40), name, []string{"LOW", "MODERATE", "HIGH", "CRITICAL"}[i%4], stamp(i), stamp(i))
	return id, m.buf.Bytes()
}

// twin returns another database's record about the same vulnerability.
func (m *maker) twin(i int) (string, []byte) {
	id := fmt.Sprintf("PYSEC-%d-%d", 2020+i%6, i)
	name := m.name("PyPI", "good", i%1000)
	m.buf.Reset()
	fmt.Fprintf(&m.buf, `{
  "id": "%s",
  "details": "The parser of %s reads a file outside of the directory that it was given.",
  "aliases": ["%s", "GHSA-%04x-%04x-%04x"],
  "modified": "%s",
  "published": "%s",
  "references": [{"type": "WEB", "url": "https://code.example/%s/commit/%s"}],
  "affected": [{
    "package": {"name": "%s", "ecosystem": "PyPI", "purl": "pkg:pypi/%s"},
    "ranges": [{"type": "GIT", "repo": "https://code.example/%s", "events": [{"introduced": "0"}, {"fixed": "%s"}]},
               {"type": "ECOSYSTEM", "events": [{"introduced": "0"}, {"fixed": "%d.%d"}]}],
    "versions": [%s]
  }]
}
`, id, name, cve(i), i>>16, i&0xffff, (i*7919)&0xffff, stamp(i), stamp(i), name, m.hex(40), name, name, name, m.hex(40), 1+i%7, i%5, list(i))
	return id, m.buf.Bytes()
}

func (m *maker) hex(n int) string {
	const digits = "0123456789abcdef"
	b := make([]byte, n)
	for i := range b {
		b[i] = digits[m.rand.IntN(len(digits))]
	}
	return string(b)
}

// day is when record i was written, some time within five years.
func day(i int) time.Time {
	return time.Date(2021, 12, 1, 0, 0, 0, 0, time.UTC).Add(time.Duration(i*7919%43000) * time.Hour)
}

func stamp(i int) string { return day(i).Format(time.RFC3339) }

func cve(i int) string { return fmt.Sprintf("CVE-%d-%d", 2018+i%9, 10000+i) }
