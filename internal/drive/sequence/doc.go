// Package sequence knows which calls of a server's tools have to be made before
// another one works: a sign-in, one that makes what another one reads.
//
// In: the calls that worked, and what a refused one asked for. Out: the calls to make
// first, in their order, and inputs with what these return in another start of the
// server, where nothing of that is there any more.
//
// Never: it calls nothing.
package sequence
