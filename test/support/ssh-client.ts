/** The real OpenSSH client as a user's machine has it: own keys, the instance's host keys known, nothing asked. */
import { execFile, execFileSync, spawn, type ChildProcess } from "node:child_process";
import { chmod, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { ApiServer, TestPerson } from "./api-server.ts";
import { needs } from "./programs/needs.ts";
import { createGitClient, type GitAnswer, type GitClient } from "../integration/git/git-client.ts";

export interface SshKeyFile {
  file: string;
  /** The line of the `.pub` file. */
  line: string;
  /** Socket of an agent whose keys are tried as well. */
  agent?: string;
}

export interface SshClient {
  git: GitClient;
  /** `ssh://git@localhost:PORT/NAME.git` */
  address(fullName: string, port?: number): string;
  /** A key of this machine that nobody knows yet; `kind` as `ssh-keygen -t` takes it. */
  makeKey(kind?: string, bits?: number): Promise<SshKeyFile>;
  /** A key that is a user's. */
  keyOf(person: TestPerson, kind?: string, bits?: number): Promise<SshKeyFile>;
  /** Environment for Git to use this key, and options of `ssh` besides. */
  env(key: SshKeyFile, ...options: string[]): Record<string, string>;
  /** Runs `ssh` with these words behind the options, to the server unless they name a port; never rejects. */
  ssh(key: SshKeyFile, words: string[], env?: Record<string, string>, input?: Buffer): Promise<GitAnswer>;
  start(key: SshKeyFile, words: string[], env?: Record<string, string>): ChildProcess;
  remove(): Promise<void>;
}

export async function createSshClient(server: ApiServer): Promise<SshClient> {
  const git = await createGitClient(server.caFile);
  const known = join(git.home, "known_hosts");
  const meta = (await server.api("GET", "/meta")).json;
  const lines = meta.ssh_host_keys.map((key: { key: string }) => `forgeline ${key.key}\n`);
  await writeFile(known, lines.join(""));
  let keys = 0;

  const options = (key: SshKeyFile) => [
    ["-F", "none"],
    ["-i", key.file],
    ...[
      `IdentitiesOnly=${key.agent ? "no" : "yes"}`,
      `IdentityAgent=${key.agent ?? "none"}`,
      "BatchMode=yes",
      // The same host, whatever its port.
      "HostKeyAlias=forgeline",
      `UserKnownHostsFile=${known}`,
      "GlobalKnownHostsFile=/dev/null",
      "StrictHostKeyChecking=yes",
      "LogLevel=INFO",
    ].map((each) => ["-o", each]),
  ];
  const port = (words: string[]) => (words.includes("-p") ? [] : ["-p", String(server.sshPort)]);
  const settings = (env: Record<string, string> = {}) => ({
    cwd: git.home,
    env: { PATH: process.env["PATH"] ?? "", HOME: git.home, ...env },
  });

  const client: SshClient = {
    git,
    address: (fullName, at = server.sshPort) => `ssh://git@localhost:${at}/${fullName}.git`,
    async makeKey(kind = "ed25519", bits) {
      const file = join(git.home, `key-${keys++}`);
      const size = bits ? ["-b", String(bits)] : [];
      needs("ssh", "ssh-keygen");
      execFileSync("ssh-keygen", ["-q", "-t", kind, ...size, "-N", "", "-C", "test", "-f", file]);
      await chmod(file, 0o600);
      return { file, line: execFileSync("cat", [`${file}.pub`], { encoding: "utf8" }).trim() };
    },
    async keyOf(person, kind, bits) {
      const key = await client.makeKey(kind, bits);
      const answer = await server.api("POST", "/user/keys", {
        token: person.token,
        body: { key: key.line },
      });
      if (answer.status !== 201) throw new Error(answer.text);
      return key;
    },
    env: (key, ...more) => ({
      GIT_SSH_COMMAND: ["ssh", ...options(key).flat(), ...more].join(" "),
      GIT_SSH_VARIANT: "ssh",
    }),
    ssh: (key, words, env, input) =>
      new Promise((resolve) => {
        const child = execFile(
          "ssh",
          [...options(key).flat(), ...port(words), ...words],
          { ...settings(env), timeout: 20_000 },
          (error, stdout, stderr) => resolve({ code: error ? (child.exitCode ?? 1) : 0, stdout, stderr }),
        );
        // A command may end before it has read all.
        child.stdin?.on("error", () => undefined);
        child.stdin?.end(input);
      }),
    start: (key, words, env) =>
      spawn("ssh", [...options(key).flat(), ...port(words), ...words], settings(env)),
    remove: () => git.remove(),
  };
  return client;
}
