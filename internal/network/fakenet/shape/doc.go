// Package shape makes answers of the fake Internet into what their reader
// expects. It takes what is expected: the shapes that static analysis found in the
// source, the wishes that the server's refusals express, and the table of public
// services beside this file. It takes an answer as well, and returns it with
// everything that it lacked.
//
// The answer to a request depends on the seed, the host, the method, the path and
// what was learned, and on nothing else; of several lessons about one path the form
// of the body selects one, see [Form]. It is not changed by earlier requests:
//
//   - A server is started several times, some of them at once and with other
//     secrets, and what it does is compared (ADR 25). An answer that depended on
//     what another start sent would look like a flow of secrets.
//   - What a client sent never comes back. A host that repeats launders: opaque
//     data would be known afterwards, a mail address would be explained, and the
//     payload of an attack would show in a result as if it had worked.
//
// So records are not stored. They exist from the beginning: a collection has
// records whose ids follow from the seed, a list shows them, creating one returns
// the id of the first, and a request for such an id gets the same values that the
// list had. See [ID].
package shape
