package declared

import (
	"path"

	"github.com/mcpsf/mcpsf/internal/judge/rules/lex"
	"github.com/mcpsf/mcpsf/internal/judge/rules/paths"
)

// Declaration is what is known of a server before its first event: the user's
// configuration, and what the package and its tools state about themselves.
type Declaration struct {
	Scope   Scope
	Places  paths.Places
	Config  Config
	Purpose Purpose
	Tools   *Tools
	Hosts   *Hosts
}

// New builds the declaration of a scope.
func New(scope Scope) *Declaration {
	scope.Home, scope.WorkDir = path.Clean(scope.Home), path.Clean(scope.WorkDir)
	return &Declaration{
		Scope:   scope,
		Places:  paths.Places{Home: scope.Home, Workdir: scope.WorkDir, Words: lex.NameWords(scope.Name)},
		Config:  newConfig(scope),
		Purpose: newPurpose(scope),
		Tools:   NewTools(scope.Tools),
		Hosts:   newHosts(scope),
	}
}
