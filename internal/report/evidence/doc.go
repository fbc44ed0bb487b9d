// Package evidence makes a run verifiable by others.
//
// In: the directory of a run. Out: one file with all of it and the hash of each
// part ([Pack]), and, with a key, a signed in-toto statement. In the other
// direction it checks whether a bundle or a directory is consistent ([Verify]).
//
// A bundle is a tar archive, compressed with zstd. Its first entry is
// manifest.json, which names all others in order. What is verified may come from
// anybody: nothing is unpacked, everything is bounded before it is read, and no
// name or text is trusted.
package evidence

// The names of the files.
const (
	// BundleName is the name of a bundle in the directory of a run.
	BundleName = "evidence.tar.zst"
	// StatementName is the name of the signed statement about it.
	StatementName = "evidence.intoto.jsonl"

	manifestName   = "manifest.json"
	reportName     = "report.json"
	eventsName     = "events.jsonl"
	transcriptName = "transcript.jsonl"
	trafficName    = "traffic.pcapng"
	// The agents' conversations, and a model's questions and answers.
	conversationsName = "conversations.jsonl"
	modelsName        = "models.jsonl"

	sbomPattern   = "sbom.*.json"
	renderPattern = "report.*"
)

// Bounds of a bundle. A real run is far below all of them.
// no gap: a larger bundle is refused with an error
const (
	maxFiles    = 64
	maxManifest = 1 << 20
	// maxTotal is the maximum total size of the files.
	maxTotal = 8 << 30
	// Beyond freeRatio bytes, a bundle may expand to at most maxRatio times its size.
	freeRatio = 1 << 30
	maxRatio  = 2000
	// window is the size of the compression window, and thus of the memory that
	// reading needs.
	window = 8 << 20

	maxReport = 64 << 20
	// maxValues is how many values a report may have: a list element of two
	// bytes could need hundreds of bytes of memory.
	maxValues = 1 << 20
	// maxMemory is roughly the memory that the events may need to be judged again.
	maxMemory = 2 << 30
)
