// Package mdtext writes hostile text into Markdown so that it stays text.
package mdtext
