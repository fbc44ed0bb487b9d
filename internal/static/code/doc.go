// Package code analyses the source of an untrusted package.
//
// It takes the package as a file system and returns facts about its code, the
// places where it uses capabilities, the tools it defines, the words it
// compares its input with, the answers it expects to its requests and the hosts
// it names. It runs nothing. Files are parsed in short-lived child processes
// (package child), because hostile input may crash a parser; names are resolved
// there (package resolve) and values followed (package flow), and the analyses
// (packages analysis and expect) see only the flat form (package ir). Unread
// files are listed in Result.Gaps.
package code
