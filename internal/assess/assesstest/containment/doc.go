// Package containment tests, with whole assessments, that bombs end within their
// limits, that attempts to leave the sandbox are refused and recorded, and that
// nothing stays on the host.
//
// In: servers that are written for one case each, see assesstest.
//
// Out: nothing but failed tests.
//
// Never: have code of its own that another package needs.
package containment
