// Package savedcmd has the commands about saved configurations: list, show and
// delete. mcpsf assess --save-as writes them.
package savedcmd
