// Package queue carries the requests of package remote over a hub instead of a
// connection. A submitter's Link publishes each request as a Job, with all that an agent
// must know to do it; an Agent owns one machine, picks the next job by priority and by
// the time that each ticket has used, and commits the result as one message, of which
// the first counts. The queue is transport: the submitter's run folder alone says which
// blocks are done.
package queue
