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
  worker_metrics_url: string;
  ca_file: string;
  admin: { username: string; password: string; token: string };
  pids: Record<string, number>;
}

export interface ConnectionFacts {
  /** `https://HOST` where programs on this machine reach the instance. */
  url: string;
  caFile: string;
  ports: InstancePorts;
  secrets: HomeSecrets;
  pids: Record<string, number>;
}

export async function writeConnectionFile(paths: HomePaths, facts: ConnectionFacts): Promise<ConnectionFile> {
  const { url, ports, secrets } = facts;
  const { host, hostname } = new URL(url);
  const content: ConnectionFile = {
    base_url: `${url}/api/v1`,
    graphql_url: `${url}/api/graphql`,
    auth_url: url,
    docs_url: `${url}/docs`,
    web_url: `${url}/`,
    git_https_url: url,
    git_ssh_url: `ssh://git@${hostname}:${ports.ssh}`,
    runner_url: `wss://${host}/api/v1/runners/connect`,
    metrics_url: `http://127.0.0.1:${ports.metrics}/metrics`,
    worker_metrics_url: `http://127.0.0.1:${ports.workerMetrics}/metrics`,
    ca_file: facts.caFile,
    admin: { ...secrets.admin, token: secrets.admin.token ?? "" },
    pids: facts.pids,
  };
  await writeJson(paths, "connection.json", content);
  return content;
}
