// Package samples has files and projects on which the tools of ordinary servers
// succeed: a valid file of every common format, and a small project of every kind
// that a tool may want to be pointed at. They belong to the same developer as the
// files of package decoys, but none of them is a decoy: accesses to them mean
// nothing, and no secret is among them.
//
// Text is stored in archives of the txtar format, where it can be read and
// changed: text has files of single formats, office the parts of documents that
// are zip files, projects one archive for each project, whose comment describes
// it. Pictures, sounds and archives are made by code. What would need an encoder
// of its own is in the folder binary; its README says how it was made.
//
// Everything is the same in every run. Nothing in a file says that it was
// planted.
package samples

// File is a planted file. Path is absolute, inside the sandbox.
type File struct {
	Path    string
	Mode    uint32
	Content []byte
}

// Project is a folder that tools for one kind of project accept.
type Project struct {
	// Name is the kind: "godot".
	Name string
	// Dir is the absolute path of the folder.
	Dir string
	// Main is the absolute path of the file that a tool is most likely to be
	// pointed at.
	Main string
	// Words are the lower-case words by which a tool, parameter, description or
	// server name asks for it.
	Words []string
	// Marks are names, relative to Dir, whose presence tools check.
	Marks []string
}
