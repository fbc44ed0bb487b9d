package rules

// toolPredicates are about what tools and packages say of themselves.
func toolPredicates() []predicate {
	return []predicate{
		{
			`mentions`, []string{"word"}, `the tool or the name of the package has the word`,
			`!mentions(basename(Path))`,
			func(e *env, word string) bool { return e.known.declared.mentions(e.Tool, word) },
		},
		{
			`toolMentions`, []string{"word"}, `the tool itself has the word, in its name or its description`,
			`toolMentions("delete")`,
			func(e *env, word string) bool { return e.known.declared.tools.mentions(e.Tool, word) },
		},
		{
			`toolRunsCommands`, nil, `the tool says that it runs commands`,
			`!toolRunsCommands()`,
			func(e *env) bool { return e.known.declared.executes(e.Tool, e.prompt) },
		},
		{
			`toolShowsVariables`, nil, `the tool says that it shows environment variables, or runs commands`,
			`All && !toolShowsVariables()`,
			func(e *env) bool { return e.known.declared.showsVariables(e.Tool, e.prompt) },
		},
		{
			`toolMayWait`, nil, `the tool says that it takes its time`,
			`Seconds > 30 && !toolMayWait()`,
			func(e *env) bool { return e.known.declared.waits(e.Tool) },
		},
		{
			`toolTakesFiles`, nil, `the tool says that the argument may name a file as well as an address`,
			`!toolTakesFiles()`,
			func(e *env) bool { return e.known.declared.tools.takesFiles(e.Tool, e.Place) },
		},
		{
			`toolClaimsOffline`, nil, `the description of the tool promises that nothing leaves the machine`,
			`Writes && toolClaimsOffline()`,
			func(e *env) bool { return e.known.declared.tools.saysOffline(e.Tool) },
		},
		{
			`hasAnnotation`, []string{"name", "value"}, `the tool says that of itself in its annotations`,
			`hasAnnotation("readOnlyHint", true) && Changed`,
			func(e *env, name string, value bool) bool {
				return e.known.declared.tools.annotated(e.Tool, name, value)
			},
		},
		{
			`hasUnexpectedExtension`, nil, `the tool says by its name that it makes pictures, recordings or the like, and the file is called otherwise`,
			`hasUnexpectedExtension()`,
			func(e *env) bool { return wrongKind(e.Tool, e.Path) },
		},
		{
			`textAlsoHas`, []string{"what"}, `the texts of the same tool have that remarkable thing, too`,
			`What == "secret" && textAlsoHas("order")`,
			func(e *env, what string) bool { return e.known.run.texts.says(e.Of, e.Subject, what) },
		},
		{
			`isServerAuthored`, nil, `the text can be nobody's but the server's: everybody it could have heard it from is made up`,
			`Of == "tool" || isServerAuthored()`,
			func(e *env) bool { return e.known.run.ownWords() },
		},
	}
}
