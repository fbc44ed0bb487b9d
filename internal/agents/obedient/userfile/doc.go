// Package userfile knows files by their paths: which have secrets in them,
// which are the user's own, and which steer agents and shells in later
// sessions.
package userfile
