import { afterEach, describe, expect, it } from "vitest";
import { createExchangeGate, type GateLimits } from "@forgeline/server/git/exchange-gate.ts";
import { createMetrics } from "@forgeline/server/platform/metrics.ts";

const usual: GateLimits = { inAll: 4, ofRepository: 4, ofUser: 4, waitMs: 60_000 };
/** Who still waits at the end of a test goes away: refused later, it would fail whatever test runs then. */
const waiting: AbortController[] = [];
afterEach(() => {
  for (const each of waiting.splice(0)) each.abort();
});

function gate(limits: Partial<GateLimits> = {}) {
  const metrics = createMetrics();
  const { enter } = createExchangeGate({ ...usual, ...limits }, metrics);
  const entered: string[] = [];
  /** Asks for a place; who has one is noted, in order. */
  const ask = (user: string, gone = new AbortController(), repositoryId = "r") => {
    waiting.push(gone);
    const asked = enter({ user, repositoryId, gone: gone.signal }).then((leave) => {
      entered.push(user);
      return leave;
    });
    asked.catch(() => undefined);
    return asked;
  };
  return { ask, entered, metrics };
}
const settled = () => new Promise((resolve) => setImmediate(resolve));

describe("places for Git exchanges", () => {
  it.each([
    ["in all", { inAll: 1 }, "server"],
    ["of a repository", { ofRepository: 1 }, "of this repository"],
    ["of a user", { ofUser: 1 }, "of yours"],
  ])("are bounded %s, and a refusal says so", async (_what, limits, word) => {
    const { ask } = gate({ ...limits, waitMs: 1 });
    const leave = await ask("ada");
    await expect(ask("ada")).rejects.toMatchObject({
      code: "unavailable",
      message: expect.stringContaining(word),
      options: { retryAfterSeconds: 10 },
    });
    leave();
    leave();
    await ask("ada");
    await expect(ask("ada")).rejects.toThrow(word);
  });

  it("go past who is held back by the limit of one to who is not", async () => {
    const { ask, entered } = gate({ ofUser: 1, ofRepository: 3 });
    await ask("ada");
    void ask("ada");
    await ask("bob");
    expect(entered).toEqual(["ada", "bob"]);
  });

  it("go to whoever has the fewest, then to whoever came first", async () => {
    const { ask, entered } = gate({ inAll: 3 });
    const [first, second] = [await ask("ada"), await ask("ada"), await ask("ada")];
    for (const user of ["ada", "bob", "cyd"]) void ask(user);
    first();
    await settled();
    second();
    await settled();
    expect(entered).toEqual(["ada", "ada", "ada", "bob", "cyd"]);
  });

  it("go to all whom one that ends held back: its user, and another in its repository", async () => {
    const { ask, entered } = gate({ ofUser: 2, ofRepository: 2 });
    const leave = await ask("ada");
    await ask("ada");
    void ask("bob");
    void ask("ada", new AbortController(), "s");
    leave();
    await settled();
    expect(entered).toEqual(["ada", "ada", "bob", "ada"]);
  });

  it("are not given to who went away", async () => {
    const { ask, entered } = gate({ inAll: 1 });
    const leave = await ask("ada");
    const gone = new AbortController();
    const waits = ask("bob", gone);
    void ask("cyd");
    gone.abort();
    await expect(waits).rejects.toMatchObject({ code: "unavailable" });
    leave();
    await settled();
    expect(entered).toEqual(["ada", "cyd"]);
  });

  it("have a queue that ends", async () => {
    const { ask } = gate({ inAll: 1 });
    await ask("ada");
    for (let n = 0; n < 16; n++) void ask(n < 8 ? "ada" : "bob");
    await expect(ask("cyd")).rejects.toThrow("Too many Git operations wait");
  });

  it("leave half of the queue to others", async () => {
    const { ask } = gate({ inAll: 1 });
    await ask("ada");
    for (let n = 0; n < 8; n++) void ask("ada");
    await expect(ask("ada")).rejects.toThrow("of yours");
    void ask("bob");
  });

  it("are counted", async () => {
    const { ask, metrics } = gate({ ofUser: 1, waitMs: 1 });
    await ask("ada");
    await expect(ask("ada")).rejects.toThrow("of yours");
    void ask("ada");
    const text = await metrics.metrics();
    expect(text).toContain('forgeline_git_exchanges{state="running"} 1');
    expect(text).toContain('forgeline_git_exchanges{state="waiting"} 1');
    expect(text).toContain('forgeline_git_exchanges_refused_total{full="user"} 1');
    expect(text).toContain("forgeline_git_exchange_wait_seconds_count 1");
  });
});
