package analysis

import (
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/lazyregexp"
	"github.com/mcpsf/mcpsf/internal/static/code/ir"
)

var (
	unpickles = lazyregexp.New(`^((c?[pP]ickle|_pickle|dill|cloudpickle|joblib|marshal)\.loads?|shelve\.open|pandas\.read_pickle|pd\.read_pickle|yaml\.(unsafe_load|full_load|load|load_all|unsafe_load_all)|jsonpickle\.decode|torch\.load|numpy\.load|node-serialize\.unserialize|serialize-to-js\.deserialize|funcster\.deepDeserialize|cryo\.parse|v8\.deserialize)$`)
	shells    = lazyregexp.New(`^(child_process\.(exec|execSync)|shelljs\.exec|os\.(system|popen)|commands\.get\w*output|subprocess\.(getoutput|getstatusoutput)|asyncio(\.subprocess)?\.create_subprocess_shell|execa\.(command|execaCommand)(Sync)?)$`)
	spawns    = lazyregexp.New(`^(child_process\.(spawn|spawnSync|execFile|execFileSync)|subprocess\.(run|call|check_call|check_output|Popen)|execa(\.\w+)?|cross-spawn(\.\w+)?)$`)
	queries   = lazyregexp.New(`(^|\.)(query|execute|executemany|executescript|raw|all|run|get|prepare|exec|\$queryRawUnsafe|\$executeRawUnsafe|execute_sql|read_sql|read_sql_query|fetch|fetchrow|fetchval|each|unsafe)$`)
	notListed = lazyregexp.New(`\bnot in\b|!\s*[\w.]+\.(includes|has|hasOwnProperty)\(|\bindexOf\([^)]*\)\s*(<\s*0|===?\s*-1)|!\(\s*\w+ in `)
	sqlText   = lazyregexp.New(`(?is)^\s*(select\s.+\sfrom\b|insert\s+into\b|update\s+\S+\s+set\b|delete\s+from\b|drop\s+table\b|create\s+table\b|alter\s+table\b|with\s+\w+\s+as\s*\(|match\s*\(|pragma\s)`)
)

// deserialisations finds insecure deserialization.
func deserialisations(p *Package) []mcpsf.Fact {
	var out []mcpsf.Fact
	for at := range p.calls() {
		f, c := at.file, at.call
		sandboxed := strings.HasPrefix(c.Name, "vm.run") && marked(c, ir.MarkInput|ir.MarkNet)
		if !unpickles.MatchString(c.Name) && !sandboxed || safeLoad(f, c) {
			continue
		}
		out = append(out, p.factAt(at, c.Line, c.Name, "of "+origin(c)))
	}
	return out
}

// safeLoad reports whether the arguments make the call harmless.
func safeLoad(f *ir.File, c *ir.Call) bool {
	for _, a := range c.Args {
		if strings.Contains(a.Name, "Safe") || strings.Contains(a.Name, "BaseLoader") || a.Key == "weights_only" && a.Name == "True" {
			return true
		}
	}
	switch c.Name {
	case "yaml.load", "yaml.load_all":
		return f.Language != ir.Python
	case "numpy.load":
		for _, a := range c.Args {
			if a.Key == "allow_pickle" && a.Name == "True" {
				return false
			}
		}
		return true
	}
	return false
}

// origin returns the source of the arguments.
func origin(c *ir.Call) string {
	var m ir.Mark
	for _, a := range c.Args {
		m |= a.Marks
	}
	switch {
	case m&ir.MarkInput != 0:
		return "input"
	case m&ir.MarkNet != 0:
		return "what was fetched"
	case m&ir.MarkDecoded != 0:
		return "what was decoded"
	case m&ir.MarkFile != 0:
		return "a file"
	}
	return "something unknown"
}

// execInputs finds injections: a caller's input inside a command, a query or a
// program.
func execInputs(p *Package) []mcpsf.Fact {
	var out []mcpsf.Fact
	for at := range p.calls() {
		f, c := at.file, at.call
		what, text := injected(c)
		if what == "" || listedOnly(f, c) {
			continue
		}
		out = append(out, p.factAt(at, c.Line, what, c.Name+" "+text))
	}
	return out
}

// listedOnly reports whether a call gets only values of an allow-list.
func listedOnly(f *ir.File, c *ir.Call) bool {
	return slices.ContainsFunc(c.Conds, func(i int) bool {
		return f.Conds[i].Marks&ir.MarkInput != 0 && f.Conds[i].Not && notListed.MatchString(f.Conds[i].Text)
	})
}

func injected(c *ir.Call) (what, text string) {
	a := first(c)
	if a == nil || a.Marks&ir.MarkInput == 0 {
		return "", ""
	}
	literal := strings.ReplaceAll(a.Text, ir.Hole, "")
	partly := a.Joined && strings.TrimSpace(literal) != ""
	switch {
	case shells.MatchString(c.Name) && partly:
		return "shell", a.Text
	case spawns.MatchString(c.Name) && partly && shellOption(c):
		return "shell", a.Text
	case spawns.MatchString(c.Name) && a.List && shellList(a.Text):
		return "shell", a.Text
	case queries.MatchString(c.Name) && a.Joined && sqlText.MatchString(strings.ReplaceAll(a.Text, ir.Hole, "x")):
		return "query", a.Text
	case capabilityOf(c) == mcpsf.CapabilityDynamic && c.Name != "marshal.loads" && !strings.HasPrefix(c.Name, "importlib"):
		return "code", a.Text
	}
	return "", ""
}

// first returns the argument that contains the command or query.
func first(c *ir.Call) *ir.Arg {
	for i := range c.Args {
		if c.Args[i].Key == "" || c.Args[i].Key == "args" {
			return &c.Args[i]
		}
	}
	return nil
}

func shellOption(c *ir.Call) bool {
	for _, a := range c.Args {
		if a.Key == "shell" && a.Name != "False" && a.Name != "false" && a.Name != "undefined" {
			return true
		}
	}
	return false
}

// shellList recognises ["sh", "-c", "... input"].
func shellList(s string) bool {
	words := strings.Fields(s)
	if len(words) < 3 || !slices.Contains([]string{"sh", "bash", "/bin/sh", "/bin/bash", "zsh", "cmd", "cmd.exe", "powershell"}, words[0]) {
		return false
	}
	rest := strings.Join(words[2:], " ")
	return strings.Contains(rest, ir.Hole) && strings.TrimSpace(strings.ReplaceAll(rest, ir.Hole, "")) != ""
}
