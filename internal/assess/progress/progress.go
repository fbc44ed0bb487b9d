// Package progress is how the steps of an assessment are told to whoever waits for it.
package progress

// Reporter is told what is going on. Its methods are called from several goroutines. A
// step that fails is not ended here: the error tells of it.
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

// WithinStep reports updates only: what happens is part of one longer step.
type WithinStep struct{ Reporter }

var _ Reporter = WithinStep{}

// Step implements [Reporter].
func (WithinStep) Step(string, string) {}

// Done implements [Reporter].
func (WithinStep) Done(string) {}

// Warn implements [Reporter].
func (WithinStep) Warn(string) {}
