/**
 * Many viewers of one log stream in a process of their own, which a test may stop with SIGSTOP: `startWatchers`. Run as a
 * program it opens them, connects each again where it was when its server goes away, and prints one line of JSON when all
 * are open and one at the end: the SHA-256 of what each got, and how often they connected.
 */
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { connectViewer } from "./log-viewer.ts";
import type { TestInstance } from "./instance.ts";

export interface Watchers {
  pid: number;
  /** All have been let in. */
  open: Promise<void>;
  /** Different contents that the viewers got, as SHA-256: one, if all got the same. Rejects when one saw a gap. */
  ended: Promise<{ hashes: string[]; connections: number }>;
}

interface Order {
  url: string;
  token: string;
  caFile: string;
  viewers: number;
}

/** `url`: base address of the server or of a proxy before it. */
export function startWatchers(
  instance: TestInstance,
  run: { number: number },
  options: { viewers: number; job: string; url?: string },
): Watchers {
  const base = (options.url ?? instance.url).replace("https:", "wss:");
  const path = `/api/v1/repos/${instance.adminName}/lines/pipelines/${run.number}/logs/stream`;
  const order: Order = {
    url: `${base}${path}?job=${options.job}&step=0&from=`,
    token: instance.adminToken,
    caFile: instance.certificates.caFile,
    viewers: options.viewers,
  };
  const args = ["--disable-warning=ExperimentalWarning", fileURLToPath(import.meta.url)];
  const child = spawn(process.execPath, args, { stdio: ["pipe", "pipe", "inherit"] });
  child.stdin.end(JSON.stringify(order));
  const lines = createInterface({ input: child.stdout });
  const opened = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<{ hashes: string[]; connections: number }>();
  lines.once("line", () => {
    opened.resolve();
    lines.once("line", (line) =>
      ended.resolve(JSON.parse(line) as { hashes: string[]; connections: number }),
    );
  });
  child.once("exit", (code) => {
    const error = new Error(`the watchers ended with ${code}`);
    opened.reject(error);
    if (code !== 0) ended.reject(error);
  });
  opened.promise.catch(() => undefined);
  ended.promise.catch(() => undefined);
  return { pid: child.pid ?? 0, open: opened.promise, ended: ended.promise };
}

export function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

async function main(): Promise<void> {
  const order = JSON.parse((await process.stdin.toArray()).join("")) as Order;
  const ca = await readFile(order.caFile, "utf8");
  const headers = { Authorization: `Bearer ${order.token}` };
  let connections = 0;
  let open = 0;
  const watch = async () => {
    let text = Buffer.alloc(0);
    for (let first = true; ; first = false) {
      const viewer = connectViewer(`${order.url}${text.length}`, { headers, ca });
      void viewer.opened.then(() => {
        connections++;
        if (first && ++open === order.viewers) process.stdout.write('{"open":true}\n');
      });
      await viewer.closed;
      const stream = viewer.messages.findLast((message) => message.t === "stream");
      if (stream) text = Buffer.concat([text, viewer.text(stream.stream_id)]);
      if (viewer.messages.some((message) => message.t === "end")) return sha256(text.toString());
      await sleep(100 + Math.random() * 900);
    }
  };
  const hashes = await Promise.all(Array.from({ length: order.viewers }, watch));
  process.stdout.write(`${JSON.stringify({ hashes: [...new Set(hashes)], connections })}\n`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main();
