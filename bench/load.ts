/** A client that costs little, so that the server is what is measured: prepared bytes over kept TLS connections. */
import { connect, type TLSSocket } from "node:tls";
import { quantile } from "./statistics.ts";

export interface LoadTarget {
  port: number;
  ca: string;
  path: string;
  headers: Record<string, string>;
  /** What every answer must be. */
  status: number;
}

export interface LoadResult {
  requests: number;
  perSecond: number;
  medianMs: number;
  p99Ms: number;
  /** Body of the last answer. */
  body: string;
}

/** Each connection sends its next request when it has the answer. Rejects for an answer of another status. */
export async function load(
  target: LoadTarget,
  { connections, seconds }: { connections: number; seconds: number },
): Promise<LoadResult> {
  const latencies: number[] = [];
  const lanes = await Promise.all(Array.from({ length: connections }, () => openLane(target)));
  const beganMs = performance.now();
  const endMs = beganMs + seconds * 1000;
  const bodies = await Promise.all(lanes.map((lane) => lane.run(endMs, latencies)));
  const tookMs = performance.now() - beganMs;
  return {
    requests: latencies.length,
    perSecond: (latencies.length / tookMs) * 1000,
    medianMs: quantile(latencies, 0.5),
    p99Ms: quantile(latencies, 0.99),
    body: bodies.at(-1) ?? "",
  };
}

async function openLane(target: LoadTarget) {
  const socket = connect({ host: "127.0.0.1", port: target.port, ca: target.ca, servername: "localhost" });
  await new Promise<void>((resolve, reject) => {
    socket.once("secureConnect", resolve);
    socket.once("error", reject);
  });
  socket.setNoDelay(true);
  return { run: (endMs: number, latencies: number[]) => askUntil(socket, { target, endMs, latencies }) };
}

function askUntil(
  socket: TLSSocket,
  { target, endMs, latencies }: { target: LoadTarget; endMs: number; latencies: number[] },
): Promise<string> {
  const lines = Object.entries(target.headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const request = Buffer.from(`GET ${target.path} HTTP/1.1\r\nHost: localhost\r\n${lines.join("")}\r\n`);
  return new Promise((resolve, reject) => {
    let sentMs = 0;
    let text = "";
    const ask = () => {
      text = "";
      sentMs = performance.now();
      socket.write(request);
    };
    socket.setEncoding("latin1");
    socket.on("error", reject);
    socket.on("close", () => reject(new Error("the server closed the connection")));
    socket.on("data", (part: string) => {
      text += part;
      const answer = readAnswer(text);
      if (!answer) return;
      if (answer.status !== target.status)
        return reject(new Error(`${target.path}: HTTP ${answer.status} ${text}`));
      const now = performance.now();
      latencies.push(now - sentMs);
      if (now < endMs) return ask();
      socket.removeAllListeners("close");
      socket.destroy();
      resolve(answer.body);
    });
    ask();
  });
}

function readAnswer(text: string): { status: number; body: string } | undefined {
  const head = text.indexOf("\r\n\r\n");
  if (head < 0) return undefined;
  const length = Number(/\r\ncontent-length: (\d+)/i.exec(text.slice(0, head))?.[1] ?? 0);
  if (text.length < head + 4 + length) return undefined;
  return { status: Number(text.slice(9, 12)), body: text.slice(head + 4, head + 4 + length) };
}
