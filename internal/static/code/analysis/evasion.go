package analysis

import (
	"slices"
	"strconv"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/lazyregexp"
	"github.com/mcpsf/mcpsf/internal/static/code/ir"
)

// Signs of a sandbox or debugger that code checks for, by the string it must
// contain.
var (
	containerFile  = lazyregexp.New(`^/\.dockerenv$|^/run/\.containerenv$`)
	containerGroup = lazyregexp.New(`^/proc/(1|self)/(cgroup|mountinfo|sched)$`)
	machineFile    = lazyregexp.New(`^/sys/(class|devices/virtual)/dmi/id/|^/sys/hypervisor|^/proc/scsi/scsi$`)
	tracerWord     = lazyregexp.New(`\bTracerPid\b`)
	machineWord    = lazyregexp.New(`(?i)^(gvisor|runsc|firecracker|cuckoo|joe ?sandbox|any\.?run|sandboxie|sbiedll\.dll|vboxservice(\.exe)?|vboxguest|vmtoolsd(\.exe)?|vmsrvc\.exe|vmwaretray\.exe|virtualbox|vmware|qemu|bochs|xen|innotek gmbh)$`)
	toolWord       = lazyregexp.New(`(?i)^(wireshark|procmon|procexp|ollydbg|x64dbg|ida64|fiddler|mitmproxy|burpsuite|strace|ltrace|gdb|frida(-server)?|tcpdump|processhacker)(\.exe)?$`)
	kernelFile     = lazyregexp.New(`^/proc/version$|^dmesg\b`)
	sandboxWord    = lazyregexp.New(`(?i)^(sandbox|malware|virus|maltest|analysis|john ?doe|wdagutilityaccount|hal9th|cuckoo)$`)
)

// sign is one of them. Legitimate programs check weak ones, too.
type sign struct {
	re   *lazyregexp.Regexp
	name string
	weak bool
}

func watched() []sign {
	return []sign{
		{containerFile, "container", true},
		{containerGroup, "container", true},
		{machineFile, "virtual machine", false},
		{tracerWord, "debugger", false},
		{machineWord, "virtual machine", false},
		{toolWord, "analysis tool", false},
		{kernelFile, "kernel", true},
		{sandboxWord, "sandbox name", false},
	}
}

// evasions finds sandbox evasion: code that checks whether it is analysed.
func evasions(p *Package) []mcpsf.Fact {
	var signs []evasion
	all := watched()
	kinds := map[string]bool{}
	add := func(f *ir.File, line int, name, text string, weak bool) {
		signs = append(signs, evasion{fact(f, line, name, text), weak})
		kinds[name] = true
	}
	for i, f := range p.Files {
		if beside(f.Path) {
			continue
		}
		for k := range f.Texts {
			t := &f.Texts[k]
			if len(t.Text) < 3 || len(t.Text) > 120 || isMessage(t) {
				continue
			}
			for _, w := range all {
				if !w.re.MatchString(t.Text) || plainWord(w.name) && !(t.Compared || listed(t)) {
					continue
				}
				add(f, t.Line, w.name, "looks for "+t.Text, w.weak && !p.decides(i, t.Func))
			}
		}
		machineConds(p, i, f, add)
		debuggers(f, add)
		sleeps(p, i, f, add)
	}
	return graded(signs, len(kinds))
}

// evasion is a sign that the code checks for.
type evasion struct {
	fact mcpsf.Fact
	weak bool
}

// graded drops weak signs that occur alone. Many programs check one; a file
// that checks several looks for a sandbox.
func graded(signs []evasion, kinds int) []mcpsf.Fact {
	strong := map[string]suspicion{} // by file
	for _, s := range signs {
		if !s.weak {
			if strong[s.fact.Path] == nil {
				strong[s.fact.Path] = suspicion{}
			}
			strong[s.fact.Path].add(&s.fact)
		}
	}
	var out []mcpsf.Fact
	for _, s := range signs {
		if s.weak && kinds < 3 {
			continue
		}
		s.fact.Level = mcpsf.SeverityLow
		if strong[s.fact.Path].founded() {
			s.fact.Level = mcpsf.SeverityMedium
		}
		out = append(out, s.fact)
	}
	return out
}

// suspicion is what a file checks for: the strings of each kind of sign.
type suspicion map[string]map[string]bool

func (s suspicion) add(f *mcpsf.Fact) {
	if s[f.Name] == nil {
		s[f.Name] = map[string]bool{}
	}
	s[f.Name][f.Text] = true
}

