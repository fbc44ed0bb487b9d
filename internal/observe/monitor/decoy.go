package monitor

import (
	"fmt"
	"path"
	"strings"

	"github.com/mcpsf/mcpsf"
)

type inode struct{ dev, ino uint64 }

// decoys knows which names and inodes currently lead to a decoy.
//
// The inode decides: if two threads move a directory back and forth, the
// records of the moves can arrive in the wrong order, and then the names here
// are wrong. The kernel reports the inodes of planted files before the target
// runs. Names are used for failed accesses, which have no inode, and for decoys
// whose inode is not known; every access by name records it.
type decoys struct {
	log     *eventLog
	names   map[string]*mcpsf.Decoy
	inodes  map[inode]*mcpsf.Decoy
	planted map[*mcpsf.Decoy]bool
}

func newDecoys(log *eventLog) *decoys {
	return &decoys{
		log: log, names: map[string]*mcpsf.Decoy{}, inodes: map[inode]*mcpsf.Decoy{}, planted: map[*mcpsf.Decoy]bool{},
	}
}

// plantedAt records the inode of a decoy.
func (d *decoys) plantedAt(name string, ino inode) {
	if decoy := d.names[name]; decoy != nil && ino != (inode{}) {
		d.inodes[ino] = decoy
		d.planted[decoy] = true
	}
}

// plantAll adds the decoys of a run.
func (d *decoys) plantAll(all []mcpsf.Decoy) error {
	for _, decoy := range all {
		if !path.IsAbs(decoy.Path) || path.Clean(decoy.Path) != decoy.Path {
			return fmt.Errorf("monitor: decoy %q has no clean absolute path: %q", decoy.ID, decoy.Path)
		}
		if !d.plant(&decoy) {
			return fmt.Errorf("monitor: two decoys at %q", decoy.Path)
		}
	}
	return nil
}

// plant adds a decoy; false if its name is taken.
func (d *decoys) plant(decoy *mcpsf.Decoy) bool {
	if d.names[decoy.Path] != nil {
		return false
	}
	d.names[decoy.Path] = decoy
	return true
}

// find returns the decoy that an inode or a name leads to, and records the
// inode of a known name. A known name with another inode than the planted one
// still counts: a false alarm is better than a miss.
func (d *decoys) find(name string, ino inode) *mcpsf.Decoy {
	decoy := d.names[name]
	if ino == (inode{}) {
		return decoy
	}
	if known := d.inodes[ino]; known != nil && (decoy == nil || d.planted[known]) {
		return known
	}
	if decoy != nil && !d.planted[decoy] && len(d.inodes) < maxNames {
		d.inodes[ino] = decoy
	}
	return decoy
}

// inside returns a decoy below dir: a secret before others, then the first by
// name, so that a repeated run reports the same.
func (d *decoys) inside(dir string) *mcpsf.Decoy {
	var found *mcpsf.Decoy
	at := ""
	for name, decoy := range d.names {
		if rest, ok := below(name, dir); !ok || rest == "" {
			continue
		}
		worse := found == nil || decoy.Secret() && !found.Secret()
		if worse || decoy.Secret() == found.Secret() && name < at {
			found, at = decoy, name
		}
	}
	return found
}

// created records that a file was created at name: a decoy that had this name
// is gone. If the inode number is that of a decoy without any name left, the
// number was reused; if the decoy still has names, the file is the decoy.
func (d *decoys) created(name string, ino inode) *mcpsf.Decoy {
	delete(d.names, name)
	decoy := d.inodes[ino]
	if decoy == nil {
		return nil
	}
	for _, other := range d.names {
		if other == decoy {
			return decoy
		}
	}
	delete(d.inodes, ino)
	return nil
}

// deleted removes a name. The inode is kept: other names and open descriptors
// may still lead to it.
func (d *decoys) deleted(name string) { delete(d.names, name) }

// linked adds a second name of a decoy.
func (d *decoys) linked(decoy *mcpsf.Decoy, name string, ino inode) {
	d.set(name, decoy)
	d.find(name, ino)
}

// renamed moves a name, and everything below it, over another. decoy is the
// renamed file itself if it is a decoy, else nil. gVisor cannot exchange two
// names.
func (d *decoys) renamed(from, to string, decoy *mcpsf.Decoy) {
	if from == to || (decoy != nil && d.names[from] == decoy && d.names[to] == decoy) {
		return // two names of one file: the kernel does nothing
	}
	moved := map[string]*mcpsf.Decoy{}
	for name, which := range d.names {
		if rest, ok := below(name, from); ok {
			delete(d.names, name)
			moved[to+rest] = which
		} else if _, ok := below(name, to); ok {
			delete(d.names, name)
		}
	}
	for name, which := range moved {
		d.set(name, which)
	}
	if decoy != nil {
		d.set(to, decoy)
	}
}

// set gives a decoy a name. Beyond the bound, decoys are recognised by inode
// alone.
func (d *decoys) set(name string, decoy *mcpsf.Decoy) {
	if len(d.names) < maxNames {
		d.names[name] = decoy
	}
}

// below returns the rest of name after dir if name is dir or inside it.
func below(name, dir string) (string, bool) {
	rest, ok := strings.CutPrefix(name, dir)
	if !ok || (rest != "" && rest[0] != '/') {
		return "", false
	}
	return rest, true
}

// reached reports that a secret was accessed by the event with that number; 0
// if that event was folded into an earlier one.
func (d *decoys) reached(o *origin, cause int64, decoy *mcpsf.Decoy, name, how string) {
	if !decoy.Secret() {
		return
	}
	e := d.log.base(o, mcpsf.KindCanaryRead)
	if cause != 0 {
		e.Cause = cause
	}
	e.Canary = &mcpsf.CanaryDetail{ID: decoy.ID, Kind: decoy.Kind, Source: decoy.Path, How: how}
	if name != decoy.Path {
		e.Canary.Path = name
	}
	d.log.emit(&e)
}
