// Package browser lets servers use the host's Chromium inside the sandbox, or one that
// was fetched. Servers for Playwright, Puppeteer and Chrome's developer tools do nothing
// without one.
//
// In: the programs of the host, the folder of a browser that was fetched, the files of
// the installed server, the certificates of the fake Internet.
//
// Out: a script that starts the browser, links to it at the places where libraries
// look, the browser's policies, and what of the host has to be shown for that.
//
// Never: a file of the host's user, such as a browser's profile.
//
// # What it is started with
//
// Without a display and without its own sandbox, which needs rights that nobody has
// in ours. By flags and policies it does nothing on its own: no updates, no accounts,
// no measurements, no predictions. So every request is one that the server, or a page
// that it opened, made. The fake Internet's certificates are trusted by policy, as a
// company does it.
//
// # What a judge has to know
//
// The browser is in folders that nobody can write to in the
// sandbox: its path cannot be forged. The event sandbox.start names it. Its own
// files, processes and looks at the machine are not the server's; what it sends,
// what it reads of decoys and what it writes elsewhere are (package judge/rules).
package browser
