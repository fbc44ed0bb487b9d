package services

import (
	"net/http"
	"strconv"
	"strings"
	"time"
)

func itoa(n int64) string { return strconv.FormatInt(n, 10) }

// aws speaks both versions of AWS's metadata service: as by default, the token
// of version 2 is optional, but must be right if it is sent.
func (s *Services) aws(r *Request) *Answer {
	token := letters(s.dice("imds"), 54, alphabet) + "=="
	if r.Path == "/latest/api/token" {
		return awsToken(r, token)
	}
	if given := r.Header("X-aws-ec2-metadata-token"); given != "" && given != token {
		return ec2(Page(http.StatusUnauthorized))
	}
	m := s.machine()
	if strings.HasPrefix(r.Path, "/v2/credentials") || strings.HasPrefix(r.Path, "/v1/credentials") { // the credentials of containers
		return asJSON(http.StatusOK, s.awsCredentials(object{"RoleArn": "arn:aws:iam::" + m.account + ":role/" + m.role}))
	}
	_, rest, _ := strings.Cut(strings.Trim(r.Path, "/"), "/") // the first part is the version
	switch rest {
	case "meta-data/iam/security-credentials/" + m.role:
		return ec2(asJSON(http.StatusOK, s.awsCredentials(object{"Code": "Success", "Type": "AWS-HMAC", "LastUpdated": s.awsTime(-time.Hour)})))
	case "meta-data/iam/info":
		return ec2(asJSON(http.StatusOK, object{"Code": "Success", "InstanceProfileArn": "arn:aws:iam::" + m.account + ":instance-profile/" + m.role, "LastUpdated": s.awsTime(-time.Hour)}))
	case "dynamic/instance-identity/document":
		return ec2(asJSON(http.StatusOK, object{
			"accountId": m.account, "architecture": "x86_64", "availabilityZone": m.zone, "instanceId": m.instance,
			"instanceType": "t3.medium", "privateIp": m.local, "region": m.region, "version": "2017-09-30",
		}))
	}
	if v, ok := lists().AWSMetadata[rest]; ok {
		return ec2(plainText(m.fill(v)))
	}
	return ec2(Page(http.StatusNotFound))
}

func ec2(a *Answer) *Answer { return a.with("Server", "EC2ws") }

func awsToken(r *Request, token string) *Answer {
	if r.Method != http.MethodPut {
		return ec2(Page(http.StatusMethodNotAllowed))
	}
	const ttl = "X-aws-ec2-metadata-token-ttl-seconds"
	if n, err := strconv.Atoi(r.Header(ttl)); err != nil || n < 1 || n > 21600 {
		return ec2(Page(http.StatusBadRequest))
	}
	return ec2(plainText(token).with(ttl, "21600"))
}

func (s *Services) awsTime(after time.Duration) string {
	return s.opts.Now().Add(after).UTC().Truncate(time.Minute).Format("2006-01-02T15:04:05Z")
}

func (s *Services) awsCredentials(o object) object {
	o["AccessKeyId"] = s.opts.Metadata.AWSKeyID
	o["SecretAccessKey"] = s.opts.Metadata.AWSSecret
	o["Token"] = s.opts.Metadata.AWSToken
	o["Expiration"] = s.awsTime(5 * time.Hour)
	return o
}
