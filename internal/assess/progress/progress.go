// Package progress reports the steps of an assessment to the user who waits for it.
package progress

// Reporter receives the progress. Its methods are called from several
// goroutines. A failed step is not ended here: the error is reported instead.
type Reporter interface {
	Step(name, text string)
	Update(text string)
	Done(text string)
	Warn(text string)
}

// Silent reports nothing.
type Silent struct{}

var _ Reporter = Silent{}

// Step implements [Reporter].
func (Silent) Step(string, string) {}

// Update implements [Reporter].
func (Silent) Update(string) {}

// Done implements [Reporter].
func (Silent) Done(string) {}

// Warn implements [Reporter].
func (Silent) Warn(string) {}

// WithinStep reports updates only, for work that is part of a longer step.
type WithinStep struct{ Reporter }

var _ Reporter = WithinStep{}

// Step implements [Reporter].
func (WithinStep) Step(string, string) {}

// Done implements [Reporter].
func (WithinStep) Done(string) {}

// Warn implements [Reporter].
func (WithinStep) Warn(string) {}
