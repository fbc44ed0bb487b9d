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

// Environment is a place, or a day, that a server may wait for.
type Environment struct {
	Since mcpsf.ChangeCause `yaml:"since"`
	// Env are the variables by which it is known.
	Env []string `yaml:"env"`
	// Days is by how many the date is ahead.
	Days int `yaml:"days"`
}

// Later is by how much the date is ahead.
func (e *Environment) Later() time.Duration { return time.Duration(e.Days) * 24 * time.Hour }

// Environments are all of them, the most likely first.
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
