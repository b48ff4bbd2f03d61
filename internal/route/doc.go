// Package route makes the connection to a machine elsewhere, whether ssh reaches it or a
// hub does, so that who measures there need not know which. It says what is wrong with a
// hub, or with a machine of it, before any work is sent there.
package route
