package services

import (
	"net/http"
	"strings"
)

// catalog answers for services from which programs read a list at their start;
// without the list they do not start.
func catalog(s *Services, r *Request) *Answer {
	if !r.Reads() {
		return nil
	}
	switch domain := r.Domain(); {
	case strings.HasPrefix(domain, "servicereference.") && under(domain, "amazonaws.com"):
		return serviceReference(r)
	case under(domain, "huggingface.co") && strings.HasPrefix(r.Path, "/api/spaces/") && r.base() == "host":
		return spaceHost(r)
	case r.Path == "/config" && under(domain, "hf.space", "gradio.live"):
		return asJSON(http.StatusOK, gradioConfig(hostname(r)))
	case strings.HasSuffix(r.Path, "/gradio_api/info"):
		return asJSON(http.StatusOK, gradioInfo())
	}
	return nil
}

// serviceReference lists AWS's services, and below /v1/ the actions of one.
func serviceReference(r *Request) *Answer {
	if r.Path == "/" {
		var list []object
		for _, name := range lists().AWSServices {
			list = append(list, object{"service": name, "url": "https://" + hostname(r) + "/v1/" + name + "/" + name + ".json"})
		}
		return asJSON(http.StatusOK, list)
	}
	name, ok := strings.CutSuffix(r.base(), ".json")
	if !ok {
		return nil
	}
	action := func(name string, list, write bool) object {
		return object{"Name": name, "ActionConditionKeys": []string{}, "Resources": []object{}, "Annotations": object{"Properties": object{
			"IsList": list, "IsPermissionManagement": false, "IsTaggingOnly": false, "IsWrite": write,
		}}}
	}
	return asJSON(http.StatusOK, object{
		"Name": name, "Version": "v1.4", "ConditionKeys": []object{}, "Resources": []object{}, "Operations": []object{},
		"Actions": []object{action("ListResources", true, false), action("GetResource", false, false), action("PutResource", false, true)},
	})
}

// spaceHost is the host of a Hugging Face application.
func spaceHost(r *Request) *Answer {
	parts := strings.Split(strings.Trim(r.Path, "/"), "/") // api, spaces, owner, name, host
	if len(parts) != 5 {
		return nil
	}
	label := strings.Trim(strings.Map(func(c rune) rune {
		if c < 0x80 && isAlnum(byte(c)) {
			return c
		}
		return '-'
	}, strings.ToLower(parts[2]+"-"+parts[3])), "-")
	return asJSON(http.StatusOK, object{"subdomain": label, "host": "https://" + label + ".hf.space"})
}

// gradioConfig describes an application with one text field and one answer.
func gradioConfig(at string) object {
	return object{
		"version": "5.49.1", "api_prefix": "/gradio_api", "root": "https://" + at, "protocol": "sse_v3", "mode": "interface",
		"is_space": true, "title": "Gradio", "app_id": 1, "dev_mode": false, "auth_required": false,
		"components": []object{
			{"id": 1, "type": "textbox", "props": object{"label": "prompt", "name": "textbox"}},
			{"id": 2, "type": "textbox", "props": object{"label": "result", "name": "textbox"}},
		},
		"dependencies": []object{{
			"id": 0, "api_name": "predict", "targets": [][]any{{1, "submit"}}, "inputs": []int{1}, "outputs": []int{2},
			"backend_fn": true, "queue": true, "show_api": true, "types": object{"generator": false, "cancel": false},
		}},
	}
}

func gradioInfo() object {
	text := func(label string) object {
		return object{
			"label": label, "parameter_name": label, "parameter_has_default": false, "component": "Textbox",
			"type": object{"type": "string"}, "python_type": object{"type": "str", "description": ""}, "example_input": "Hello!!",
		}
	}
	return object{
		"named_endpoints": object{"/predict": object{"parameters": []object{text("prompt")}, "returns": []object{text("result")}, "show_api": true}}, "unnamed_endpoints": object{},
	}
}
