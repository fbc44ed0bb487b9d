// Package rulescmd has the commands about rules: detectors lists them, rules
// checks the user's own files and explains why a rule fired or not.
package rulescmd
