// Package relational is a small SQL database in memory that answers as PostgreSQL
// and as MySQL.
//
// In: statements of a hostile client, with parameters. Out: rows, command tags and
// errors as the real server words them, with SQLSTATE and number.
// Never: touch a file, the network, the clock or another process, or run anything
// but its own evaluator. Every statement has a budget of steps, cells and bytes, and
// the store one of rows and bytes, so that no statement is slow and no client fills
// the memory.
//
// The engine is honest where it can be: what does not exist is the error of that
// database, and a statement that no server could parse is its syntax error. A SELECT
// that a real server would understand and this one does not (a window frame, a
// lateral join) is answered with no rows if all its tables are known: a tool that
// fails at a syntax error which its author never saw shows nothing of what it does.
// If a table is unknown, that is the error, as it would be there.
//
// Files: one engine, a file for each of its parts. A lexer and a parser of statements
// (lexer*, parser*), their evaluation (select, arm, group, union, from*, order, run,
// infer, operators, functions*), changes (insert, change, update, define), and what the
// servers say about themselves (catalogue*, show, explain). The parts share the tree of
// a statement and the run that counts its work.
package relational
