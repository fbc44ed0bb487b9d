// Package encode writes a report as JSON that is valid by its schema and harmless
// on a terminal.
//
// In: a report as the run left it. Out: bytes: every list that the schema promises
// is there, and characters that a terminal would act on are escaped.
package encode
