// Package s3 answers as S3 does, and as those that are compatible with it: lists,
// objects and ranges of them, copies, uploads in parts, what describes a bucket, and
// the errors that clients tell apart.
//
// In: a request, its body as sent, and the store of this start of the server. Out:
// the answer that an SDK expects. Every login is accepted; no signature is checked.
// Never: repeat what another start stored; read more XML than a client of good will
// sends; take what a client stored for something that the host said. The first is
// why the store comes with the request.
package s3
