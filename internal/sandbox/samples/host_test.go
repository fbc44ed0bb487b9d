package samples

import (
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mcpsf/mcpsf"
)

// settle writes everything into a folder and returns it.
func settle(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for _, f := range all(t) {
		name := filepath.Join(dir, strings.TrimPrefix(f.Path, mcpsf.Home))
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, f.Content, os.FileMode(f.Mode)); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// run starts a program of the host in a folder, if it is there.
func run(t *testing.T, dir, name string, args ...string) string {
	t.Helper()
	if _, err := exec.LookPath(name); err != nil {
		t.Skipf("%s is not installed", name)
	}
	cmd := exec.CommandContext(t.Context(), name, args...)
	cmd.Dir = dir
	cmd.Env = []string{"HOME=" + dir, "PATH=" + os.Getenv("PATH"), "LC_ALL=C", "TZ=UTC"}
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%s %s: %v\n%s", name, strings.Join(args, " "), err, out)
	}
	return string(out)
}

// Python's own readers accept everything they know.
func TestPython(t *testing.T) {
	const check = `
import ast, csv, email, email.policy, gzip, json, mailbox, os, plistlib, sqlite3, sys, tarfile, wave, zipfile
import configparser
import xml.etree.ElementTree as tree

def notebook(name):
    book = json.load(open(name))
    assert book["nbformat"] == 4
    for cell in book["cells"]:
        assert cell["cell_type"] in ("code", "markdown") and isinstance(cell["source"], list) and cell["id"]
        if cell["cell_type"] == "code":
            ast.parse("".join(cell["source"]))
            assert "outputs" in cell and "execution_count" in cell

def message(name):
    mail = email.message_from_file(open(name), policy=email.policy.default)
    assert mail["subject"] and not mail.defects and len(list(mail.walk())) == 3, mail.defects

def office(name):
    assert zipfile.ZipFile(name).testzip() is None

def tables(name):
    base = sqlite3.connect(name)
    assert base.execute("pragma integrity_check").fetchone() == ("ok",)

def schema(name):
    sqlite3.connect(":memory:").executescript(open(name).read())

readers = {
    ".py": lambda n: compile(open(n).read(), n, "exec"),
    ".json": lambda n: json.load(open(n)),
    ".ipynb": notebook, ".eml": message, ".sqlite": tables, ".db": tables,
    ".mbox": lambda n: len(mailbox.mbox(n)) == 2 or sys.exit(n),
    ".zip": office, ".docx": office, ".xlsx": office, ".pptx": office, ".odt": office, ".ods": office, ".epub": office,
    ".gz": lambda n: gzip.open(n).read(),
    ".tgz": lambda n: tarfile.open(n).getnames(), ".tar": lambda n: tarfile.open(n).getnames(),
    ".wav": lambda n: wave.open(n).getnframes(),
    ".plist": lambda n: plistlib.load(open(n, "rb")),
    ".svg": tree.parse, ".xml": tree.parse, ".kml": tree.parse, ".gpx": tree.parse, ".bpmn": tree.parse, ".drawio": tree.parse,
    ".csv": lambda n: list(csv.reader(open(n))),
}
try:
    import tomllib
    readers[".toml"] = lambda n: tomllib.load(open(n, "rb"))
except ImportError:
    pass
for folder, _, names in os.walk("."):
    for name in names:
        ending, full = os.path.splitext(name)[1], os.path.join(folder, name)
        if name == "schema.sql":
            schema(full)
        if name in ("printer.ini", "platformio.ini", "ansible.cfg"):
            configparser.ConfigParser().read_file(open(full))
        if ending in readers:
            try:
                readers[ending](full)
            except Exception as error:
                sys.exit("%s: %r" % (full, error))
print("fine")
`
	if out := run(t, settle(t), "python3", "-B", "-c", check); strings.TrimSpace(out) != "fine" {
		t.Error(out)
	}
}

// file(1) recognises the formats.
func TestRecognised(t *testing.T) {
	dir := settle(t)
	for ending, want := range map[string]string{
		".png": "PNG image", ".jpg": "JPEG image", ".gif": "GIF image", ".webp": "Web/P", ".bmp": "bitmap", ".tiff": "TIFF image",
		".ico": "icon", ".pdf": "PDF document", ".docx": "Microsoft", ".xlsx": "Microsoft", ".pptx": "Microsoft", ".odt": "OpenDocument Text",
		".ods": "OpenDocument Spreadsheet", ".epub": "EPUB", ".rtf": "Rich Text", ".zip": "Zip archive", ".tar": "tar archive", ".gz": "gzip",
		".sqlite": "SQLite 3", ".parquet": "Parquet", ".avro": "Avro", ".wav": "WAVE", ".mp3": "layer III", ".ogg": "Ogg", ".mp4": "ISO Media",
		".wasm": "WebAssembly", ".pem": "PEM certificate", ".ics": "alendar", ".vcf": "vCard", ".html": "HTML", ".svg": "SVG",
	} {
		name := strings.TrimPrefix(ByEnding()[ending], mcpsf.Home+"/")
		if got := run(t, dir, "file", "--brief", name); !strings.Contains(got, want) {
			t.Errorf("%s is %q, want %s", name, strings.TrimSpace(got), want)
		}
	}
}

// The code does what it says: nothing but print.
func TestPrinted(t *testing.T) {
	dir := path.Join(settle(t), "Documents/projects/samples")
	for _, tt := range []struct{ program, args, want string }{
		{"python3", "-B price.py", "2500"},
		{"sh", "count-boxes.sh 3 4", "7 boxes"},
		{"node", "total.js", "2500"},
		{"node", "discount.mjs", "1125"},
	} {
		t.Run(tt.args, func(t *testing.T) {
			if got := strings.TrimSpace(run(t, dir, tt.program, strings.Fields(tt.args)...)); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

func TestPatchesApply(t *testing.T) {
	dir := path.Join(settle(t), "Documents/projects/samples")
	for _, name := range []string{"new-rate.diff", "new-rate.patch"} {
		run(t, dir, "git", "apply", "--check", name)
	}
}
