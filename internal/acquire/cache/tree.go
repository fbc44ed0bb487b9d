package cache

import (
	"context"
	"errors"
	"time"
)

// Tree returns the verified directory for key, or else the one that build has
// filled. Of several callers, here or in other processes, one builds while the
// others wait; if it fails, only it gets the error and the next one builds.
// build gets an empty private directory and may leave files, directories and
// links in it. Everybody who gets the tree gets the note.
//
// The tree must not be written to, and stays in place until release is called.
func (c *Cache) Tree(ctx context.Context, key string, build func(ctx context.Context, dir string) (note []byte, err error)) (dir string, note []byte, release func(), err error) {
	if err := checkKey(key); err != nil {
		return "", nil, nil, err
	}
	h, err := c.tree(ctx, key, nameOf(KindTree, key), build)
	if err != nil {
		return "", nil, nil, err
	}
	return h.content(), h.m.note, h.close, nil
}

func (c *Cache) tree(ctx context.Context, key, name string, build func(ctx context.Context, dir string) ([]byte, error)) (*handle, error) {
	for wait := time.Duration(0); ; {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		h, err := c.entries.reuse(KindTree, key, name, ctx.Err)
		if err == nil || settled(err) {
			return h, err
		}
		h, err = c.build(ctx, key, name, build)
		if err == nil || !errors.Is(err, errInUse) {
			return h, err
		}
		if wait == 0 {
			c.logger.Debug("waiting for another process to build", "key", key)
		}
		if err := pause(ctx, &wait); err != nil {
			return nil, err
		}
	}
}

// build builds the tree, or returns [errInUse] if another process is building
// it.
func (c *Cache) build(ctx context.Context, key, name string, build func(ctx context.Context, dir string) ([]byte, error)) (*handle, error) {
	lock, err := c.dir.lock(name)
	if err != nil {
		return nil, err
	}
	defer lock.release()
	// Another process may have built it before we got the lock.
	h, err := c.entries.renew(KindTree, key, name, ctx.Err)
	if !errors.Is(err, errAbsent) {
		return h, err
	}
	h, err = c.entries.produce(KindTree, key, name, nil, ctx.Err, func(dir string) ([]byte, error) { return build(ctx, dir) })
	if err == nil {
		c.trim()
	}
	return h, err
}
