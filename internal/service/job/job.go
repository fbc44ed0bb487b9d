// Package job is the vocabulary of the service: requests, jobs, results, keys,
// and the messages between a worker and the process of a job.
//
// In: a request as a client wrote it.
//
// Out: whether it is valid; the types that all other packages of the service
// share.
//
// Never: read files, use the network, or know how jobs are stored.
package job

import (
	"slices"
	"time"

	"github.com/google/uuid"

	"github.com/mcpsf/mcpsf"
)

// State is the state of a job.
type State string

// The states. Done, failed, cancelled and quarantined are final: a job reaches
// exactly one of them, once.
const (
	Queued    State = "queued"
	Running   State = "running"
	Done      State = "done"
	Failed    State = "failed"
	Cancelled State = "cancelled"
	// Quarantined jobs crashed their process too often, and are not retried.
	Quarantined State = "quarantined"
)

// States lists all states.
func States() []State { return []State{Queued, Running, Done, Failed, Cancelled, Quarantined} }

// Ended tells whether the state is final.
func (s State) Ended() bool { return s != Queued && s != Running }

// Job is a request and its result so far.
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
	// Attempt counts how often it was started.
	Attempt int `json:"attempt"`
	// Worker runs it, or ran it last.
	Worker string `json:"worker,omitempty"`
	// Cancelling is set from the request to cancel it until it has ended.
	Cancelling bool     `json:"cancelling,omitempty"`
	Progress   Progress `json:"progress"`
	// Result is set for a job that is done, Problem for one that failed.
	Result  *Result  `json:"result,omitempty"`
	Problem *Problem `json:"problem,omitempty"`
}

// NewID makes an id for a job. Later ids are greater, and none can be guessed.
func NewID() string { return uuid.Must(uuid.NewV7()).String() }

// Progress is how far a job has come.
type Progress struct {
	Percent int `json:"percent"`
	// Step is the current phase, Text a detail.
	Step string `json:"step,omitempty"`
	Text string `json:"text,omitempty"`
}

// Steps are the names of the phases of an assessment.
func Steps() []string {
	return []string{
		"resolve", "image", "runtime", "inspect", "install", "start", "drive", "stress", "attack", "fuzz", "probe", "shrink", "judge", "connect", "check",
	}
}

// Step returns the name of a phase, or "other" for an unknown one: it comes from
// an untrusted process, and becomes a label of a metric.
func Step(name string) string {
	if slices.Contains(Steps(), name) {
		return name
	}
	return "other"
}

// Result is the summary of a report, for lists.
type Result struct {
	Name    string     `json:"name,omitempty"`
	Version string     `json:"version,omitempty"`
	Digest  string     `json:"digest,omitempty"`
	Band    mcpsf.Band `json:"band"`
	Score   int        `json:"score"`
	// Confidence says how far the band can be relied on, "" in old results.
	Confidence mcpsf.ConfidenceLevel `json:"confidence,omitempty"`
	Findings   int                   `json:"findings"`
	// Tool is the version of mcpsf that made the report.
	Tool string `json:"tool"`
	// Bytes is the size of its files.
	Bytes int64 `json:"bytes"`
}

// Limited reports whether "limited" stands beside the band.
func (r *Result) Limited() bool {
	v := mcpsf.Verdict{Confidence: mcpsf.Confidence{Level: r.Confidence}}
	return v.Limited() && r.Band != mcpsf.BandInconclusive
}

// Problem is why there is no report. Message is one line.
type Problem struct {
	Code    mcpsf.Code `json:"code"`
	Message string     `json:"message"`
}

// Key is an API key of a program or a person, without its secret.
type Key struct {
	ID      string `json:"id"`
	Project string `json:"project"`
	// Name is for people.
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

// Roles lists all roles, from the least.
func Roles() []Role { return []Role{Reader, Submitter, Admin} }
