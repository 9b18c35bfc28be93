/**
 * Sends a request for each case and compares. A read is a real one, of something that exists: it must succeed. What
 * changes something, and reads of things that are not laid out here, carry a query parameter that nothing knows: who may
 * is told so, and everybody else is refused, since permission is decided before the query is read. Nothing changes.
 */
import { Agent, request } from "node:https";
import type { ApiServer } from "../../support/api-server.ts";
import type { Caller } from "./callers.ts";
import { expectedOutcome, type Target } from "./expected.ts";
import type { Operation } from "./operations.ts";
import type { Row } from "./rows.ts";

export interface Case {
  operation: Operation;
  row: Row;
  caller: Caller;
  target: Target;
  /** Whether it may be asked as it is; otherwise so that nothing can happen. */
  isReal: boolean;
}

const atOnce = 6;
const unknownParameter = "no-such-parameter";

/** One line for each case that went otherwise, in the order of the cases. */
export async function walk(server: ApiServer, cases: readonly Case[]): Promise<string[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: atOnce, ca: server.ca });
  const wrong: [number, string][] = [];
  const queue = cases.entries();
  const work = async () => {
    for (const [at, each] of queue) {
      const expected = expectedOutcome(each.row, each.caller, each.target);
      const got = await ask(server, agent, each);
      if (got !== expected) wrong.push([at, lineOf(each, expected, got)]);
    }
  };
  try {
    await Promise.all(Array.from({ length: atOnce }, work));
  } finally {
    agent.destroy();
  }
  return wrong.sort(([a], [b]) => a - b).map(([, line]) => line);
}

function lineOf({ operation, row, caller, target }: Case, expected: string, got: string): string {
  const where = { repository: target.place.name, organization: `team ${target.team}`, general: "" };
  return `${operation.id} | ${caller.name} | ${where[row.about]} | expected ${expected} | got ${got}`;
}

async function ask(server: ApiServer, agent: Agent, each: Case): Promise<string> {
  const { operation, caller, target, isReal } = each;
  const query = isReal ? "" : `?${unknownParameter}=1`;
  const url = `${server.baseUrl}${operation.pathFor(target)}${query}`;
  const { status, text } = await send(url, { agent, method: operation.method, headers: caller.headers });
  if (isReal && status >= 200 && status < 300) return "allowed";
  if (text === "") return String(status);
  const { error, errors } = JSON.parse(text) as { error: string; errors?: { field: string }[] };
  const isProbed = error === "bad_request" && errors?.[0]?.field === unknownParameter;
  if (!isReal && isProbed) return "allowed";
  return [401, 403, 404].includes(status) ? error : `${status} ${error}`;
}

/** The body of errors only. */
function send(
  url: string,
  options: { agent: Agent; method: string; headers: Record<string, string> },
): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const call = request(url, options, (response) => {
      const status = response.statusCode ?? 0;
      const parts: Buffer[] = [];
      response.on("data", (part: Buffer) => status >= 400 && parts.push(part));
      response.on("error", reject);
      response.on("end", () => resolve({ status, text: Buffer.concat(parts).toString() }));
    });
    call.on("error", reject);
    call.end();
  });
}
