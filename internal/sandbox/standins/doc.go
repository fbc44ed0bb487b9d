// Package standins makes stand-ins.
package standins
