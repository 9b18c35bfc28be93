/** Runs one command on an SSH server, as Git runs its own there. */
import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { GitError } from "../processes/run-git.ts";
import type { RemoteSource } from "./remote-source.ts";

/** Git starts it in place of `ssh`; it reads no configuration but ours. */
export const sshProgram = fileURLToPath(new URL("ssh", import.meta.url));

/** What a command printed; null where it failed, as one does that the server does not know. */
export type SshCommand = (words: readonly string[], signal: AbortSignal) => Promise<string | null>;

const timeoutMs = 30_000;
const maxOutputBytes = 64 * 1024;
/** Of ssh(1): there was no connection, or it broke. */
const noConnection = 255;

interface SshPlace {
  /** `USER@HOST`, or the host alone. */
  destination: string;
  port: number | null;
  /** Of the repository, as the server is told it. */
  path: string;
}

export function sshPlaceOf({ url, host, port }: RemoteSource): SshPlace {
  if (!URL.canParse(url) || !url.startsWith("ssh://")) {
    const at = url.indexOf(":");
    return { destination: url.slice(0, at), port: null, path: url.slice(at + 1) };
  }
  const { username, pathname } = new URL(url);
  return {
    destination: username === "" ? host : `${username}@${host}`,
    port,
    path: decodeURIComponent(pathname),
  };
}

/** The command gets `GitError` for a connection that fails, and the signal's reason. */
export function createSshCommand(source: RemoteSource, configuration: string): SshCommand {
  const { destination, port } = sshPlaceOf(source);
  const to = [...(port === null ? [] : ["-p", String(port)]), "--", destination];
  const options = {
    env: { PATH: process.env["PATH"], FORGELINE_SSH_CONFIG: configuration },
    timeout: timeoutMs,
    maxBuffer: maxOutputBytes,
    killSignal: "SIGKILL",
  } as const;
  return (words, signal) =>
    new Promise((resolve, reject) => {
      const args = [...to, words.map(quoted).join(" ")];
      const child = execFile(sshProgram, args, { ...options, signal }, (error, stdout, stderr) => {
        if (signal.aborted) reject(signal.reason as Error);
        else if (!error) resolve(stdout);
        else if (error.killed || error.code === noConnection || typeof error.code === "string")
          reject(new GitError("ssh", child.exitCode, error.killed ? "timed out" : stderr || error.message));
        else resolve(null);
      });
      child.stdin?.end();
    });
}

/** As the shell of the other side, or a server that reads it like one, takes a word for itself. */
function quoted(word: string): string {
  return /^[\w./~+-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}
