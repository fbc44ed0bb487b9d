// Package databases holds what the databases of the fake network contain during one
// run of the sandbox: the tables of PostgreSQL and MySQL, the keys of Redis and
// memcached, the collections of MongoDB, the objects of S3.
//
// In: nothing; it begins with a few customers, orders and products. Out: the stores,
// which the protocols read and change for their clients.
// Never: survive the run, or be shared by two. Starts of a server with other secrets
// are compared (ADR 25), and a row that one start could see of another would look
// like a flow of secrets.
//
// Unlike other services of the fake network these return what a client stored: tools
// of a database do nothing else, so that without it they show nothing. What a
// database answers is not evidence of anything; only what a client sends is.
package databases
