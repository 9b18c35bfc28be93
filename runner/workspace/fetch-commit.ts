/**
 * Brings one commit into an empty repository with a single request over a connection that is kept between jobs. Git's
 * own `fetch` starts two programs and makes a connection and three requests for the same bytes, which is most of the
 * time of a small checkout. Protocol version 2, gitprotocol-v2(5): `fetch` with `deepen`, `done` at once.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { Agent, request } from "node:https";
import type { IncomingMessage } from "node:http";
import { join } from "node:path";
import type { Writable } from "node:stream";
import { type GitAccess, GitError, gitEnv } from "./git.ts";
import { delimiterPacket, flushPacket, packet, readPackets, type Packet } from "./pkt-line.ts";

export interface CommitRequest extends GitAccess {
  token: string;
  sha: string;
  /** Number of commits from `sha` on, at least 1. */
  depth: number;
  /** A repository in which nothing is yet. */
  directory: string;
  signal: AbortSignal;
}

export interface CommitFetcher {
  /** Rejects when the server answers anything but the commit; the repository is then to be thrown away. */
  fetch(wanted: CommitRequest): Promise<void>;
  close(): void;
}

const silenceMs = 60_000;

export function createCommitFetcher(): CommitFetcher {
  const agents = new Map<string | null, Agent>();
  const agentOf = (caFile: string | null): Agent => {
    const known = agents.get(caFile);
    if (known) return known;
    const ca = caFile === null ? {} : { ca: readFileSync(caFile) };
    const agent = new Agent({ keepAlive: true, timeout: silenceMs, ...ca });
    agents.set(caFile, agent);
    return agent;
  };
  return {
    async fetch(wanted) {
      const answer = await post(wanted, agentOf(wanted.caFile));
      try {
        await receive(wanted, answer);
      } catch (error) {
        answer.destroy();
        throw error;
      }
    },
    close() {
      for (const agent of agents.values()) agent.destroy();
    },
  };
}

function post(wanted: CommitRequest, agent: Agent): Promise<IncomingMessage> {
  const { signal, token, sha, depth } = wanted;
  const body = [
    packet("command=fetch\n"),
    packet("object-format=sha1\n"),
    delimiterPacket,
    ...["no-progress", "ofs-delta", `deepen ${depth}`, `want ${sha}`, "done"].map((line) =>
      packet(`${line}\n`),
    ),
    flushPacket,
  ].join("");
  const headers = {
    Authorization: `Basic ${Buffer.from(`job:${token}`).toString("base64")}`,
    "Content-Type": "application/x-git-upload-pack-request",
    "Content-Length": Buffer.byteLength(body),
    Accept: "application/x-git-upload-pack-result",
    "Git-Protocol": "version=2",
  };
  return new Promise((resolve, reject) => {
    const outgoing = request(
      `${wanted.url}/git-upload-pack`,
      { method: "POST", agent, headers, signal },
      (answer) => {
        if (answer.statusCode === 200) return resolve(answer);
        answer.destroy();
        reject(new GitError(`the server responded with ${answer.statusCode}`, null));
      },
    );
    outgoing.on("timeout", () => outgoing.destroy(new Error(`no response in ${silenceMs / 1000} s`)));
    outgoing.on("error", reject);
    outgoing.end(body);
  });
}

/** Sections of the answer in their order: `shallow-info`, then `packfile`. */
async function receive(wanted: CommitRequest, answer: IncomingMessage): Promise<void> {
  const packets = readPackets(answer);
  const shallow: string[] = [];
  for await (const line of textLines(packets)) {
    if (line === "packfile") {
      await writeFile(join(wanted.directory, ".git", "shallow"), shallow.map((id) => `${id}\n`).join(""));
      return index(wanted, packets);
    }
    const [, id] = /^shallow ([0-9a-f]{40})$/.exec(line) ?? [];
    if (id !== undefined) shallow.push(id);
    else if (line !== "shallow-info")
      throw new GitError(`unexpected in the response: ${line.slice(0, 200)}`, null);
  }
  throw new GitError("the response ends before the pack", null);
}

/** Lets go of `packets` without ending it, so that what follows can be read. */
async function* textLines(packets: AsyncGenerator<Packet>): AsyncGenerator<string> {
  for (;;) {
    const next = await packets.next();
    if (next.done === true) return;
    if (next.value.kind === "data") yield next.value.bytes.toString("utf8").trimEnd();
  }
}

/** Side bands: 1 is the pack, 2 is progress, 3 is the server's last words. */
async function index(wanted: CommitRequest, packets: AsyncGenerator<Packet>): Promise<void> {
  const child = spawn("git", ["index-pack", "--stdin"], {
    cwd: wanted.directory,
    env: gitEnv(wanted),
    stdio: ["pipe", "ignore", "pipe"],
    signal: wanted.signal,
    killSignal: "SIGKILL",
  });
  const closed = once(child, "close") as Promise<[number | null]>;
  closed.catch(() => undefined);
  let said = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => (said = (said + text).slice(-4096)));
  child.stdin.on("error", () => undefined);
  try {
    await writePack(packets, child.stdin);
  } catch (error) {
    child.kill("SIGKILL");
    throw error;
  }
  const [code] = await closed;
  if (code !== 0) throw new GitError(said.trim() || `git index-pack ended with ${code}`, code);
}

async function writePack(packets: AsyncGenerator<Packet>, stdin: Writable): Promise<void> {
  for await (const each of packets) {
    if (each.kind === "flush") return void stdin.end();
    if (each.kind !== "data") continue;
    const band = each.bytes[0];
    if (band === 3) throw new GitError(each.bytes.toString("utf8", 1).trim(), null);
    if (band === 1 && !stdin.write(each.bytes.subarray(1))) await drained(stdin);
  }
  throw new GitError("the pack was truncated", null);
}

/** Also when the reader is gone: what it said tells why. */
function drained(stdin: Writable): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      stdin.off("drain", done).off("close", done);
      resolve();
    };
    stdin.on("drain", done).on("close", done);
  });
}
