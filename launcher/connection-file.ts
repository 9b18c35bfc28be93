/** `connection.json`: where a running instance is, for programs (`decisions.md`). Written when everything answers. */
import { writeJson, type HomePaths, type HomeSecrets } from "./home.ts";
import type { InstancePorts } from "./instance-ports.ts";

export interface ConnectionFile {
  base_url: string;
  graphql_url: string;
  auth_url: string;
  docs_url: string;
  web_url: string;
  git_https_url: string;
  git_ssh_url: string;
  runner_url: string;
  metrics_url: string;
  ca_file: string;
  admin: { username: string; password: string; token: string };
  pids: Record<string, number>;
}

export interface ConnectionFacts {
  publicUrl: string;
  caFile: string;
  ports: InstancePorts;
  secrets: HomeSecrets;
  pids: Record<string, number>;
}

export async function writeConnectionFile(paths: HomePaths, facts: ConnectionFacts): Promise<ConnectionFile> {
  const { publicUrl, ports, secrets } = facts;
  const url = new URL(publicUrl);
  const content: ConnectionFile = {
    base_url: `${publicUrl}/api/v1`,
    graphql_url: `${publicUrl}/api/graphql`,
    auth_url: publicUrl,
    docs_url: `${publicUrl}/docs`,
    web_url: `${publicUrl}/`,
    git_https_url: publicUrl,
    git_ssh_url: `ssh://git@${url.hostname}:${ports.ssh}`,
    runner_url: `wss://${url.host}/api/v1/runners/connect`,
    metrics_url: `http://127.0.0.1:${ports.metrics}/metrics`,
    ca_file: facts.caFile,
    admin: { ...secrets.admin, token: secrets.admin.token ?? "" },
    pids: facts.pids,
  };
  await writeJson(paths, "connection.json", content);
  return content;
}
