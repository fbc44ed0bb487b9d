package attack

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mcpsf/mcpsf"
)

// unpack is a vulnerable tool: each case is a kind of bug and the value.
const unpack = `
import base64, io, json, os, sys, tarfile, tempfile, zipfile
import xml.sax, xml.sax.handler
def joined(names, read, to):
    for n in names:
        at = os.path.join(to, n)
        os.makedirs(os.path.dirname(at), exist_ok=True)
        open(at, "wb").write(read(n))
def unzip(data, to):
    z = zipfile.ZipFile(io.BytesIO(data))
    joined(z.namelist(), z.read, to)
def untar(data, to, **more):
    tarfile.open(fileobj=io.BytesIO(data)).extractall(to, **more)
def safely(data, to):
    try: zipfile.ZipFile(io.BytesIO(data)).extractall(to)
    except zipfile.BadZipFile: untar(data, to, filter="data")
# Older versions have no filters and trust every archive.
trusting = {"filter": "fully_trusted"} if hasattr(tarfile, "fully_trusted_filter") else {}
modes = {"zip": unzip, "tar": lambda d, to: untar(d, to, **trusting), "safe": safely}
def answer(mode, value):
    data = open(value, "rb").read() if value.startswith("/") else base64.b64decode(value)
    try: modes[mode](data, tempfile.mkdtemp(dir=sys.argv[1]))
    except Exception as e: return str(e)
    return "done"
print(json.dumps([answer(*c) for c in json.load(sys.stdin)]))
`

// written reports whether unpacking overwrote the file, and restores it.
func (m *machine) written(at string) bool {
	m.t.Helper()
	content, err := os.ReadFile(at)
	if err != nil {
		m.t.Fatal(err)
	}
	if string(content) != entryContent {
		return false
	}
	if err := os.WriteFile(at, []byte("restored"), 0o600); err != nil {
		m.t.Fatal(err)
	}
	return true
}

func TestArchivesClimbOut(t *testing.T) {
	m := newMachine(t)
	m.plant()
	for _, p := range []Place{
		{Kind: "data", Type: "string", Name: "archive", Value: json.RawMessage(`"aGVsbG8="`)},
		{Kind: "path", Type: "string", Name: "archive_path", Value: json.RawMessage(`"` + m.w.Roots[0] + `/x.zip"`)},
	} {
		if y := archiveTraversal().Yield(p); y < 40 {
			t.Errorf("the yield at a %s is %d", p.Name, y)
		}
		for mode, want := range map[string]int{"zip": 2, "tar": 4, "safe": 0} {
			payloads := archivePayloads(m.w, p)
			var cases [][]any
			for _, y := range payloads {
				cases = append(cases, []any{mode, y.Value})
			}
			m.answers(cases, "python3", "-c", unpack, m.dir)
			got := 0
			for _, y := range payloads {
				if m.written(y.Marker) {
					got++
				}
			}
			if got != want {
				t.Errorf("%s of a %s: %d archives climb out, want %d", mode, p.Kind, got, want)
			}
		}
	}
}

// entities is a vulnerable XML reader: it prints what an entity told it to
// open.
const entities = `
import io, json, sys
import xml.sax, xml.sax.handler
class Resolver(xml.sax.handler.EntityResolver):
    def __init__(self): self.asked = []
    def resolveEntity(self, public, system):
        self.asked.append(system)
        return io.BytesIO(b"")
def answer(mode, value):
    r, p = Resolver(), xml.sax.make_parser()
    p.setFeature(xml.sax.handler.feature_external_ges, mode == "open")
    p.setEntityResolver(r)
    try: p.parse(io.BytesIO(value.encode()))
    except Exception as e: pass
    return " ".join(r.asked)
print(json.dumps([answer(*c) for c in json.load(sys.stdin)]))
`

func TestEntitiesAreFollowed(t *testing.T) {
	m := newMachine(t)
	class := xxe()
	payloads := class.Payloads(m.w, Place{Kind: "xml", Type: "string", Value: json.RawMessage(`"<r/>"`)})
	for mode, want := range map[string]bool{"open": true, "closed": false} {
		var cases [][]any
		for _, y := range payloads {
			cases = append(cases, []any{mode, y.Value})
		}
		files, hosts := false, false
		for i, asked := range m.answers(cases, "python3", "-c", entities) {
			if y := payloads[i]; i < class.Balanced && strings.Contains(asked, y.Marker) {
				files = files || y.Sign == mcpsf.SignOpen
				hosts = hosts || y.Sign == mcpsf.SignRequest
			}
		}
		if files != want || hosts != want {
			t.Errorf("%s: files followed: %v, hosts followed: %v", mode, files, hosts)
		}
	}
}

func TestArchivesAreTheSameTwice(t *testing.T) {
	a, b := world().Files(), world().Files()
	for i := range a {
		if string(a[i].Content) != string(b[i].Content) || filepath.Clean(a[i].Path) != b[i].Path {
			t.Errorf("%q is not the same twice, or not clean", a[i].Path)
		}
	}
}
