/**
 * Requests for objects of Git LFS: to the server, under the name by which this runner reaches it, and to wherever the
 * server says that objects lie.
 */
import { readFileSync } from "node:fs";
import * as http from "node:http";
import * as https from "node:https";
import { getCACertificates } from "node:tls";
import { LfsDownloads } from "@forgeline/schemas/lfs/messages.ts";
import type { GitAccess } from "../git.ts";
import { LfsError } from "./lfs-error.ts";

const silenceMs = 60_000;
export const concurrentObjects = 4;
const mediaType = "application/vnd.git-lfs+json";
const maxAnswerBytes = 16 * 1024 * 1024;

export interface WantedObject {
  oid: string;
  sizeBytes: number;
}

export interface ObjectAddress {
  href: string;
  header?: Record<string, string> | undefined;
}

export interface LfsConnection {
  /**
   * Where each object is to be had, by its id. Throws `LfsError` when the server does not say so of all of them.
   */
  ask(wanted: readonly WantedObject[]): Promise<Map<string, ObjectAddress>>;
  /** The bytes as they come, not checked. Throws `LfsError`. */
  open(address: ObjectAddress): Promise<AsyncIterable<Buffer>>;
  close(): void;
}

interface Call {
  method: "GET" | "POST";
  headers: Record<string, string>;
  body?: string;
}

export function createLfsConnection(access: GitAccess & { signal: AbortSignal }): LfsConnection {
  const { url, token, caFile, signal } = access;
  const common = {
    keepAlive: true,
    maxSockets: concurrentObjects,
    timeout: silenceMs,
    proxyEnv: { ...access.baseEnv },
  };
  const ca = caFile === null ? [] : [readFileSync(caFile, "utf8")];
  const ours = new https.Agent({ ...common, ...(ca.length > 0 && { ca }) });
  // Elsewhere any authority will do that this machine trusts.
  const theirs = new https.Agent({ ...common, ca: [...getCACertificates("default"), ...ca] });
  const plain = new http.Agent(common);

  /** The server's own addresses have the name that it goes by, which is not always the one that leads there from here. */
  function reach(href: string): { address: URL; agent: http.Agent } {
    const [address, base] = [new URL(href), new URL(url)];
    if (address.pathname.startsWith(`${base.pathname}/info/lfs/`))
      return { address: new URL(`${address.pathname}${address.search}`, base), agent: ours };
    if (address.protocol === "https:") return { address, agent: theirs };
    if (address.protocol === "http:") return { address, agent: plain };
    throw new LfsError(`the server returned an unsupported address: ${address.protocol}`, false);
  }

  function send(href: string, { body, ...call }: Call): Promise<http.IncomingMessage> {
    const { address, agent } = reach(href);
    const { request } = address.protocol === "https:" ? https : http;
    return new Promise((resolve, reject) => {
      const outgoing = request(address, { ...call, agent, signal }, resolve);
      outgoing.on("timeout", () =>
        outgoing.destroy(new Error(`nothing was received for ${silenceMs / 1000} s`)),
      );
      outgoing.on("error", (error) => reject(new LfsError(`${address.host}: ${error.message}`, true)));
      outgoing.end(body);
    });
  }

  return {
    async ask(wanted) {
      const objects = wanted.map(({ oid, sizeBytes }) => ({ oid, size: sizeBytes }));
      const answer = await send(`${url}/info/lfs/objects/batch`, {
        method: "POST",
        headers: {
          Authorization: `Basic ${Buffer.from(`job:${token}`).toString("base64")}`,
          Accept: mediaType,
          "Content-Type": mediaType,
        },
        body: JSON.stringify({ operation: "download", transfers: ["basic"], objects }),
      });
      const text = await readText(answer);
      if (answer.statusCode !== 200) throw refused(answer, wordsOf(text));
      return addresses(wanted, text);
    },
    async open({ href, header = {} }) {
      const answer = await send(href, { method: "GET", headers: header });
      if (answer.statusCode === 200) return received(answer);
      throw refused(answer, wordsOf(await readText(answer)));
    },
    close() {
      for (const agent of [ours, theirs, plain]) agent.destroy();
    },
  };
}

/** An address lasts some minutes, so 403 is worth another question. */
function refused({ statusCode = 0 }: http.IncomingMessage, words: string): LfsError {
  return new LfsError(
    `the response was ${statusCode}${words}`,
    statusCode >= 500 || [403, 408, 429].includes(statusCode),
  );
}

async function* received(answer: http.IncomingMessage): AsyncGenerator<Buffer> {
  try {
    yield* answer as AsyncIterable<Buffer>;
  } catch (error) {
    throw new LfsError(`the connection broke: ${(error as Error).message}`, true);
  }
}

async function readText(answer: http.IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of received(answer)) {
    size += chunk.length;
    if (size > maxAnswerBytes) throw new LfsError("the response is too long", false);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

function wordsOf(text: string): string {
  const message = /"message"\s*:\s*("(?:[^"\\]|\\.)*")/.exec(text)?.[1];
  return message === undefined ? "" : `: ${String(JSON.parse(message))}`;
}

function addresses(wanted: readonly WantedObject[], text: string): Map<string, ObjectAddress> {
  const { objects } = LfsDownloads.parse(JSON.parse(text));
  const found = new Map<string, ObjectAddress>();
  for (const { oid, actions, error } of objects) {
    if (error) throw new LfsError(`object ${oid}: ${error.message}`, error.code >= 500);
    if (actions?.download) found.set(oid, actions.download);
  }
  for (const { oid } of wanted)
    if (!found.has(oid)) throw new LfsError(`the server does not say where object ${oid} is`, false);
  return found;
}
