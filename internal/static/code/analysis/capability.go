package analysis

import (
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/lazyregexp"
	"github.com/mcpsf/mcpsf/internal/static/code/ir"
	"github.com/mcpsf/mcpsf/internal/static/code/resolve"
)

// Names of functions that provide a capability. "?." stands for a method of an
// unknown object.
var (
	execName = lazyregexp.New(`^(child_process\.(exec|execSync|execFile|execFileSync|spawn|spawnSync|fork)|execa(\.\w+)?|cross-spawn(\.\w+)?|shelljs\.exec|zx\.\$|Deno\.(Command|run)|Bun\.(spawn|spawnSync|\$)|node-pty\.spawn|` +
		`os\.(system|popen\d?|exec[lv]p?e?|spawn[lv]p?e?|posix_spawnp?|startfile)|subprocess\.(run|call|check_call|check_output|Popen|getoutput|getstatusoutput)|asyncio(\.subprocess)?\.create_subprocess_(exec|shell)|pty\.(spawn|fork)|commands\.get\w*output|pexpect\.(spawn|run)|anyio\.(run_process|open_process)|invoke\.run|plumbum\..+|sh\.\w+)$`)
	filesName = lazyregexp.New(`^((fs|fs\.promises|fs-extra|graceful-fs)\.\w+|Deno\.(readTextFile|readFile|writeTextFile|writeFile|remove|mkdir|readDir|open)(Sync)?|Bun\.(file|write)|rimraf(\.\w+)?|` +
		`open|io\.open|aiofiles\.open|os\.(remove|unlink|rename|replace|mkdir|makedirs|listdir|scandir|walk|chmod|chown|rmdir|removedirs|symlink|link|truncate|utime|open|stat)|shutil\.\w+|glob\.i?glob|tempfile\.\w+|\?\.(read_text|write_text|read_bytes|write_bytes|iterdir|rglob|unlink|mkdir|touch)|pathlib\.Path(\(\))?\.\w+|Path\(\)\.(read|write)_\w+|zipfile\.ZipFile|tarfile\.open)$`)
	networkName = lazyregexp.New(`^(fetch|XMLHttpRequest|WebSocket|EventSource|https?\.(get|request|createServer)|http2\.(connect|createServer|createSecureServer)|net\.(connect|createConnection|createServer|Socket)|tls\.(connect|createServer)|dgram\.createSocket|dns(\.promises)?\.\w+|` +
		`(axios|got|node-fetch|undici|needle|superagent|ky|request|phin|ws|nodemailer|ssh2|socket\.io-client|puppeteer|playwright|ofetch)(\.\w+|\(\)\.\w+)*|Deno\.(connect|listen|serve)|navigator\.sendBeacon|` +
		`requests(\.\w+|\(\)\.\w+|\.\w+\(\)\.\w+)|urllib\.request\.\w+|urllib2\.urlopen|urllib3\..+|httpx\..+|aiohttp\..+|socket\.(socket|create_connection|getaddrinfo|gethostbyname|create_server)|socket\.socket\(\)\.\w+|smtplib\..+|ftplib\..+|paramiko\..+|websockets?\..+|http\.client\..+|telnetlib\..+|dns\.resolver\..+|asyncio\.(open_connection|start_server)|imaplib\..+|poplib\..+|boto3\..+)$`)
	dynamicName = lazyregexp.New(`^(eval|Function|exec|compile|execfile|vm\.(runInThisContext|runInNewContext|runInContext|Script|compileFunction|SourceTextModule)|vm\.Script\(\)\.\w+|vm2\..+|isolated-vm\..+|module\.prototype\._compile|module\._load|Module\._load|.+\._compile|runpy\.\w+|types\.(FunctionType|CodeType)|marshal\.loads?|code\.(InteractiveInterpreter|interact)|importlib\.util\.spec_from_file_location|imp\.load_\w+|globals\(\)\[\]|GeneratorFunction|AsyncFunction)$`)
	nativeName  = lazyregexp.New(`^(ffi-napi\..+|ffi\..+|koffi\..+|process\.(dlopen|binding|_linkedBinding)|WebAssembly\.\w+|ctypes(\.\w+)+|cffi\..+|Deno\.dlopen|bun:ffi\..+|node-gyp-build|bindings|ref-napi\..+)$`)
	credName    = lazyregexp.New(`^(keytar\.\w+|keyring\.(get_password|get_credential)|secretstorage\.\w+|win32crypt\.CryptUnprotectData|browser_cookie3\.\w+|CryptUnprotectData|pycookiecheat\.\w+)$`)
)

// capabilityOf returns the capability of a call, "" if none.
func capabilityOf(c *ir.Call) mcpsf.CapabilityKind { return mcpsf.CapabilityKind(c.Capability) }

// markCapabilities determines the capability of every call, once.
func markCapabilities(files []*ir.File) {
	known := map[string]mcpsf.CapabilityKind{}
	for _, f := range files {
		for i := range f.Calls {
			c := &f.Calls[i]
			p, ok := known[c.Name]
			if !ok || c.To >= 0 || c.Name == "setTimeout" || c.Name == "setInterval" {
				p = findCapability(c)
				if c.To < 0 {
					known[c.Name] = p
				}
			}
			c.Capability = string(p)
		}
	}
}

