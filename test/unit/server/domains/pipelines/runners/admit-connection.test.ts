/** Which of several connections of one runner counts. */
import { expect, it } from "vitest";
import {
  admitConnection,
  type Newcomer,
} from "@forgeline/server/domains/pipelines/runners/admit-connection.ts";
import {
  judgeConnection,
  type RunnerConnection,
  type ConnectionState,
} from "@forgeline/server/domains/pipelines/runners/connections.ts";

const row = { connectedAt: "now" } as RunnerConnection;
const runner = { id: "rnr_1", name: "one", repositoryId: null };

/** Free for whoever calls a runner dead that was not heard for `freeFromMs` or less. */
function setUp(freeFromMs: number | null, mayBeNoted = true) {
  const asked: number[] = [];
  const flagged: unknown[] = [];
  const newcomer = {
    runner,
    hello: { instanceId: "two", hostname: "host" },
    aliveMs: 15_000,
    ipAddress: "203.0.113.7",
    mayBeNoted: () => mayBeNoted,
  } as Newcomer;
  const deps = {
    async take({ aliveMs }: { aliveMs: number }) {
      asked.push(aliveMs);
      return freeFromMs !== null && aliveMs <= freeFromMs ? row : undefined;
    },
    flagDuplicate: async (_runner: unknown, refused: unknown) => void flagged.push(refused),
  };
  return { asked, flagged, admit: (isAlive?: boolean) => admitConnection(deps, newcomer, older(isAlive)) };
}

const older = (isAlive?: boolean) => (isAlive === undefined ? undefined : { isAlive: async () => isAlive });

it("takes a free place, whatever the older connection would answer", async () => {
  const { asked, admit } = setUp(15_000);
  expect(await admit(true)).toEqual({ connection: row });
  expect(asked).toEqual([15_000]);
});

it("a silent older connection on this server makes room at once", async () => {
  const { asked, flagged, admit } = setUp(0);
  expect(await admit(false)).toEqual({ connection: row });
  expect([asked, flagged]).toEqual([[15_000, 0], []]);
});

it("a runner that was removed meanwhile is not said to be in use", async () => {
  const { flagged, admit } = setUp(null);
  expect(await admit(false)).toEqual({ connection: undefined, inUse: null });
  expect(flagged).toEqual([]);
});

it.each([
  [true, "on_this_server"],
  [undefined, "elsewhere"],
])(
  "one that lives keeps its place, and the newcomer is written down (alive here: %s)",
  async (isAlive, inUse) => {
    const { asked, flagged, admit } = setUp(0);
    expect(await admit(isAlive)).toEqual({ connection: undefined, inUse });
    expect(asked).toEqual([15_000]);
    expect(flagged).toEqual([{ refusedInstance: "two", refusedHost: "host", ipAddress: "203.0.113.7" }]);
  },
);

it("writes nothing down where the audit log has enough of this runner", async () => {
  const { flagged, admit } = setUp(0, false);
  expect(await admit(true)).toEqual({ connection: undefined, inUse: "on_this_server" });
  expect(flagged).toEqual([]);
});

const state = (changes: Partial<ConnectionState>) =>
  ({ revoked: false, connectedAt: "then", ...changes }) as ConnectionState;

it.each([
  ["its row is gone", undefined, { ended: "revoked" }],
  ["the runner was removed", state({ revoked: true }), { ended: "revoked" }],
  ["a newer one has taken its place", state({ connectedAt: "later" }), { ended: "replaced" }],
  ["it was given up", state({ connectedAt: null }), { ended: "silent" }],
  ["nothing has changed", state({}), { current: state({}) }],
])("a connection is judged by the row: %s", (_what, now, verdict) => {
  expect(judgeConnection(now, "then")).toEqual(verdict);
});
