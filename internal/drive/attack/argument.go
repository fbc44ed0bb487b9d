package attack

import (
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf"
)

// argumentSecrets is the first index of the files that options of other
// programs open.
const argumentSecrets = 48

func argumentInjection() Class {
	return Class{
		ID:    "argument-injection",
		Title: "A value is taken for an option by a program the server runs",
		Yield: kinds{
			"argument": 90, "path": 60, "dir": 55, "url": 60, "host": 70, "query": 60, "name": 55, "glob": 60, "regexp": 55,
			"id": 45, "unknown": 45, "text": 30, "command": 30, "date": 30, "email": 25,
		}.of,
		Payloads: argumentPayloads,
		Balanced: 6,
	}
}

// optionForm is an option of a program that servers often start. Its marker is
// the program it runs, the file it opens, or the option itself.
type optionForm struct {
	form string
	sign mcpsf.AttackSign
	why  string
	// kinds are the kinds of places that usually become an argument of the
	// program.
	kinds string
}

// optionForms begins with options that every program parses: a program that
// receives an unknown word as an option was given an option. The rest show what
// an option can do, most of them without a second argument.
func optionForms() []optionForm {
	return []optionForm{
		{"--§", mcpsf.SignArgument, "option where a value belongs", "any"},
		{"¤ --§", mcpsf.SignArgument, "option after a space", "any"},
		{"--output=§", mcpsf.SignOpen, "file that git log, diff and show write", "argument id name"},
		{"--upload-pack=§", mcpsf.SignExec, "program that git fetch and clone run", "argument url"},
		{"-K§", mcpsf.SignOpen, "settings that curl reads", "url host"},
		{"-oProxyCommand=§", mcpsf.SignExec, "program that ssh runs", "host"},
		{"--pre=§", mcpsf.SignExec, "program that ripgrep runs", "query regexp"},
		{"--file=§", mcpsf.SignOpen, "patterns that grep reads", "query regexp"},
		{"--use-compress-program=§", mcpsf.SignExec, "program that tar runs", "path name"},
		{"--to-command=§", mcpsf.SignExec, "program that tar runs", "path name"},
		{"-o§", mcpsf.SignOpen, "file that curl, sort and compilers write", "url path"},
		{"--config=§", mcpsf.SignOpen, "settings that curl reads", "url"},
		{"--use-askpass=§", mcpsf.SignExec, "program that wget runs", "url"},
		{"--kubeconfig=§", mcpsf.SignOpen, "settings that kubectl reads", "name id"},
		{"¤ -exec § ;", mcpsf.SignExec, "program that find runs", "glob dir"},
		{"-§", mcpsf.SignArgument, "short options where a value belongs", ""},
		{"-f§", mcpsf.SignOpen, "patterns or program that grep, sed and awk read", "query"},
		{"--checkpoint-action=exec=§", mcpsf.SignExec, "program that tar runs", ""},
		{"--compress-program=§", mcpsf.SignExec, "program that sort runs", ""},
		{"--rsh=§", mcpsf.SignExec, "program that rsync runs", ""},
		{"--receive-pack=§", mcpsf.SignExec, "program that git push runs", ""},
		{"--exec=§", mcpsf.SignExec, "program that fd, git rebase and git archive run", ""},
		{"--open-files-in-pager=§", mcpsf.SignExec, "program that git grep runs", "query"},
		{"-c core.sshCommand=§", mcpsf.SignArgument, "setting of git", ""},
		{"@§", mcpsf.SignOpen, "file of arguments", ""},
		{"ext::§", mcpsf.SignExec, "transport of git", "url"},
	}
}

func argumentPayloads(w *World, p Place) []Payload {
	ordinary := p.text()
	var likely, rest []Payload
	for i, f := range optionForms() {
		y := Payload{Sign: f.sign, Why: f.why}
		switch f.sign {
		case mcpsf.SignOpen:
			y.Marker = w.Secret(argumentSecrets + i)
			y.Value = fill(f.form, ordinary, y.Marker)
		case mcpsf.SignExec:
			y.Marker = w.Program(argumentPrograms + i)
			y.Value = fill(f.form, ordinary, y.Marker)
		default:
			// The marker is the argument as the program receives it.
			y.Value = fill(f.form, ordinary, w.Word("argument", i))
			y.Marker = fill(f.form[strings.LastIndexByte(f.form, ' ')+1:], ordinary, w.Word("argument", i))
		}
		if f.kinds == "any" || slices.Contains(strings.Fields(f.kinds), p.Kind) {
			likely = append(likely, y)
		} else {
			rest = append(rest, y)
		}
	}
	return append(likely, rest...)
}
