package hub

import (
	"time"

	"github.com/nats-io/nats-server/v2/server"
)

// A Role says what a member may do.
type Role string

// The roles.
const (
	// RoleAgent runs the trials of one machine.
	RoleAgent Role = "agent"
	// RoleUser submits work, to any machine.
	RoleUser Role = "user"
	// roleHub is the hub itself, which makes the streams.
	roleHub Role = "hub"
)

// Permissions are the subjects that a member may publish on and subscribe to. All else is
// refused.
type Permissions struct {
	Publish, Subscribe []string
	// Responses is set for one that may answer a request, whatever its reply subject.
	Responses bool
}

// responseTime is how long an agent has to answer a request.
const responseTime = time.Minute

// PermissionsOf returns the permissions of a member.
//
// NATS delivers what a request asks for to any reply subject, also one that who asks may
// not publish on. So an agent may not read anything back that it can write: with a stolen
// key it could have a message of its own delivered as a job of another machine. It reads
// only files, which users write. Results and states are signed ([Join.Seal]), because a
// user can have any message delivered as one.
func PermissionsOf(role Role, name string) Permissions {
	switch role {
	case roleHub:
		return Permissions{Publish: []string{">"}, Subscribe: []string{">"}}
	case RoleUser:
		return Permissions{
			Publish: []string{
				"job.*.*", "ctl.*", "blob.>", subjectKey(BucketQueue, ">"),
				"$JS.API.STREAM.INFO.*",
				"$JS.API.DIRECT.GET.*.>", "$JS.API.STREAM.MSG.GET.*",
				"$JS.API.CONSUMER.CREATE.KV_" + BucketMachines + ".>", "$JS.API.CONSUMER.DELETE.KV_" + BucketMachines + ".>",
				"$JS.API.CONSUMER.CREATE.KV_" + BucketQueue + ".>", "$JS.API.CONSUMER.DELETE.KV_" + BucketQueue + ".>",
			},
			Subscribe: []string{inboxPrefix(name) + ".>", "tell.>"},
		}
	case RoleAgent:
		jobs := StreamJobs(name)
		return Permissions{
			Publish: []string{
				"done." + name + ".>", "part." + name + ".>", "tell." + name + ".*",
				SubjectState(name), SubjectClaim("*"),
				"$JS.API.STREAM.INFO." + jobs,
				"$JS.API.CONSUMER.CREATE." + jobs + ".*." + SubjectJob(name, "*"),
				"$JS.API.CONSUMER.DELETE." + jobs + ".*",
				"$JS.API.CONSUMER.MSG.NEXT." + jobs + ".*",
				"$JS.ACK." + jobs + ".>",
				"$JS.API.DIRECT.GET." + StreamBlobs + ".blob.>",
			},
			Subscribe: []string{inboxPrefix(name) + ".>", SubjectControl(name), SubjectEntries(name)},
			Responses: true,
		}
	}
	return Permissions{}
}

// forServer returns the permissions as a server takes them.
func (p Permissions) forServer() *server.Permissions {
	out := &server.Permissions{Publish: &server.SubjectPermission{Allow: p.Publish}, Subscribe: &server.SubjectPermission{Allow: p.Subscribe}}
	if p.Responses {
		out.Response = &server.ResponsePermission{MaxMsgs: 1, Expires: responseTime}
	}
	return out
}
