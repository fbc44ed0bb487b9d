// Package assesstest has what the tests of whole assessments share: servers made
// of a few lines of Python, a registry of made-up packages, and checks of results
// and of the host. Only tests import it. The folders below it hold the tests that
// start many sandboxes, by subject, so that each package stays far below Go's
// limit of ten minutes.
//
// In: the test, the code of its server, and settings of the assessment.
//
// Out: an [assess.Result] of the real pipeline, and failures of the test.
//
// Never: run a test's server outside the sandbox; be part of the program.
package assesstest
