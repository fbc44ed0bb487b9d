// Package job is the vocabulary of the service: what is asked for, what has
// become of it, and whose it is.
package job

import (
	"time"

	"github.com/google/uuid"

	"github.com/mcpsf/mcpsf"
)

// State is where a job is in its life.
type State string

// The states. Done, failed, cancelled and quarantined are ends: a job reaches
// exactly one of them, once.
const (
	Queued    State = "queued"
	Running   State = "running"
	Done      State = "done"
	Failed    State = "failed"
	Cancelled State = "cancelled"
	// Quarantined jobs took down whatever ran them, and are not tried again.
	Quarantined State = "quarantined"
)

// States are all of them.
func States() []State { return []State{Queued, Running, Done, Failed, Cancelled, Quarantined} }

// Ended tells whether nothing happens any more.
func (s State) Ended() bool { return s != Queued && s != Running }

// Job is a request and what has become of it.
type Job struct {
	ID      string  `json:"job_id"`
	Project string  `json:"project"`
	State   State   `json:"state"`
	Request Request `json:"request"`
	// Priority orders the jobs of one project; higher goes first.
	Priority int `json:"priority"`

	Created time.Time  `json:"created"`
	Started *time.Time `json:"started,omitempty"`
	Ended   *time.Time `json:"ended,omitempty"`
	// Attempt counts how often it was begun.
	Attempt int `json:"attempt"`
	// Worker is who has it, or had it last.
	Worker string `json:"worker,omitempty"`
	// Cancelling is set from the wish to end it until it has ended.
	Cancelling bool     `json:"cancelling,omitempty"`
	Progress   Progress `json:"progress"`
	// Result is set for a job that is done, Problem for one that failed.
	Result  *Result  `json:"result,omitempty"`
	Problem *Problem `json:"problem,omitempty"`
}

// NewID names a job. Later ones are greater, and nobody can guess them.
func NewID() string { return uuid.Must(uuid.NewV7()).String() }

// Progress is how far a job has come.
type Progress struct {
	Percent int `json:"percent"`
	// Step is the phase that is worked on, Text what is seen of it.
	Step string `json:"step,omitempty"`
	Text string `json:"text,omitempty"`
}

// Step is the name of a phase if it is one that assessments have, "other" if not:
// it comes out of a process that is not trusted.
func Step(name string) string {
	switch name {
	case "resolve", "image", "runtime", "inspect", "install", "start", "drive", "press", "attack", "fuzz", "visit", "shorten", "judge", "reach", "check":
		return name
	}
	return "other"
}

// Result is what lists show of a report.
type Result struct {
	Name     string     `json:"name,omitempty"`
	Version  string     `json:"version,omitempty"`
	Digest   string     `json:"digest,omitempty"`
	Band     mcpsf.Band `json:"band"`
	Score    int        `json:"score"`
	Findings int        `json:"findings"`
	// Tool is the version of mcpsf that made the report.
	Tool string `json:"tool"`
	// Bytes are what its files take.
	Bytes int64 `json:"bytes"`
}

// Problem is why there is no report, in one line.
type Problem struct {
	Code    mcpsf.Code `json:"code"`
	Message string     `json:"message"`
}

// Key lets a program or a person in.
type Key struct {
	ID      string `json:"id"`
	Project string `json:"project"`
	// Name is for whoever looks at the list.
	Name    string     `json:"name"`
	Role    Role       `json:"role"`
	Created time.Time  `json:"created"`
	Used    *time.Time `json:"used,omitempty"`
	Revoked *time.Time `json:"revoked,omitempty"`
}

// Role is what a key allows within its project.
type Role string

// The roles. Each may do what those before it may.
const (
	Reader    Role = "reader"
	Submitter Role = "submitter"
	Admin     Role = "admin"
)

// Roles are all of them, from the least.
func Roles() []Role { return []Role{Reader, Submitter, Admin} }
