// Package coderun decides which places in a server's own code have run.
//
// It takes what Python and Node reported while the server ran (package envhook
// describes it) and the server's own source files. It returns an
// [mcpsf.CodeCoverage]. What is missing, or contradicts itself, has not run: the
// reports come from inside the server's process, which may have suppressed or
// invented them.
package coderun
