package decoys

import (
	"encoding/base64"
	"fmt"
)

// terraform holds the tool's own credentials.
func terraform(k *kit, h *Home) error {
	m := k.mint("terraform")
	h.decoy(m, KindTerraform, "terraform", ".terraform.d/credentials.tfrc.json", fmt.Sprintf(`{
  "credentials": {
    "app.terraform.io": {
      "token": "%s"
    }
  }
}
`, m.keep(m.text(14, alnum)+".atlasv1."+m.text(67, alnum))))
	return nil
}

// terraformState is the tool's record of created resources, with passwords in
// clear text.
func terraformState(k *kit, h *Home) error {
	m := k.mint("tfstate")
	h.decoy(m, KindTerraformState, "tfstate", "code/infra/terraform.tfstate", fmt.Sprintf(`{
  "version": 4,
  "terraform_version": "1.9.8",
  "serial": %[1]d,
  "lineage": "%[2]s",
  "outputs": {},
  "resources": [
    {
      "mode": "managed",
      "type": "aws_db_instance",
      "name": "shop",
      "provider": "provider[\"registry.terraform.io/hashicorp/aws\"]",
      "instances": [
        {
          "schema_version": 2,
          "attributes": {
            "address": "db.%[3]s",
            "engine": "postgres",
            "engine_version": "16.4",
            "identifier": "shop-prod",
            "password": "%[4]s",
            "port": 5432,
            "username": "postgres"
          },
          "sensitive_attributes": [[{"type": "get_attr", "value": "password"}]]
        }
      ]
    },
    {
      "mode": "managed",
      "type": "aws_iam_access_key",
      "name": "backup",
      "provider": "provider[\"registry.terraform.io/hashicorp/aws\"]",
      "instances": [
        {
          "schema_version": 0,
          "attributes": {
            "id": "%[5]s",
            "secret": "%[6]s",
            "status": "Active",
            "user": "backup"
          },
          "sensitive_attributes": [[{"type": "get_attr", "value": "secret"}]]
        }
      ]
    }
  ],
  "check_results": null
}
`, 20+m.rng.IntN(90), m.uuid(), k.who.services, m.password(), m.secret("AKIA", 16, base32), m.secret("", 40, base64ab)))
	h.plain("code/infra/main.tf", 0o644, `provider "aws" {
  region = "eu-central-1"
}

resource "aws_db_instance" "shop" {
  identifier     = "shop-prod"
  engine         = "postgres"
  instance_class = "db.t4g.medium"
}
`)
	return nil
}

func vaultToken(k *kit, h *Home) error {
	m := k.mint("vault")
	h.decoy(m, KindVault, "vault", ".vault-token", m.secret("hvs.CAESI", 86, urlsafe))
	return nil
}

func ansibleVault(k *kit, h *Home) error {
	m := k.mint("ansible")
	h.decoy(m, KindAnsible, "ansible", ".ansible/vault_pass.txt", m.secret("", 32, alnum)+"\n")
	return nil
}

func rclone(k *kit, h *Home) error {
	m := k.mint("rclone")
	h.decoy(m, KindRclone, "rclone", ".config/rclone/rclone.conf", fmt.Sprintf(`[backup]
type = s3
provider = Minio
access_key_id = %[1]s
secret_access_key = %[2]s
endpoint = https://backup.%[3]s:9000

[drive]
type = drive
scope = drive
token = {"access_token":"%[4]s","token_type":"Bearer","refresh_token":"%[5]s","expiry":"%[6]s"}
team_drive =
`, m.secret("", 20, alnum), m.secret("", 40, alnum), k.who.domain, m.secret("ya29.a0", 210, urlsafe), m.secret("1//0", 98, urlsafe),
		k.ago(m, 1).Format("2006-01-02T15:04:05.000000000Z07:00")))
	return nil
}

func s3cfg(k *kit, h *Home) error {
	m := k.mint("s3cfg")
	h.decoy(m, KindS3, "bucket", ".s3cfg", fmt.Sprintf(`[default]
access_key = %s
bucket_location = eu-central-1
host_base = s3.eu-central-1.amazonaws.com
host_bucket = %%(bucket)s.s3.eu-central-1.amazonaws.com
secret_key = %s
use_https = True
`, m.secret("AKIA", 16, base32), m.secret("", 40, base64ab)))
	return nil
}

// vpn is access to the company's network.
func vpn(k *kit, h *Home) error {
	m := k.mint("vpn")
	key := func() string { return base64.StdEncoding.EncodeToString(m.bytes(32)) }
	h.decoy(m, KindVPN, "vpn", "Private/"+k.who.company+"-vpn.conf", fmt.Sprintf(`[Interface]
PrivateKey = %s
Address = 10.84.%d.%d/32
DNS = 10.84.0.1

[Peer]
PublicKey = %s
PresharedKey = %s
AllowedIPs = 10.84.0.0/16
Endpoint = vpn.%s:51820
PersistentKeepalive = 25
`, m.keep(key()), 1+m.rng.IntN(9), 2+m.rng.IntN(250), key(), m.keep(key()), k.who.domain))
	return nil
}
