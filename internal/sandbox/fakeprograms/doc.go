// Package fakeprograms makes fake ones of the command-line programs that servers
// start and that hosts mostly do not have: kubectl, docker, gh, aws, adb, ffmpeg
// and others. A server that does not find its program gives up, and no attack
// reaches what lies behind it.
//
// In: the seed, the time, the planted home.
//
// Out: scripts for the shell, to be planted in [mcpsf.FakeProgramDir].
//
// Never: run, expand or evaluate an argument, except for the options below.
//
// # Where they are
//
// In /snap/bin. It is where Ubuntu has kubectl, docker, helm, gh, aws, ffmpeg,
// blender and godot when they come from their vendors, and it is last in the
// search path there, so that it looks ordinary and a real program of the host
// always comes first. The folder has nothing but fake programs: a path tells them
// apart. They belong to root.
//
// # What they answer
//
// The folder programs has one file for each program: a table of commands and
// answers. Adding a command changes that file alone. Names, accounts, clusters
// and regions are those of the planted home; the rest is made from the seed, by
// labels, so that all programs speak of the same pods, images and accounts.
// Lists have two entries. What is asked by a name that is not in the list, and
// commands that are not in the table, fail with the text and the exit code of the
// real program. Options that are not in the table are ignored, because a table
// has only some of them. Commands that create and delete answer as if they had
// done so; nothing is remembered.
//
// Three commands print a credential, as the real programs do: "gh auth token",
// "aws configure get" and "kubectl config view --raw". It is the planted one, so
// that it is recognised wherever the server sends it. Their scripts hold it
// instead of reading the decoy: a server is not to be charged with a read that is
// ours.
//
// # Arguments are hostile
//
// They come from the server and hold our payloads. A script stores arguments,
// compares them with its own words and prints them, in quotes everywhere. Only
// where the real program does the same it opens the file that an argument names
// for reading, or writes a small file of the right format to the path that an
// argument names as the output.
//
// Argument injection is proved by options with which a real program runs another
// or opens a file. A fake program that ignored them would hide the weakness, so it
// obeys those that the attacks use (package drive/attack, argument.go), and runs
// the named program as the real one does:
//
//	rg   --pre=PROGRAM         PROGRAM FILE, without a shell
//	fd   --exec=PROGRAM        PROGRAM FILE, without a shell
//	ssh  -oProxyCommand=LINE   by a shell
//
// These options open the file that they name:
//
//	kubectl, helm                    --kubeconfig=FILE
//	rg, psql, make, mvn, docker      --file=FILE, -fFILE
//	kubectl, helm                    -fFILE
//	pandoc, psql, docker save        --output=FILE, -oFILE (written)
//	tree, go build                   -o FILE (written)
//	cargo                            --config=FILE
//	az, magick, convert              @FILE
//
// What would go to the network does not: "ffmpeg -i https://..." answers without a
// request.
//
// # What a judge has to know
//
// The server starts /snap/bin/kubectl, and the kernel starts the shell of its
// first line. Both are events of one process with the same arguments, one after
// the other: the first has the path of the fake program, the second that of the shell.
// The second is no shell that the server started, although its arguments hold what
// the caller gave; nor are grep, sed and find, which rg and fd start. All other
// scripts use only what is built into the shell. [mcpsf.IsFakeProgram] recognises the
// first path. The program that an injected option names is a child of that process,
// and that it runs is the server's weakness.
package fakeprograms
