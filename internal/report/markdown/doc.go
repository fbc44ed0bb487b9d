// Package markdown writes a run for pull requests and job summaries.
//
// In: a report and its events. Out: a page below the maximum size of a GitHub comment.
package markdown
