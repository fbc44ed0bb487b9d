// Package userfile classifies files by their paths: which contain secrets,
// which are the user's own, and which steer agents and shells in later
// sessions.
package userfile
