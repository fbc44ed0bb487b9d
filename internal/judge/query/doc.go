// Package query tells code from data in a query to a database or a service.
//
// In: a statement and a unique name. Out: whether the name is in a position
// where the language reads code. It is pure, and linear in the size of the
// statement, which is hostile input.
package query
