// Package mail finds the recipients of a mail, whatever form a service takes them in.
//
// In: a text or an HTTP request, hostile and possibly truncated. Out: mail addresses.
package mail
