// Package query tells code from data in what a database or a service is asked.
//
// In come a statement and a name that means nothing; out comes whether the name
// stands where the language reads code. It is pure, and linear in the size of
// the statement, all of which is hostile.
package query
