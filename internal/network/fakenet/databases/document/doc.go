// Package document is what a MongoDB server keeps: collections of documents, in
// memory, with queries, updates and aggregations.
//
// In: commands of a hostile client, decoded from BSON. Out: replies.
// Never: run JavaScript ($where, $function, mapReduce), touch the clock or another
// process, or keep more than a few megabytes. Each command has a budget of steps.
package document
