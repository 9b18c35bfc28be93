/** The real `git` as a user's machine has it, and the ways it can reach a repository: HTTPS, SSH and a file. */
import { execFile, execFileSync } from "node:child_process";
import { mkdir, mkdtemp, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Bench } from "./scenario.ts";

const run = promisify(execFile);
export const transports = ["https", "ssh"] as const;
export type Transport = (typeof transports)[number];

export interface GitTransports {
  env: NodeJS.ProcessEnv;
  /** How long `git` took, in milliseconds. Rejects when it fails. */
  time(directory: string, ...args: string[]): Promise<number>;
  /** Of a repository of the administrator. */
  url(transport: Transport, name: string): string;
  /** Where the server keeps a repository. */
  directoryOf(repositoryId: string): string;
}

/** Makes a home, and a key for the administrator. */
export async function createGitTransports(bench: Bench): Promise<GitTransports> {
  const { instance, client, sshPort } = bench;
  const directory = await mkdtemp(join(bench.directory, "home-"));
  const key = join(directory, "ssh-key");
  const noAuthorities = join(directory, "authorities");
  await mkdir(noAuthorities);
  execFileSync("ssh-keygen", ["-q", "-t", "ed25519", "-N", "", "-C", "bench", "-f", key]);
  const line = execFileSync("cat", [`${key}.pub`], { encoding: "utf8" }).trim();
  await client.call("POST", "/user/keys", { key: line });
  const known = join(directory, "known_hosts");
  const { ssh_host_keys: hostKeys } = await client.call<{ ssh_host_keys: { key: string }[] }>("GET", "/meta");
  await writeFile(known, hostKeys.map((host) => `forgeline ${host.key}\n`).join(""));
  const options = [
    "IdentitiesOnly=yes",
    "IdentityAgent=none",
    "BatchMode=yes",
    "HostKeyAlias=forgeline",
    `UserKnownHostsFile=${known}`,
    "GlobalKnownHostsFile=/dev/null",
  ];
  const env = {
    PATH: process.env["PATH"],
    HOME: directory,
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_SSL_CAINFO: instance.certificates.caFile,
    // Debian's `git` reads each authority of the system for a connection, 30 ms that are the same for any server.
    GIT_SSL_CAPATH: noAuthorities,
    GIT_TERMINAL_PROMPT: "0",
    GIT_SSH_COMMAND: ["ssh", "-F", "none", "-i", key, ...options.flatMap((each) => ["-o", each])].join(" "),
    GIT_SSH_VARIANT: "ssh",
  };
  return {
    env,
    async time(cwd, ...args) {
      const beganMs = performance.now();
      await run("git", args, { cwd, env });
      return performance.now() - beganMs;
    },
    url(transport, name) {
      const path = `${instance.adminName}/${name}.git`;
      if (transport === "ssh") return `ssh://git@localhost:${sshPort}/${path}`;
      const url = new URL(`${instance.url}/${path}`);
      url.username = "x";
      url.password = instance.adminToken;
      return url.href;
    },
    directoryOf: (id) => join(instance.directory, "data/repositories", id.slice(-2), `${id}.git`),
  };
}