// founded reports whether there is more than one word from a list: code that
// looks for analysis tools or users by name looks for several.
func (s suspicion) founded() bool {
	lists, other := 0, false
	for kind, texts := range s {
		if len(texts) > 1 {
			lists++
		}
		for text := range texts {
			other = other || !plainWord(kind) || strings.Contains(text, "/")
		}
	}
	return len(s) > 2 || len(s) == 2 && (other || lists == 2)
}

// plainWord reports signs that are ordinary words: they count only in
// comparisons.
func plainWord(name string) bool {
	return name == "virtual machine" || name == "analysis tool" || name == "sandbox name"
}

// listed reports whether a text may be an element of a list that is compared
// later.
func listed(t *ir.Text) bool {
	l := strings.ToLower(t.Name)
	for _, w := range []string{"vm", "sandbox", "debug", "tool", "bad", "hyper", "virtual", "proc", "susp", "black", "mark", "sign", "vendor", "user", "dmi", "evad", "analys"} {
		if strings.Contains(l, w) {
			return true
		}
	}
	return strings.HasPrefix(t.Text, "/sys/")
}

// decides reports whether dangerous calls depend on a function's result.
func (p *Package) decides(file, fn int) bool {
	if fn == 0 {
		return false
	}
	f := p.Files[file]
	for k := range f.Calls {
		c := &f.Calls[k]
		for _, n := range c.Conds {
			cond := &f.Conds[n]
			if !slices.Contains(cond.Calls, fn) || !(cond.Not || strings.Contains(cond.Text, "!") || strings.Contains(cond.Text, "not ")) {
				continue
			}
			if h := p.harm(file, c); h != nil && sinister(h) {
				return true
			}
		}
	}
	return false
}

// sinister reports whether a legitimate program would never make this call
// depend on its environment.
func sinister(h *ir.Call) bool {
	switch grave(h) {
	case mcpsf.CapabilityDynamic, mcpsf.CapabilityCredential:
		return true
	case mcpsf.CapabilityExec:
		return shells.MatchString(h.Name) || h.Hidden
	case mcpsf.CapabilityNetwork:
		return marked(h, ir.MarkSecret|ir.MarkWhole)
	}
	return false
}

type signAdder func(f *ir.File, line int, name, text string, weak bool)

// machineConds finds conditions on the number of processors, memory and uptime.
func machineConds(p *Package, file int, f *ir.File, add signAdder) {
	for k := range f.Calls {
		c := &f.Calls[k]
		for _, n := range c.Conds {
			cond := &f.Conds[n]
			marks := cond.Marks
			for _, fn := range cond.Calls {
				marks |= f.Funcs[fn].Returns
			}
			if marks&ir.MarkMachine == 0 {
				continue
			}
			if h := p.harm(file, c); h != nil && grave(h) != mcpsf.CapabilityFiles {
				add(f, cond.Line, "machine size", cond.Text+" → "+h.Name, false)
				break
			}
		}
	}
}

// debuggers finds checks for an attached debugger.
func debuggers(f *ir.File, add signAdder) {
	for _, r := range f.Reads {
		if r.Name == "process.execArgv" {
			for i := range f.Texts {
				if t := &f.Texts[i]; t.Compared && strings.Contains(t.Text, "inspect") && abs(t.Line-r.Line) <= 3 {
					add(f, r.Line, "debugger", "looks for --inspect among the arguments", true)
				}
			}
		}
	}
	for i := range f.Calls {
		switch c := &f.Calls[i]; c.Name {
		case "sys.gettrace", "inspector.url", "ctypes.windll.kernel32.IsDebuggerPresent":
			add(f, c.Line, "debugger", "asks "+c.Name, c.Name != "ctypes.windll.kernel32.IsDebuggerPresent")
		}
	}
}

func abs(n int) int { return max(n, -n) }

// sleeps finds waits before dangerous calls that are longer than any analysis.
func sleeps(p *Package, file int, f *ir.File, add signAdder) {
	for i := range f.Calls {
		c := &f.Calls[i]
		var seconds float64
		switch {
		case (c.Name == "time.sleep" || c.Name == "asyncio.sleep") && len(c.Args) > 0:
			seconds, _ = strconv.ParseFloat(c.Args[0].Text, 64)
		case c.Name == "setTimeout" && len(c.Args) > 1:
			seconds, _ = strconv.ParseFloat(c.Args[1].Text, 64)
			seconds /= 1000
		}
		if seconds < 600 {
			continue
		}
		if c.Name == "setTimeout" {
			if h := p.harm(file, c); h == nil || grave(h) == mcpsf.CapabilityNetwork {
				continue
			}
		}
		add(f, c.Line, "long wait", c.Name+" for "+strconv.FormatFloat(seconds, 'f', -1, 64)+" seconds", c.Name != "setTimeout")
	}
}
