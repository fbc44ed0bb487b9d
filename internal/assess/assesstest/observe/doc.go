// Package observe tests, with whole assessments, that everything a server does is
// recorded in the call that caused it, however it tries to go unseen.
//
// In: servers that are written for one case each, see assesstest.
//
// Out: nothing but failed tests.
//
// Never: have code of its own that another package needs.
package observe
