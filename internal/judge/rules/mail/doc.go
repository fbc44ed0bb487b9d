// Package mail finds out who gets a mail, in whatever form a service is told.
//
// In: a text or an HTTP request, hostile and possibly cut. Out: mail addresses.
package mail
