package rules

import "path"

// declaration is what is known of a server before its first event: what the
// user configured, and what the package and its tools say of themselves.
type declaration struct {
	scope   Scope
	places  places
	config  config
	purpose purpose
	tools   *toolTexts
	hosts   *declared
}

// newDeclaration reads a scope.
func newDeclaration(scope Scope) *declaration {
	scope.Home, scope.WorkDir = path.Clean(scope.Home), path.Clean(scope.WorkDir)
	return &declaration{
		scope:   scope,
		places:  places{home: scope.Home, workdir: scope.WorkDir, words: wordsOf(scope.Name)},
		config:  newConfig(scope),
		purpose: newPurpose(scope),
		tools:   newToolTexts(scope.Tools),
		hosts:   newDeclared(scope),
	}
}
