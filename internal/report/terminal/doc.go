// Package terminal writes a run for people at a terminal: a summary on one
// screen, and the timeline with everything. It also shows the progress of a run.
//
// In: a report and its events, and the terminal's abilities. Out: lines that are
// no wider than the terminal, without any character that it would interpret.
package terminal
