/** Trades a one-time registration token for this runner's own credential. */
import { request } from "node:https";
import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { serverOrigin } from "../config.ts";

const Registered = z.object({ id: z.string(), credential: z.string(), connect_url: z.string() });
export type Registered = z.infer<typeof Registered>;
const Problem = z.object({
  message: z.string(),
  errors: z.array(z.object({ field: z.string(), message: z.string() })).default([]),
});
/** Longer than this, nobody is kept waiting: a limit of a minute is over by then. */
const longestWaitSeconds = 60;

export interface Registration {
  /** Address of the server, with or without `/api/v1`. */
  server: string;
  token: string;
  name: string;
  labels: readonly string[];
  capacity: number;
  oneJob: boolean;
  ca: string | null;
}

/** Throws an `Error` whose message is fit for the operator. Never prints the token. */
export async function registerRunner(registration: Registration): Promise<Registered> {
  const url = new URL(`${serverOrigin(registration.server)}/api/v1/runners/register`);
  const { token, name, labels, capacity, oneJob } = registration;
  // Servers of before know no runners for one job, and refuse what they do not know.
  const body = { token, name, labels, capacity, ...(oneJob && { one_job: true }) };
  const send = () => post(url, JSON.stringify(body), registration.ca);
  let answer = await send();
  if (answer.status === 429 && answer.retryAfterSeconds <= longestWaitSeconds) {
    process.stderr.write(`too many requests from here; trying again in ${answer.retryAfterSeconds} s\n`);
    await sleep(answer.retryAfterSeconds * 1000);
    answer = await send();
  }
  const json: unknown = parseJson(answer.body);
  const registered = Registered.safeParse(json);
  if (registered.success) return registered.data;
  throw new Error(`registration was refused (${answer.status}): ${whyRefused(json, answer)}`);
}

function whyRefused(json: unknown, { status, retryAfterSeconds }: Answer): string {
  const { message, errors } = Problem.safeParse(json).data ?? { message: "unexpected answer", errors: [] };
  const fields = errors.filter((each) => each.message !== message);
  const lines = [message, ...fields.map((each) => `  ${each.field}: ${each.message}`)];
  if (status === 429 && Number.isFinite(retryAfterSeconds))
    lines.push(`  Try again in ${Math.ceil(retryAfterSeconds / 60)} min.`);
  return lines.join("\n");
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

interface Answer {
  status: number;
  body: string;
  /** Infinity: it does not say. */
  retryAfterSeconds: number;
}

function post(url: URL, body: string, ca: string | null): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const headers = { "content-type": "application/json", "content-length": Buffer.byteLength(body) };
    const options = { method: "POST", headers, timeout: 30_000, ...(ca === null ? {} : { ca }) };
    const outgoing = request(url, options, (response) => {
      const parts: Buffer[] = [];
      response.on("data", (part: Buffer) => parts.push(part));
      response.on("error", reject);
      response.on("end", () =>
        resolve({
          status: response.statusCode ?? 0,
          body: Buffer.concat(parts).toString(),
          retryAfterSeconds: Number(response.headers["retry-after"] ?? Infinity),
        }),
      );
    });
    outgoing.on("timeout", () => outgoing.destroy(new Error(`no answer from ${url.host} in 30 s`)));
    outgoing.on("error", (error) => reject(isUntrusted(error) ? untrusted(url, ca, error) : error));
    outgoing.end(body);
  });
}

/** The server's certificate is signed by somebody whom this machine does not know. */
function isUntrusted(error: NodeJS.ErrnoException): boolean {
  return /^(DEPTH_ZERO_SELF_SIGNED|SELF_SIGNED|UNABLE_TO_)/.test(error.code ?? "");
}

function untrusted({ host }: URL, ca: string | null, cause: Error): Error {
  const help =
    ca === null
      ? "name the PEM file of the authority that signed it with --ca FILE or FORGELINE_RUNNER_CA_FILE"
      : "it is not signed by the authority that --ca (FORGELINE_RUNNER_CA_FILE) names";
  return new Error(`the certificate of ${host} is not trusted: ${help} (${cause.message})`, { cause });
}
