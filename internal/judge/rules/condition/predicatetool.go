package condition

import (
	"slices"

	"github.com/mcpsf/mcpsf/internal/judge/rules/declared"
	"github.com/mcpsf/mcpsf/internal/judge/rules/gain"
	"github.com/mcpsf/mcpsf/internal/judge/rules/lex"
)

// toolPredicates concern what tools and packages declare about themselves.
func toolPredicates() []Predicate {
	return slices.Concat(wordPredicates(), purposePredicates(), textPredicates())
}

// wordPredicates concern the words of tools and packages, and their changes.
func wordPredicates() []Predicate {
	return []Predicate{
		{
			`mentions`, []string{"word"}, `the tool or the name of the package has the word`,
			`!mentions(basename(Path))`,
			func(e *Env, word string) bool { return e.Known.declared.Mentions(e.Tool, word) },
		},
		{
			`nameHas`, []string{"words"}, `the name of the package, by which the user chose it, has one of the words`,
			`!nameHas("docker podman")`,
			func(e *Env, words string) bool { return e.Known.declared.NameHas(words) },
		},
		{
			`toolSays`, []string{"words"}, `the tool has one of the words in its name or its description, which the server writes: a reason to report less, and none to report nothing`,
			`toolSays("docker podman") && !nameHas("docker podman")`,
			func(e *Env, words string) bool { return e.Known.declared.Tools.Says(e.Tool, words) },
		},
		{
			`toolMentions`, []string{"word"}, `the tool itself has the word, in its name or its description`,
			`toolMentions("delete")`,
			func(e *Env, word string) bool { return e.Known.declared.Tools.Mentions(e.Tool, word) },
		},
		{
			`listReordered`, nil, `the text changed in nothing but the order of words in a list with commas`,
			`Field != "" && !listReordered()`,
			func(e *Env) bool { return lex.Reordered(e.Was, e.Is) },
		},
		{
			`gainsTarget`, nil, `the new text names a host of another owner, an account, a mail address, a path or a parameter that the old one did not, or asks for more`,
			`Announced && gainsTarget()`,
			func(e *Env) bool {
				own := func(host string) bool { return e.Known.declared.Hosts.Explain(host).By >= declared.ByName }
				return gain.Of(e.Was, e.Is, own) != ""
			},
		},
	}
}

// purposePredicates concern what a tool is for.
func purposePredicates() []Predicate {
	return []Predicate{
		{
			`toolRunsCommands`, nil, `the tool says that it runs commands, or ran the whole value of an argument that is called a command`,
			`!toolRunsCommands()`,
			toolRunsCommands,
		},
		{
			`runsForCaller`, nil, `the tool runs commands, and the process runs the one that the caller gave, or descends from one that does`,
			`!runsForCaller()`,
			func(e *Env) bool { return toolRunsCommands(e) && e.Known.Run.RunsForCaller(&e.Fields) },
		},
		{
			`toolShowsVariables`, nil, `the tool says that it shows environment variables, or runs commands`,
			`All && !toolShowsVariables()`,
			func(e *Env) bool { return e.Known.declared.ShowsVariables(e.Tool, e.Prompt) },
		},
		{
			`generatedBefore`, nil, `a tool that generates secrets returned one that it returned in an earlier start of the server, too`,
			`generatedBefore()`,
			func(e *Env) bool { return e.Known.Run.Repeated.Has(e.Seq) },
		},
		{
			`toolMayWait`, nil, `the tool says that it takes its time`,
			`Seconds > 30 && !toolMayWait()`,
			func(e *Env) bool { return e.Known.declared.Waits(e.Tool) },
		},
		{
			`toolTakesFiles`, nil, `the tool says that the argument may name a file as well as an address`,
			`!toolTakesFiles()`,
			func(e *Env) bool { return e.Known.declared.Tools.TakesFiles(e.Tool, e.Place) },
		},
		{
			`toolClaimsOffline`, nil, `the description of the tool promises that nothing leaves the machine`,
			`Writes && toolClaimsOffline()`,
			func(e *Env) bool { return e.Known.declared.Tools.SaysOffline(e.Tool) },
		},
		{
			`hasAnnotation`, []string{"name", "value"}, `the tool says that of itself in its annotations`,
			`hasAnnotation("readOnlyHint", true) && Changed`,
			func(e *Env, name string, value bool) bool {
				return e.Known.declared.Tools.Annotated(e.Tool, name, value)
			},
		},
		{
			`hasUnexpectedExtension`, nil, `the tool says by its name that it makes pictures, recordings or the like, and the file is called otherwise`,
			`hasUnexpectedExtension()`,
			func(e *Env) bool { return declared.WrongKind(e.Tool, e.Path) },
		},
	}
}

// textPredicates concern texts that a model sees.
func textPredicates() []Predicate {
	return []Predicate{
		{
			`textAlsoHas`, []string{"what"}, `the texts of the same tool have that remarkable thing, too`,
			`What == "secret" && textAlsoHas("silence")`,
			func(e *Env, what string) bool { return e.Known.Run.Texts.Says(e.Of, e.Subject, what) },
		},
		{
			`isServerAuthored`, nil, `the text can be nobody's but the server's: everybody it could have heard it from is made up`,
			`Of == "tool" || isServerAuthored()`,
			func(e *Env) bool { return e.Known.Run.OwnWords() },
		},
	}
}

func toolRunsCommands(e *Env) bool {
	tool := e.Known.Run.Tool(&e.Fields)
	return e.Known.declared.Executes(tool, e.Prompt) || e.Known.Run.RanCommand(tool)
}