func findCapability(c *ir.Call) mcpsf.CapabilityKind {
	if strings.HasSuffix(c.Name, "=") || c.To >= 0 { // an assignment or a function of this file
		return ""
	}
	switch {
	case execName.MatchString(c.Name):
		return mcpsf.CapabilityExec
	case credName.MatchString(c.Name):
		return mcpsf.CapabilityCredential
	case dynamicName.MatchString(c.Name):
		return mcpsf.CapabilityDynamic
	case nativeName.MatchString(c.Name):
		return mcpsf.CapabilityNative
	case filesName.MatchString(c.Name):
		if harmlessFile(c.Name) {
			return ""
		}
		return mcpsf.CapabilityFiles
	case networkName.MatchString(c.Name):
		return mcpsf.CapabilityNetwork
	case c.Name == "os.getenv" || c.Name == "dotenv.config" || c.Name == "dotenv.load_dotenv":
		return mcpsf.CapabilityEnviron
	case (c.Name == "setTimeout" || c.Name == "setInterval") && len(c.Args) > 0 && c.Args[0].Text != "" && c.Args[0].Func < 0:
		return mcpsf.CapabilityDynamic
	}
	return ""
}

func harmlessFile(name string) bool {
	return strings.HasPrefix(name, "fs.constants") || strings.HasSuffix(name, ".Stats") || name == "shutil.which" || name == "shutil.get_terminal_size" || name == "tempfile.gettempdir"
}

// Place is where a capability is used.
type Place struct {
	Capability mcpsf.CapabilityKind
	mcpsf.CodePlace
	// Hidden is set if the name of the function was computed.
	Hidden bool
}

// Places returns all uses of capabilities, in order.
func (p *Package) Places() []Place {
	var out []Place
	for i, f := range p.Files {
		for k := range f.Calls {
			c := &f.Calls[k]
			if power := capabilityOf(c); power != "" {
				out = append(out, Place{power, mcpsf.CodePlace{Path: f.Path, Line: c.Line, Name: c.Name, Tools: p.graph.toolsAt(i, c.Func, c.Conds)}, c.Hidden})
			}
		}
		for _, r := range f.Reads {
			if strings.Contains(r.Name, "env") {
				out = append(out, Place{mcpsf.CapabilityEnviron, mcpsf.CodePlace{Path: f.Path, Line: r.Line, Name: r.Name, Tools: p.graph.toolsAt(i, r.Func, r.Conds)}, r.Hidden})
			}
		}
		for _, im := range f.Imports {
			if im.Unknown {
				out = append(out, Place{mcpsf.CapabilityDynamic, mcpsf.CodePlace{Path: f.Path, Line: im.Line, Name: ComputedImport}, false})
			}
			if strings.HasSuffix(im.Module, ".node") {
				out = append(out, Place{mcpsf.CapabilityNative, mcpsf.CodePlace{Path: f.Path, Line: im.Line, Name: im.Module}, false})
			}
		}
		for k := range f.Texts {
			t := &f.Texts[k]
			if what := resolve.SecretPath(t.Text); what != "" && usedPath(t) {
				out = append(out, Place{mcpsf.CapabilityCredential, mcpsf.CodePlace{Path: f.Path, Line: t.Line, Name: what, Tools: p.graph.toolsAt(i, t.Func, nil)}, false})
			}
		}
	}
	slices.SortStableFunc(out, func(a, b Place) int {
		if a.Path != b.Path {
			return strings.Compare(a.Path, b.Path)
		}
		return a.Line - b.Line
	})
	return slices.CompactFunc(out, func(a, b Place) bool {
		return a.Path == b.Path && a.Line == b.Line && a.Name == b.Name && a.Capability == b.Capability
	})
}

// capabilityFacts reports each capability once for each function and file, with
// the tool that leads to it.
func capabilityFacts(p *Package) []mcpsf.Fact {
	var out []mcpsf.Fact
	seen := map[string]bool{}
	for _, place := range p.Places() {
		key := string(place.Capability) + place.Path + place.Name
		if seen[key] || beside(place.Path) {
			continue
		}
		seen[key] = true
		f := mcpsf.Fact{Path: place.Path, Line: place.Line, Name: string(place.Capability), Text: place.Name}
		if len(place.Tools) > 0 {
			f.Tool = place.Tools[0]
		}
		out = append(out, f)
	}
	return out
}

// grave returns the capability of a call if it can do harm.
func grave(c *ir.Call) mcpsf.CapabilityKind {
	switch p := capabilityOf(c); p {
	case mcpsf.CapabilityExec, mcpsf.CapabilityDynamic, mcpsf.CapabilityCredential:
		return p
	case mcpsf.CapabilityNetwork:
		if strings.Contains(c.Name, "createServer") || strings.HasSuffix(c.Name, "()") {
			return ""
		}
		return p
	case mcpsf.CapabilityFiles:
		if destroys(c.Name) {
			return p
		}
	}
	return ""
}

func destroys(name string) bool {
	l := strings.ToLower(name)
	return strings.Contains(l, "rmtree") || strings.Contains(l, "rimraf") || strings.Contains(name, ".rm") && !strings.Contains(name, "rmdir") || strings.Contains(l, ".unlink") || strings.Contains(l, "os.remove")
}
