package analysis

import (
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/lazyregexp"
	"github.com/mcpsf/mcpsf/internal/static/code/ir"
)

var (
	pipedShell = lazyregexp.New(`(?i)\b(curl|wget)\b[^|;&]*\|\s*(sudo\s+)?((ba|z|da)?sh|python3?|node|perl)\b|\b(ba|z)?sh\s+(-c\s+)?["']?\s*(<\(|\$\()\s*(curl|wget)|\b(iwr|invoke-webrequest|downloadstring)\b.*\b(iex|invoke-expression)\b|\biex\b.*downloadstring|\b(curl|wget)\b.*(&&|;)\s*(chmod\s+\+?x?7?\w*\s|(ba|z)?sh\s|\./)`)
	writesFile = lazyregexp.New(`^(fs(\.promises)?\.(writeFile|writeFileSync|appendFile|appendFileSync|createWriteStream)|fs-extra\.(writeFile|outputFile)\w*|open\(\)\.write|\?\.(write_bytes|write_text|write)|urllib\.request\.urlretrieve|shutil\.copyfileobj|Bun\.write|Deno\.write\w+)$`)
	makesExec  = lazyregexp.New(`^(fs(\.promises)?\.chmod(Sync)?|os\.chmod|\?\.chmod)$`)
)

// downloads finds code that is fetched and run.
func downloads(p *Package) []mcpsf.Fact {
	var out []mcpsf.Fact
	for i, f := range p.Files {
		if beside(f.Path) {
			continue
		}
		for k := range f.Calls {
			c := &f.Calls[k]
			name, text := fetched(c)
			if name == "" {
				continue
			}
			out = append(out, p.factAt(site{i, f, c}, c.Line, name, text))
		}
		out = append(out, dropped(f)...)
	}
	return out
}

// fetched describes how a call runs fetched data, "" if it does not.
func fetched(c *ir.Call) (name, text string) {
	net := marked(c, ir.MarkNet)
	switch capabilityOf(c) {
	case mcpsf.CapabilityDynamic:
		if net {
			return c.Name, "runs what was fetched from the network"
		}
	case mcpsf.CapabilityExec:
		return fetchedCommand(c)
	case mcpsf.CapabilityNative:
		if net && strings.HasPrefix(c.Name, "process.dlopen") {
			return c.Name, "loads a library that was fetched"
		}
	}
	if net && (c.Name == "require" || c.Name == "import" || c.Name == "importlib.import_module") {
		return c.Name, "imports what was fetched from the network"
	}
	return "", ""
}

func marked(c *ir.Call, m ir.Mark) bool {
	for _, a := range c.Args {
		if a.Marks&m != 0 {
			return true
		}
	}
	return false
}

// fetchedCommand describes a command that fetches and runs code, or was fetched
// itself.
func fetchedCommand(c *ir.Call) (name, text string) {
	for i, a := range c.Args {
		if pipedShell.MatchString(a.Text) {
			return c.Name, a.Text
		}
		if i == 0 && a.Marks&ir.MarkNet != 0 && a.Text == "" && !a.Joined && !a.List && a.Marks&ir.MarkInput == 0 {
			return c.Name, "runs a command that was fetched from the network"
		}
		// "-e", "-c" with fetched code
		if a.List && a.Marks&ir.MarkNet != 0 && (strings.Contains(a.Text, "-e ") || strings.Contains(a.Text, "-c ")) {
			return c.Name, "runs code that was fetched from the network: " + a.Text
		}
	}
	return "", ""
}

// dropped finds a file that is fetched, written and then run or made
// executable.
func dropped(f *ir.File) []mcpsf.Fact {
	var out []mcpsf.Fact
	for k := range f.Calls {
		w := &f.Calls[k]
		if !writesFile.MatchString(w.Name) || !(marked(w, ir.MarkNet) || w.Name == "urllib.request.urlretrieve" || piped(f, w)) {
			continue
		}
		runnable, run := false, ""
		for j := range f.Calls {
			c := &f.Calls[j]
			if abs(c.Line-w.Line) > 60 || !related(f, w, c) {
				continue
			}
			if makesExec.MatchString(c.Name) {
				runnable = true
			}
			if capabilityOf(c) == mcpsf.CapabilityExec {
				run = c.Name
			}
			if c.Name == "require" || c.Name == "import" {
				run = c.Name
			}
		}
		mode := false
		for _, a := range w.Args {
			mode = mode || a.Key == "mode" && (a.Text == "493" || a.Text == "511" || a.Text == "448")
		}
		if run != "" && (runnable || mode || sameTarget(f, w)) {
			out = append(out, fact(f, w.Line, w.Name+" then "+run, "writes what was fetched to a file and runs it"))
		}
	}
	return out
}

// piped reports whether a fetched stream is written to a file.
func piped(f *ir.File, w *ir.Call) bool {
	for k := range f.Calls {
		c := &f.Calls[k]
		if strings.HasSuffix(c.Name, ".pipe") && c.On&ir.MarkNet != 0 && abs(c.Line-w.Line) <= 10 {
			return true
		}
	}
	return false
}

// related reports whether two calls belong to one action: the same function, or
// one inside the other.
func related(f *ir.File, a, b *ir.Call) bool {
	for at := a.Func; at >= 0; at = f.Funcs[at].In {
		if at == b.Func {
			return true
		}
		if at == 0 {
			break
		}
	}
	for at := b.Func; at > 0; at = f.Funcs[at].In {
		if at == a.Func {
			return true
		}
	}
	return false
}

// sameTarget reports whether a started program is the written file.
func sameTarget(f *ir.File, w *ir.Call) bool {
	if len(w.Args) == 0 {
		return false
	}
	target := w.Args[0].Text
	if len(target) < 4 {
		return false
	}
	for k := range f.Calls {
		c := &f.Calls[k]
		if capabilityOf(c) != mcpsf.CapabilityExec && c.Name != "require" && c.Name != "import" {
			continue
		}
		for _, a := range c.Args {
			if strings.Contains(a.Text, strings.Trim(target, ir.Hole)) {
				return true
			}
		}
	}
	return false
}
