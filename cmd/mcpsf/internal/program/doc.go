// Package program is what every command of mcpsf gets from its process.
//
// In: the streams, the environment and the version of the process. Out: the
// terminal's style, progress, the user's directories, the access to registries,
// and the one place that turns an error into a message and an exit code.
package program
