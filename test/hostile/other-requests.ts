/** A process of its own that asks a server for something small, one request after the other, and says how long it waited. */
import { fork } from "node:child_process";
import { once } from "node:events";
import { Agent, request } from "node:https";
import { setTimeout as pause } from "node:timers/promises";

export interface Other {
  /** Where the API begins. */
  baseUrl: string;
  ca: string;
  token: string;
  paths: readonly string[];
}

const pauseMs = 5;

/** How long each answer took while `work` was done, in milliseconds, and what `work` gave. It begins once the other has been answered. */
export async function othersWhile<T>(
  other: Other,
  work: () => Promise<T>,
): Promise<{ times: number[]; result: T }> {
  // A session of its own, between which Linux divides the processors: others sit at other machines than the burst's sender.
  const child = fork(import.meta.filename, { stdio: "inherit", detached: true });
  const ended = Promise.withResolvers<never>();
  ended.promise.catch(() => undefined);
  child.once("exit", (code) => ended.reject(new Error(`the process of the others ended with ${code}`)));
  const message = async () => (await Promise.race([once(child, "message"), ended.promise]))[0] as unknown;
  child.send(other);
  await message();
  try {
    const result = await work();
    child.send("enough");
    return { times: (await message()) as number[], result };
  } finally {
    child.kill();
  }
}

async function get(agent: Agent, { baseUrl, token }: Other, path: string): Promise<number> {
  const began = performance.now();
  const headers = { Authorization: `Bearer ${token}` };
  const call = request(`${baseUrl}${path}`, { agent, headers }).end();
  const [response] = await once(call, "response");
  await once(response.resume(), "end");
  if (response.statusCode !== 200)
    throw new Error(`another request was answered with ${response.statusCode}`);
  return performance.now() - began;
}

async function ask(other: Other): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1, ca: other.ca });
  const times: number[] = [];
  let isEnough = false;
  process.once("message", () => (isEnough = true));
  await get(agent, other, other.paths[0]!);
  process.send!("ready");
  for (let n = 0; !isEnough; n++) {
    times.push(await get(agent, other, other.paths[n % other.paths.length]!));
    await pause(pauseMs);
  }
  process.send!(times);
}

if (process.argv[1] === import.meta.filename && process.send)
  process.once("message", (other) => void ask(other as Other));
