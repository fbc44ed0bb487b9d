// Package reportcmd has the commands about stored runs: report, diff, policy,
// flows, verify, and keys, which makes the keys that evidence is signed with.
package reportcmd
