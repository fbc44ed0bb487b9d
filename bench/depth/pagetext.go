package main

// pageText is the template of docs/depth.md.
const pageText = `# How many tools of public servers work

<!-- Written by go run ./bench/depth; edit bench/depth/pagetext.go. -->

    make depth BEFORE=BINARY                               with that build and this one; hours, needs the network
    go run ./bench/depth -before OLD -after NEW            the same with two binaries
    go run ./bench/depth -before OLD -after NEW -render    only write the page anew

A tool that fails at its first check shows nothing, and no attack reaches what
lies behind it ([ADR 27](adr/0027-depth.md)). Here two builds of mcpsf assess the
same public servers, at pinned versions, without any account or argument from us.
A tool *worked* if a call of it in the session of the report succeeded, as in
[coverage](coverage.md#tools-that-did-not-work); builds that do not read refusals in
ordinary results took these for successes, too. The list is that of
[startup-rate.md](startup-rate.md), which says how it was made; servers that cannot
start are in it, too.

## The result
{{if not .Servers}}
No server was assessed by both builds yet.
{{else}}
{{.Builds}} Profile {{.Profile}}.

| | before | after | need no account: before | after |
| --- | ---: | ---: | ---: | ---: |
{{range .Figures}}| {{.Name}} | {{.Before}} | {{.After}} | {{.FreeBefore}} | {{.FreeAfter}} |
{{end}}
A server *needs an account* if mcpsf made up a credential to start it, a tool asked
for one, or the list says that it wants a real one. The time is that of the servers
of which both builds wrote a report, without installations, which the second build
finds in the cache. The machine may have had other work to do.

## Why the other tools did not work

With the build after. The kind is that which mcpsf gives help for, and otherwise
guessed from the words of the last refusal.

| kind | tools | servers | example |
| --- | ---: | ---: | --- |
{{range .Groups}}| {{.Kind}} | {{.Tools}} | {{.Servers}} | {{code .Example.Name}} of {{code .Source}}{{with .Example.Reason}}: {{words .}}{{end}} |
{{end}}
## Every server

| server | account | worked before | after | verdict before | after | seconds before | after | why others did not work |
| --- | --- | ---: | ---: | --- | --- | ---: | ---: | --- |
{{range .Servers}}| {{code .Source}} | {{if .Account}}needed{{end}} | {{.Before.Depth}} | {{.After.Depth}} | {{.Before.Band}} | {{.After.Band}} | {{printf "%.0f" .Before.Seconds}} | {{printf "%.0f" .After.Seconds}} | {{.Why}} |
{{end}}{{end}}`
