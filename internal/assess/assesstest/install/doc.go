// Package install tests, with whole assessments, what is seen of packages, images
// and repositories while they are fetched, read and installed.
//
// In: servers that are written for one case each, see assesstest.
//
// Out: nothing but failed tests.
//
// Never: have code of its own that another package needs.
package install
