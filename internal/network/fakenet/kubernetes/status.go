package kubernetes

import "net/http"

// failure is a Status object, with which the API refuses.
func failure(status int, reason, message string, details object) *Answer {
	o := object{"kind": "Status", "apiVersion": "v1", "metadata": object{}, "status": "Failure", "message": message, "reason": reason, "code": status}
	if details != nil {
		o["details"] = details
	}
	return encode(status, o)
}

// done is a Status object for what has no other answer.
func (t *target) done() *Answer {
	return encode(http.StatusOK, object{
		"kind": "Status", "apiVersion": "v1", "metadata": object{}, "status": "Success", "details": t.details(),
	})
}

// missing says that there is no such object. The name stays out: it is the client's.
func (t *target) missing() *Answer {
	return failure(http.StatusNotFound, "NotFound", t.resource.Name+" not found", t.details())
}

func (t *target) refused() *Answer {
	return failure(http.StatusMethodNotAllowed, "MethodNotAllowed", "the server does not allow this method on the requested resource", object{})
}

func (t *target) details() object {
	o := object{"kind": t.resource.Name}
	if t.group.Name != "" {
		o["group"] = t.group.Name
	}
	return o
}
