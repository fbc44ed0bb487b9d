package plan

import (
	_ "embed"
	"sync"
	"time"

	"go.yaml.in/yaml/v3"

	"github.com/mcpsf/mcpsf"
)

//go:embed environments.yaml
var environmentsFile []byte

// Environment is a machine, or a date, that a server may wait for.
type Environment struct {
	Since mcpsf.ChangeCause `yaml:"since"`
	// Env are the variables by which a server recognises it.
	Env []string `yaml:"env"`
	// Days is how many days the date is ahead.
	Days int `yaml:"days"`
}

// Later is how far the date is ahead.
func (e *Environment) Later() time.Duration { return time.Duration(e.Days) * 24 * time.Hour }

// Environments returns all environments, the most likely first.
func Environments() []Environment { return environments() }

// environments reads the table once. The file is part of the program and a test reads it.
//
//nolint:gochecknoglobals // read once like a regular expression, and never changed
var environments = sync.OnceValue(func() []Environment {
	var list []Environment
	if err := yaml.Unmarshal(environmentsFile, &list); err != nil {
		panic(err)
	}
	return list
})
