/** The entry points beside the API, which no OpenAPI document lists: Git and Git LFS over HTTPS, and the socket that logs are watched by. */
import { request } from "node:https";
import { logWatchProtocol } from "@forgeline/schemas/logs/routes.ts";
import type { ApiServer } from "../../support/api-server.ts";
import type { Caller } from "./callers.ts";
import { expectedOutcome, type Outcome, type Place } from "./expected.ts";
import type { RepositoryRow } from "./rows.ts";

type Rights = Pick<RepositoryRow, "scope" | "level" | "archived" | "everyone">;
interface EntryPoint extends Rights {
  name: string;
  /** Path from the host, and headers that it takes besides. */
  path(place: Place): string;
  headers: Record<string, string>;
  /** Sent with POST, where there is one. */
  body?: object;
}

const lfsBatch = (operation: "download" | "upload") => ({
  path: ({ owner, repo }: Place) => `/${owner}/${repo}.git/info/lfs/objects/batch`,
  headers: { "Content-Type": "application/vnd.git-lfs+json" },
  body: { operation, objects: [] },
});

const reading = { level: "read", archived: "works" } as const;
const refsOf = (service: string) => (place: Place) =>
  `/${place.owner}/${place.repo}.git/info/refs?service=git-${service}`;

const entryPoints: readonly EntryPoint[] = [
  {
    name: "git fetch",
    ...reading,
    scope: "repo:read",
    everyone: "reads",
    path: refsOf("upload-pack"),
    headers: {},
  },
  {
    name: "git push",
    scope: "repo:write",
    level: "write",
    archived: "refused",
    everyone: "-",
    path: refsOf("receive-pack"),
    headers: {},
  },
  { name: "lfs download", ...reading, scope: "repo:read", everyone: "reads", ...lfsBatch("download") },
  {
    name: "lfs locks",
    ...reading,
    scope: "repo:read",
    everyone: "reads",
    path: ({ owner, repo }) => `/${owner}/${repo}.git/info/lfs/locks`,
    headers: {},
  },
  {
    name: "lfs upload",
    scope: "repo:write",
    level: "write",
    archived: "refused",
    everyone: "-",
    ...lfsBatch("upload"),
  },
  {
    name: "lfs lock verification",
    scope: "repo:write",
    level: "write",
    archived: "refused",
    everyone: "-",
    path: ({ owner, repo }) => `/${owner}/${repo}.git/info/lfs/locks/verify`,
    headers: { "Content-Type": "application/vnd.git-lfs+json" },
    body: {},
  },
  {
    name: "log watch",
    ...reading,
    scope: "pipeline:read",
    everyone: "runs",
    path: ({ owner, repo }) => `/api/v1/repos/${owner}/${repo}/pipelines/1/logs/stream`,
    headers: {
      Connection: "Upgrade",
      Upgrade: "websocket",
      "Sec-WebSocket-Version": "13",
      "Sec-WebSocket-Key": "AAAAAAAAAAAAAAAAAAAAAA==",
      "Sec-WebSocket-Protocol": logWatchProtocol,
    },
  },
];

const statusOf: Record<Outcome, number> = {
  allowed: 200,
  unauthorized: 401,
  forbidden: 403,
  insufficient_scope: 403,
  repository_archived: 403,
  not_found: 404,
};

/** One line for each case that went otherwise. */
export async function walkDoors(
  server: ApiServer,
  callers: readonly Caller[],
  places: readonly Place[],
): Promise<string[]> {
  const wrong: string[] = [];
  for (const entryPoint of entryPoints)
    for (const place of places) {
      const lines = await Promise.all(callers.map((caller) => lineOf(server, entryPoint, { caller, place })));
      wrong.push(...lines.filter((line) => line !== undefined));
    }
  return wrong;
}

async function lineOf(
  server: ApiServer,
  entryPoint: EntryPoint,
  { caller, place }: { caller: Caller; place: Place },
): Promise<string | undefined> {
  const expected = expectedStatus(entryPoint, caller, place);
  const got = await knock(server, entryPoint, { caller, place });
  return got === expected
    ? undefined
    : `${entryPoint.name} | ${caller.name} | ${place.name} | expected ${expected} | got ${got}`;
}

function expectedStatus(entryPoint: EntryPoint, caller: Caller, place: Place): number {
  const row: RepositoryRow = {
    ...entryPoint,
    about: "repository",
    operation: entryPoint.name,
    finds: "present",
    jobs: "may",
  };
  const outcome = expectedOutcome(row, caller, { place, team: "open" });
  // Git asks without its credential first, and sends it only when it is told to. The socket takes a ticket from who has none.
  const isToldToSendOne = entryPoint.name === "log watch" || outcome === "not_found";
  if (caller.credential === "none" && isToldToSendOne) return 401;
  return statusOf[outcome];
}

/** The status; 200 also where the socket opened, which is then closed. */
function knock(
  server: ApiServer,
  entryPoint: EntryPoint,
  { caller, place }: { caller: Caller; place: Place },
): Promise<number> {
  const method = entryPoint.body ? "POST" : "GET";
  const options = {
    method,
    ca: server.ca,
    agent: false,
    headers: { ...caller.headers, ...entryPoint.headers },
  } as const;
  return new Promise((resolve, reject) => {
    const call = request(`${server.webUrl}${entryPoint.path(place)}`, options, (response) => {
      response.resume().on("end", () => resolve(response.statusCode ?? 0));
    });
    call.on("upgrade", (_response, socket) => {
      socket.destroy();
      resolve(200);
    });
    call.on("error", reject);
    call.end(entryPoint.body && JSON.stringify(entryPoint.body));
  });
}
