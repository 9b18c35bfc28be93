/**
 * Sends a request for each case and compares. A read is a real one, of something that exists: it must succeed. What
 * changes something, and reads of things that are not laid out here, carry a query parameter that nothing knows: who may
 * is told so, and everybody else is refused, since permission is decided before the query is read. Nothing changes.
 */
import type { ApiServer } from "../../support/api-server.ts";
import { manyRequests, type ManyRequests } from "../../support/many-requests.ts";
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
  const requests = manyRequests(server, { atOnce });
  const wrong: [number, string][] = [];
  const queue = cases.entries();
  const work = async () => {
    for (const [at, each] of queue) {
      const expected = expectedOutcome(each.row, each.caller, each.target);
      const got = await ask(requests, each);
      if (got !== expected) wrong.push([at, lineOf(each, expected, got)]);
    }
  };
  try {
    await Promise.all(Array.from({ length: atOnce }, work));
  } finally {
    requests.close();
  }
  return wrong.sort(([a], [b]) => a - b).map(([, line]) => line);
}

function lineOf({ operation, row, caller, target }: Case, expected: string, got: string): string {
  const where = { repository: target.place.name, organization: `team ${target.team}`, general: "" };
  return `${operation.id} | ${caller.name} | ${where[row.about]} | expected ${expected} | got ${got}`;
}

async function ask(requests: ManyRequests, each: Case): Promise<string> {
  const { operation, caller, target, isReal } = each;
  const address = operation.pathFor(target);
  const query = isReal ? "" : `${address.includes("?") ? "&" : "?"}${unknownParameter}=1`;
  const path = `${address}${query}`;
  const { status, text } = await requests.send(operation.method, path, caller.headers);
  if (isReal && status >= 200 && status < 300) return "allowed";
  if (text === "") return String(status);
  const { error, errors } = JSON.parse(text) as { error: string; errors?: { field: string }[] };
  const isProbed = error === "bad_request" && errors?.[0]?.field === unknownParameter;
  if (!isReal && isProbed) return "allowed";
  return [401, 403, 404].includes(status) ? error : `${status} ${error}`;
}
