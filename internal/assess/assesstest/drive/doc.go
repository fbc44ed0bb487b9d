// Package drive tests, with whole assessments, how a server is found and driven:
// over HTTP, in parallel, with words from its source, and with time that passes
// faster.
//
// In: servers that are written for one case each, see assesstest.
//
// Out: nothing but failed tests.
//
// Never: have code of its own that another package needs.
package drive
