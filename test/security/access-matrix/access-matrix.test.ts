/**
 * Every operation of the OpenAPI document × every kind of caller × every kind of place, against tables written by hand.
 * Whoever adds an operation adds its row to one of the `*-table.ts` beside this file.
 */
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { startApiServer, type ApiServer } from "../../support/api-server.ts";
import type { Caller } from "./callers.ts";
import { makeCast, type Cast } from "./cast.ts";
import { walkDoors } from "./entry-points.ts";
import type { Place, Target } from "./expected.ts";
import { isFull } from "../../support/size.ts";
import { documentedOperations, type Operation } from "./operations.ts";
import { placeNamed, places, teamTargets } from "./places.ts";
import { expectedAccess, type Row } from "./rows.ts";
import { walk, type Case } from "./walk.ts";

let server: ApiServer;
let cast: Cast;
let operations: Operation[];
let auditedBefore: number;
const rows = expectedAccess();
/** Thousands of requests, also where much else is running. */
vi.setConfig({ testTimeout: 240_000 });
beforeAll(async () => {
  // No runner is here that would keep the job's lease.
  server = await startApiServer({
    env: { FORGELINE_RECLAIM_MS: "3600000", FORGELINE_TASK_QUEUE: `test-access-${process.pid}` },
  });
  operations = await documentedOperations(server);
  cast = await makeCast(server);
  auditedBefore = await audited();
});
afterAll(() => server.stop());

async function audited(): Promise<number> {
  const row = await server.container.platform.db.one<{ entries: number }>(
    "select count(*) as entries from audit_log",
  );
  return row?.entries ?? 0;
}

function casesOf(about: Row["about"], callers: readonly Caller[], targets: readonly Target[]): Case[] {
  return operations.flatMap((operation, o) => {
    const row = rows.get(operation.id);
    if (row?.about !== about) return [];
    return targets.flatMap((target, t) =>
      callers
        .filter((caller, c) => isOfInterest(caller, target.place) && isAsked(caller, target.place, o + t + c))
        .map((caller) => ({ operation, row, caller, target, isReal: isReal(operation, caller) })),
    );
  });
}

/**
 * About the private repository each operation is asked for by all callers, and about the public one by those who have no part in it.
 * Of the others, and in the other places, some ask in turn: whoever is let in there is decided by the kind of an operation,
 * of which there are many each. What does not count is refused before anybody looks at the operation.
 */
function isAsked({ name, credential }: Caller, place: Place, index: number): boolean {
  if (isFull) return true;
  if (credential === "refused" || credential === "misplaced") return index % 9 === 0;
  return place.name === "private" || isFirstAsked(name, place) || index % 12 === 0;
}

/** Who has no part in a public repository: their answers tell what everyone may there. */
const isFirstAsked = (name: string, place: Place) =>
  place.name === "public" && ["nobody", "stranger"].includes(name);

/**
 * What does not count anywhere is asked about what everyone sees and what few see. Where a person owns the repository,
 * collaboration, teams and tokens are as where an organization does.
 */
function isOfInterest({ name, credential }: Caller, place: Place): boolean {
  if (credential === "refused" || credential === "misplaced")
    return ["private", "public"].includes(place.name);
  if (place.ownedBy === "organization") return true;
  return ["nobody", "stranger", "owner", "owner of the personal ones", "site administrator"].includes(name);
}

/** Expensive operations are really requested only by callers who have no more permission than they need. */
function isReal({ isRead, isExpensive }: Operation, caller: Caller): boolean {
  const hasLittle = ["nobody", "collaborator: read", "bot", "job of the private repository"].includes(
    caller.name,
  );
  return isRead && (!isExpensive || hasLittle);
}

const at = (place: Place): Target => ({ place, team: "open" });

/** With the scope that an operation needs and those of the same noun; of the others, some in turn. */
function oneScopedCases(about: Row["about"], targets: readonly Target[]): Case[] {
  return operations.flatMap((operation, o) => {
    const row = rows.get(operation.id);
    if (row?.about !== about) return [];
    const noun = row.scope?.split(":")[0] ?? "";
    return targets.flatMap((target, t) =>
      cast.oneScoped
        .filter(
          ({ scopes }, c) =>
            isFull || (t === 0 && scopes[0]?.split(":")[0] === noun) || (o + c + t) % 6 === 0,
        )
        .map((caller) => ({ operation, row, caller, target, isReal: isReal(operation, caller) })),
    );
  });
}

test("every operation has a row, and every row an operation", () => {
  const documented = operations.map(({ id }) => id);
  expect({ withoutRow: documented.filter((id) => !rows.has(id)) }).toEqual({ withoutRow: [] });
  expect([...rows.keys()].filter((id) => !documented.includes(id))).toEqual([]);
  expect(documented.length).toBe(new Set(documented).size);
});

test("operations about a repository", async () => {
  expect(await walk(server, casesOf("repository", cast.callers, places.map(at)))).toEqual([]);
});

test("operations about an organization and its teams", async () => {
  expect(await walk(server, casesOf("organization", cast.callers, teamTargets))).toEqual([]);
});

test("operations about oneself and the instance", async () => {
  expect(await walk(server, casesOf("general", cast.callers, [at(placeNamed("private"))]))).toEqual([]);
});

test("a token with one scope does what needs this scope, and nothing else", async () => {
  const inRepositories = ["private", "public closed"].map((name) => at(placeNamed(name)));
  expect(
    await walk(server, [
      ...oneScopedCases("repository", inRepositories),
      ...oneScopedCases("organization", teamTargets.slice(0, 1)),
      ...oneScopedCases("general", inRepositories.slice(0, 1)),
    ]),
  ).toEqual([]);
});

test("Git and the log socket, with tokens of every kind and of each one scope", async () => {
  const { callers, oneScoped } = cast;
  const ofOrganization = places.filter((place) => place.ownedBy === "organization");
  const few = ["private", "public", "public closed"].map(placeNamed);
  // A session is for the API; its cookie is taken where nothing is changed, and watching takes an origin besides.
  const withTokens = callers.filter(({ name }) => name !== "owner's browser");
  expect(await walkDoors(server, withTokens, ofOrganization)).toEqual([]);
  expect(await walkDoors(server, oneScoped, few)).toEqual([]);
});

test("none of these requests changed anything", async () => {
  expect(await audited()).toBe(auditedBefore);
});
