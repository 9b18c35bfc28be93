import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import {
  createGitSlots,
  type Claim,
  type SlotLimits,
} from "@forgeline/server/platform/git/processes/git-slots.ts";
import { createMetrics } from "@forgeline/server/platform/metrics.ts";

const usual: SlotLimits = { inAll: 4, ofRepository: 4, ofUser: 4, waitMs: 60_000 };
/** Who still waits at the end of a test goes away: refused later, it would fail whatever test runs then. */
const waiting: AbortController[] = [];
afterEach(() => {
  for (const each of waiting.splice(0)) each.abort();
});

function gate(limits: Partial<SlotLimits> = {}) {
  const metrics = createMetrics();
  const { enter } = createGitSlots({ ...usual, ...limits }, metrics);
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
    ["of a repository", { ofRepository: 1 }, "This repository has reached"],
    ["of a user", { ofUser: 1 }, "You have reached the limit"],
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

  it.each([
    ["of an account, under whatever key", { account: "ada" }, { ofAccount: 2 }, "This account, including"],
    [
      "of strangers, from wherever",
      { isAnonymous: true },
      { ofStrangers: 2 },
      "as many anonymous Git operations",
    ],
  ])("are bounded %s; others get one", async (_what, whose, limits, word) => {
    const { enter } = createGitSlots({ ...usual, ...limits, waitMs: 1 }, createMetrics());
    for (const user of ["a", "b"]) await enter({ user, repositoryId: user, ...whose });
    await expect(enter({ user: "c", repositoryId: "c", ...whose })).rejects.toThrow(word);
    await enter({ user: "d", repositoryId: "d", account: "bob" });
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
    await expect(ask("cyd")).rejects.toThrow("Too many Git operations are waiting");
  });

  it("are not kept from newcomers by requests that have begun, of which one user has a bound, too", async () => {
    const { enter } = createGitSlots({ ...usual, inAll: 1, ofUser: 1 }, createMetrics());
    const gone = new AbortController();
    waiting.push(gone);
    const refused: string[] = [];
    const ask = (user: string, hasBegun: boolean) => {
      const asked = enter({ user, repositoryId: "r", hasBegun, gone: gone.signal });
      asked.catch(() => refused.push(user));
      return asked;
    };
    await ask("ada", false);
    for (let n = 0; n < 16; n++) void ask("ada", true);
    await expect(ask("ada", true)).rejects.toThrow("You have reached the limit");
    for (let n = 0; n < 16; n++) void ask(n < 8 ? "bob" : "cyd", false);
    await expect(ask("dee", false)).rejects.toThrow("Too many Git operations are waiting");
    expect(refused).toEqual(["ada", "dee"]);
  });

  it("leave half of the queue to others", async () => {
    const { ask } = gate({ inAll: 1 });
    await ask("ada");
    for (let n = 0; n < 8; n++) void ask("ada");
    await expect(ask("ada")).rejects.toThrow("You have reached the limit");
    void ask("bob");
  });

  it("are counted", async () => {
    const { ask, metrics } = gate({ ofUser: 1, waitMs: 1 });
    await ask("ada");
    await expect(ask("ada")).rejects.toThrow("You have reached the limit");
    void ask("ada");
    const text = await metrics.metrics();
    expect(text).toContain('forgeline_git_exchanges{state="running"} 1');
    expect(text).toContain('forgeline_git_exchanges{state="waiting"} 1');
    expect(text).toContain('forgeline_git_exchanges_refused_total{full="user"} 1');
    expect(text).toContain("forgeline_git_exchange_wait_seconds_count 1");
  });
});

describe("places of slow clients", () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] }));
  afterEach(() => void vi.useRealTimers());

  /** Whose place was ended, in order; `slow` names those that are too slow. */
  function gateOfClients(limits: Partial<SlotLimits>, slow: string[], behindMs = 46_000) {
    const metrics = createMetrics();
    const { enter } = createGitSlots({ ...usual, ...limits }, metrics);
    const ended: string[] = [];
    const take = async (name: string, claim: Partial<Claim> = {}) => {
      const client = {
        behindMs: () => (slow.includes(name) ? behindMs : 0),
        end: () => {
          ended.push(name);
          if (name !== "dead") leave();
        },
      };
      const gone = new AbortController();
      waiting.push(gone);
      const whose = { user: name, repositoryId: "r", client, gone: gone.signal, ...claim };
      const leave = await enter(whose);
    };
    return { take, ended, metrics };
  }
  const look = async () => {
    vi.advanceTimersByTime(1_000);
    await settled();
  };

  it("are kept while nobody waits, and given to who does", async () => {
    const { take, ended, metrics } = gateOfClients({ inAll: 3 }, ["slow", "slower"]);
    for (const name of ["quick", "slow", "slower"]) await take(name);
    await look();
    expect(ended).toEqual([]);
    const next = take("next");
    await look();
    await next;
    expect(ended).toEqual(["slow"]);
    await look();
    expect(ended).toEqual(["slow"]);
    expect(await metrics.metrics()).toContain("forgeline_git_exchanges_ended_as_slow_total 1");
  });

  it.each<[string, Partial<SlotLimits>, Partial<Claim>]>([
    ["user", { ofUser: 1 }, { user: "ada", repositoryId: "other" }],
    ["repository", { ofRepository: 1 }, { repositoryId: "code" }],
    ["account", { ofAccount: 1 }, { account: "ada" }],
    ["strangers", { ofStrangers: 1 }, { isAnonymous: true }],
  ])("are ended only where they are in the way: %s", async (_what, limits, claim) => {
    const { take, ended } = gateOfClients({ inAll: 9, ...limits }, ["beside", "held"]);
    await take("beside", { repositoryId: "beside", user: "eve" });
    await take("held", { ...claim, ...("user" in claim && { repositoryId: "code" }) });
    const next = take("next", claim);
    await look();
    await next;
    expect(ended).toEqual(["held"]);
  });

  it("are ended sooner where their user has several: first of whom has most", async () => {
    const { take, ended } = gateOfClients({ inAll: 4 }, ["only", "one", "two", "three"], 1);
    await take("only");
    for (const name of ["one", "two", "three"]) await take(name, { user: "many" });
    for (const name of ["a", "b", "c", "d"]) void take(name).catch(() => undefined);
    for (let times = 0; times < 4; times += 1) await look();
    expect(ended).toEqual(["one", "two", "three"]);
  });

  it("are ended once each, so that one that does not go stands for no other", async () => {
    const { take, ended } = gateOfClients({ inAll: 2 }, ["dead", "slow"]);
    for (const name of ["dead", "slow"]) await take(name);
    const next = take("next");
    for (let times = 0; times < 3; times += 1) await look();
    await next;
    expect(ended).toEqual(["dead", "slow"]);
  });

  it("stay where all are quick", async () => {
    const { take, ended } = gateOfClients({ inAll: 1 }, []);
    await take("quick");
    void take("next").catch(() => undefined);
    await look();
    expect(ended).toEqual([]);
  });
});
