package box

import (
	"encoding/binary"
	"encoding/hex"
	"math/rand/v2"
)

// machine holds the identifying properties of the developer's machine. They are
// generated from the run's seed, so that a target cannot know them beforehand.
type machine struct {
	hostname string
	id       string
	// salt varies the times of files.
	salt uint64
}

func machineOf(seed uint64) machine {
	rng := rand.New(rand.NewPCG(seed, 0x6d616368696e65))
	models := []string{"thinkpad", "xps13", "framework", "latitude", "zenbook", "elitebook", "precision", "inspiron", "ideapad", "spectre"}
	suffixes := []string{"", "-work", "-dev", "-home", "-2", "-linux"}
	var id [16]byte
	binary.LittleEndian.PutUint64(id[:], rng.Uint64())
	binary.LittleEndian.PutUint64(id[8:], rng.Uint64())
	return machine{
		hostname: models[rng.IntN(len(models))] + suffixes[rng.IntN(len(suffixes))],
		id:       hex.EncodeToString(id[:]),
		salt:     rng.Uint64(),
	}
}
