// Package rulescmd has the commands about rules: detectors lists them, rules
// checks files of the user's own and explains what a rule saw.
package rulescmd
