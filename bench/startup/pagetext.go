package main

// pageText is the template of docs/startup-rate.md.
const pageText = `# How many servers start without help

<!-- Written by go run ./bench/startup; edit bench/startup/pagetext.go. -->

    go run ./bench/startup -fresh       everything anew; hours, needs the network
    go run ./bench/startup -again       those again that did not list their tools

Public MCP servers, at pinned versions, are given to mcpsf as a user
would: the name of the package and nothing else. It downloads and
checks the package, installs it inside the sandbox, finds out how to start it
and asks for its tools. No server gets an account, a token or an argument from
us; what mcpsf makes up itself is all there is. Nothing in the sandbox reaches
the Internet.

## The result

Date {{.Date}}, mcpsf {{.Tools}}.

| servers | reached tools/list |
| --- | --- |
| that need no account | **{{.Rate "" "none"}}** |
| npm | {{.Rate "npm:" "none"}} |
| PyPI | {{.Rate "pypi:" "none"}} |
| that need a real account or a running service | {{.Rate "" "real"}} |
| that run for nobody as they are published | {{.Rate "" "broken"}} |
| all | {{.Rate "" ""}} |

Verdicts of those that listed their tools: {{.Bands}}. A server whose every
tool needs its service is INCONCLUSIVE, not PASS: there is nothing to be seen
without an answer.

| median | resolve | install | start |
| --- | --- | --- | --- |
| npm | {{.Median "npm:" "resolve"}} | {{.Median "npm:" "install"}} | {{.Median "npm:" "start"}} |
| PyPI | {{.Median "pypi:" "resolve"}} | {{.Median "pypi:" "install"}} | {{.Median "pypi:" "start"}} |

*start* contains the attempts that led nowhere, where several ways to start
were tried. The times are those of a machine that had other work to do.

## How the list was made

bench/startup/servers.txt was written before the first run: the reference
servers that are still published, the servers of the companies whose products
agents are connected with most, and widely used ones of single authors. On it
is what the registries deliver for Linux, that is: package and dependencies
can be downloaded at the pinned version, and it speaks MCP over stdio. Left
out were Python packages that ask for a newer Python than the machine had, and
packages that only start a program which is published elsewhere. No server was
taken off the list for how its run went.

*account real* means that, by its documentation or code, the server asks for a
login that a made-up key cannot replace, or ends itself unless its database or
service answers, before it lists a tool. A server that wants just any API key
is *account none*. That, too, was decided beforehand; where a run showed that it
had been decided wrongly, the list says *corrected*. *broken* is one that cannot
run on any machine, with the reason in the list.

## Those that did not list their tools

| server | account | came as far as | why |
| --- | --- | --- | --- |
{{range .Missing}}| {{cell .Name}} {{.Version}} | {{.Account}} | {{.Reached}} | {{cell .Why}}{{with .Note}} ({{cell .}}){{end}} |
{{end}}
## Findings of severity medium or more

These are servers that many people use. Each finding below is looked at as a
possible false alarm.

| server | finding | evidence |
| --- | --- | --- |
{{range .Alarms}}| {{cell .Name}} | {{with .First}}{{.ID}} ({{.Severity}}, {{.Grade}}, {{.Phase}}) | {{cell .Message}}{{end}}{{with .More}}, and {{.}} more{{end}} |
{{end}}
## Every server

Seconds of resolve, install and start; *cached* where an earlier run had
installed it already.

| server | version | account | reached | resolve | install | start | packages | verdict |
| --- | --- | --- | --- | ---: | ---: | ---: | ---: | --- |
{{range .Rows ""}}| {{cell .Name}} | {{.Version}} | {{.Account}} | {{.Reached}} | {{.Step "resolve"}} | {{.Step "install"}} | {{.Step "start"}} | {{.Packages}} | {{.Band}} |
{{end}}`
