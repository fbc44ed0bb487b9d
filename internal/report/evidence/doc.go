// Package evidence makes a run checkable by those who did not see it.
//
// In: the directory of a run. Out: one file with all of it and the hash of each
// part ([Pack]), with a key an in-toto statement that is signed; and the other
// way round what of a bundle or a directory holds and what does not ([Verify]).
//
// A bundle is a tar archive, compressed with zstd. Its first entry is
// manifest.json, which names all others in the order they come in. What is
// verified may have been made by anybody: nothing is unpacked, everything is
// bounded before it is read, and no name or text is trusted.
package evidence

// The names of the files.
const (
	// BundleName is what a bundle is called in the directory of a run.
	BundleName = "evidence.tar.zst"
	// StatementName is what the signed statement about it is called.
	StatementName = "evidence.intoto.jsonl"

	manifestName   = "manifest.json"
	reportName     = "report.json"
	eventsName     = "events.jsonl"
	transcriptName = "transcript.jsonl"
	trafficName    = "traffic.pcapng"
	// What agents said, and what a model was asked and answered.
	conversationsName = "conversations.jsonl"
	modelsName        = "models.jsonl"

	sbomPattern   = "sbom.*.json"
	renderPattern = "report.*"
)

// What a bundle may have. A run is far below all of them.
const (
	maxFiles    = 64
	maxManifest = 1 << 20
	// maxTotal is how much the files may add up to.
	maxTotal = 8 << 30
	// From freeRatio on, a bundle may unfold to maxRatio times its size.
	freeRatio = 1 << 30
	maxRatio  = 2000
	// window is how far back the compression looks, and thus what reading
	// takes in memory.
	window = 8 << 20

	maxReport = 64 << 20
	// maxValues is how many values a report may have: of two bytes each,
	// which an element of a list takes, memory could be needed by the hundred.
	maxValues = 1 << 20
	// maxMemory is, roughly, what the events may take to be judged again.
	maxMemory = 2 << 30
)
