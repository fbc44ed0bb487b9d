package schema

// humanLanguage is the language that people speak.
const humanLanguage = "en"

// aboutCode reports whether a language is one of programs: the words of the parameter, of
// the tool and of the server speak of code.
func (v Values) aboutCode(said []string) bool {
	for _, words := range [][]string{said, Words(v.tool), Words(v.Samples.Server)} {
		if has(words, "translate", "translation", "speech", "voice", "subtitle", "transcript") {
			return false
		}
		if has(words, "code", "programming", "ast", "syntax", "sitter", "symbol", "symbols", "compiler", "compile", "linter", "lint", "snippet", "repl", "execute", "runner") {
			return true
		}
	}
	return false
}
