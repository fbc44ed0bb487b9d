package entry

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/mcpsf/mcpsf/internal/lazyregexp"
)

// Attempt is the arguments and variables of a failed start. Env holds K=V.
type Attempt struct {
	Args, Env []string
}

// Fix is one thing that a failed start lacks. It is a guess, read from the
// server's own output.
type Fix struct {
	// Env names missing variables. One whose value is known is written
	// NAME=value.
	Env []string
	// Args are to be added or, if Replace is set, used instead of all that were
	// tried. [Fill] fills their placeholders.
	Args    []string
	Replace bool
	// Needs is a version range of the runtime. Missing is a module, or a
	// requirement (mcp<2) if another release is needed. Program is a program
	// that was not found.
	Needs, Missing, Program string
	// Why quotes the line that it was read from, safe to print.
	Why string
}

// no gap: bounds how ways to start the server are found; a server that does not start gets no PASS
const (
	maxFixes    = 8
	maxWhy      = 120
	maxDiagnose = 64 << 10
	maxLines    = 2000
	maxLine     = 1000
	maxNames    = 24
)

// Diagnose reads from the output of a failed start what it lacked, best guess
// first. exit is the server's exit code, negative if it was still running
// without having answered.
func Diagnose(stderr, stdout string, exit int, tried Attempt) []Fix {
	d := &diagnosis{tried: tried, running: exit < 0}
	d.lines = append(outputLines(stderr), outputLines(stdout)...)
	d.text = strings.Join(d.lines, "\n")
	for _, look := range []func(*diagnosis){
		wrongVersion, missingModule, missingProgram,
		missingArguments, rejectedArguments, missingVariables, otherArguments,
		unreachableDatabase, usageLine, commandList, wrongTransport,
	} {
		look(d)
	}
	return d.fixes
}

type diagnosis struct {
	lines   []string
	text    string
	tried   Attempt
	running bool
	fixes   []Fix
}

// add adds a fix unless it is known already.
func (d *diagnosis) add(f Fix, why string) {
	f.Env = slices.DeleteFunc(f.Env, d.hasVariable)
	if len(f.Args) > 0 && !f.Replace && d.hasArguments(f.Args) {
		f.Args = nil
	}
	nothing := len(f.Env) == 0 && len(f.Args) == 0 && !f.Replace && f.Needs == "" && f.Missing == "" && f.Program == ""
	same := func(o Fix) bool {
		return slices.Equal(o.Env, f.Env) && slices.Equal(o.Args, f.Args) && o.Replace == f.Replace &&
			o.Needs == f.Needs && o.Missing == f.Missing && o.Program == f.Program
	}
	if nothing || len(d.fixes) == maxFixes || slices.ContainsFunc(d.fixes, same) {
		return
	}
	f.Why = quoteLine(why)
	d.fixes = append(d.fixes, f)
}

func (d *diagnosis) hasVariable(name string) bool {
	name, value, known := strings.Cut(name, "=")
	return slices.ContainsFunc(d.tried.Env, func(v string) bool {
		n, old, _ := strings.Cut(v, "=")
		return n == name && (!known || old == value)
	})
}

// hasArguments reports whether the requested arguments were given: the same
// option, or at least as many positional arguments.
func (d *diagnosis) hasArguments(args []string) bool {
	var own, given int
	for i, arg := range args {
		name, option, _ := cutOption(arg)
		if option && !slices.ContainsFunc(d.tried.Args, func(t string) bool { return t == name || strings.HasPrefix(t, name+"=") }) {
			return false
		}
		if !option && (i == 0 || !strings.HasPrefix(args[i-1], "-")) {
			own++
		}
	}
	for i, arg := range d.tried.Args {
		if !strings.HasPrefix(arg, "-") && startingVerb([]string{arg}) == "" && (i == 0 || !strings.HasPrefix(d.tried.Args[i-1], "-")) {
			given++
		}
	}
	return given >= own
}

// match adds a fix for the first line that re matches and fix accepts. The
// first group that fix gets is the whole line.
func (d *diagnosis) match(re *lazyregexp.Regexp, fix func(m []string) (Fix, bool)) bool {
	for _, line := range d.lines {
		if m := re.FindStringSubmatch(line); m != nil {
			m[0] = line
			if f, ok := fix(m); ok {
				d.add(f, line)
				return true
			}
		}
	}
	return false
}

var escapes = lazyregexp.New(`\x1b\[[0-?]*[ -/]*[@-~]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b[@-_]`)

// outputLines returns the first and last lines of an output, without terminal
// escapes.
func outputLines(text string) []string {
	if len(text) > maxDiagnose {
		text = text[:maxDiagnose/2] + "\n" + text[len(text)-maxDiagnose/2:]
	}
	text = escapes.ReplaceAllString(strings.ToValidUTF8(text, "?"), "")
	var lines []string
	for line := range strings.FieldsFuncSeq(text, func(r rune) bool { return r == '\n' || r == '\r' }) {
		if len(line) > maxLine {
			line = strings.ToValidUTF8(line[:maxLine], "")
		}
		if lines = append(lines, line); len(lines) == maxLines {
			break
		}
	}
	return lines
}

// quoteLine makes a line printable and short, for a report.
func quoteLine(line string) string {
	line = strings.Map(func(r rune) rune {
		if r == utf8.RuneError || !unicode.IsPrint(r) {
			return ' '
		}
		return r
	}, line)
	line = strings.Join(strings.Fields(line), " ")
	if len(line) <= maxWhy {
		return line
	}
	return strings.ToValidUTF8(line[:maxWhy-3], "") + "..."
}
