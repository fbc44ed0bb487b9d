// Package markdown writes a run for pull requests and job summaries.
//
// In: a report and its events. Out: a page below the size of a comment on GitHub.
package markdown
