/** The relay against a Temporal that is away, intents that no workflow wants, and ones that Temporal refuses. */
import { setTimeout as sleep } from "node:timers/promises";
import { Registry } from "prom-client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { AttemptFact } from "@forgeline/schemas/pipelines/workflow.ts";
import { createDatabase } from "@forgeline/server/platform/db/database.ts";
import {
  addRunIntent,
  createRunHandler,
  runKey,
} from "@forgeline/server/domains/pipelines/runs/run-intents.ts";
import { addIntent } from "@forgeline/server/platform/outbox/outbox.ts";
import { createRelay, type Relay } from "@forgeline/server/platform/outbox/relay.ts";
import { putOff, takeDue } from "@forgeline/server/platform/outbox/outbox.store.ts";
import { createLogger } from "@forgeline/server/platform/logger.ts";
import { createTemporal, type Temporal } from "@forgeline/server/platform/temporal.ts";
import { readBed } from "../../support/bed.ts";
import { testDatabase, type TestDatabase } from "../../support/database.ts";
import { eventually } from "../../support/eventually.ts";
import { withTexts, type TextDatabase } from "../../support/text-database.ts";

const logger = createLogger({ name: "test", level: "silent" });
let database: TestDatabase;
let db: TextDatabase;
beforeAll(async () => {
  database = await testDatabase();
  db = withTexts(createDatabase({ url: database.url, poolSize: 8, applicationName: "test", logger }));
});
afterAll(async () => {
  await db.close();
  await database.drop();
});

const fact: AttemptFact = {
  jobId: "job",
  attempt: 1,
  epoch: 1,
  kind: "started",
  status: "running",
  reason: null,
  exitCode: null,
  begun: false,
};
const addFact = (pipelineId: string, repositoryId = "repo_a") =>
  db.transaction((tx) =>
    addRunIntent(tx, repositoryId, { kind: "attempt_fact", pipelineId, sequence: 1, fact }),
  );
const count = async () =>
  (await db.one<{ n: number }>("select count(*) as n from outbox where not parked"))?.n;

async function withRelay(address: string, work: (registry: Registry) => Promise<void>): Promise<void> {
  const registry = new Registry();
  const temporal: Temporal = createTemporal({ address, callTimeoutMs: 500 });
  const relay: Relay = createRelay({ db, logger, registry, pollMs: 50, maxAttempts: 2 });
  relay.handle(runKey, createRunHandler({ temporal }));
  relay.start();
  try {
    await work(registry);
  } finally {
    await relay.stop();
    await temporal.close();
  }
}

describe("the relay", () => {
  it("keeps intents while Temporal is away, and drops signals that no workflow waits for once it is back", async () => {
    await addFact("pipe_gone");
    await withRelay("127.0.0.1:1", async (registry) => {
      await eventually(async () =>
        /forgeline_outbox_delivery_seconds_count [1-9]/.test(await registry.metrics()),
      );
      expect(await count()).toBe(1);
    });
    expect(await db.one("select attempts, parked from outbox")).toEqual({ attempts: 0, parked: false });
    await withRelay((await readBed()).temporalAddress, () =>
      eventually(async () => (await count()) === 0).then(() => undefined),
    );
  });

  it("parks what Temporal refuses again and again, and goes on with the rest", async () => {
    // Workflow ids are limited to 1,000 characters: this one is refused for good.
    const poison = "p".repeat(2_000);
    await db.transaction((tx) =>
      addRunIntent(tx, "repo_a", { kind: "start_pipeline", pipelineId: poison, sequence: 1 }),
    );
    await addFact("pipe_other");
    await withRelay((await readBed()).temporalAddress, async (registry) => {
      await eventually(async () => (await count()) === 0);
      expect(await registry.metrics()).toContain('forgeline_outbox_items{state="parked"} 1');
    });
    const [parked] = await db.query("select kind, parked, attempts from outbox");
    expect(parked).toEqual({ kind: "start_pipeline", parked: true, attempts: 2 });
    await db.query("delete from outbox");
  });

  it("gives each intent to the handler that its key names, and parks what nobody handles or can read", async () => {
    const handled: unknown[] = [];
    await db.transaction(async (tx) => {
      await addIntent(tx, { kind: "greet", key: "letters:1", group: "a", payload: { to: "ada" } });
      await addIntent(tx, { kind: "greet", key: "letters:1", group: "a", payload: { to: "bob" } });
      await addIntent(tx, { kind: "greet", key: "nobody:1", group: "a", payload: {} });
      await addIntent(tx, {
        kind: "start_pipeline",
        key: "pipeline:1",
        group: "a",
        payload: { sequence: "no" },
      });
    });
    const registry = new Registry();
    const relay = createRelay({ db, logger, registry, pollMs: 50, maxAttempts: 1 });
    const temporal = createTemporal({ address: (await readBed()).temporalAddress });
    relay.handle(runKey, createRunHandler({ temporal }));
    relay.handle("letters", (items) =>
      items.map((item) => ({
        kind: "greet",
        items: [item],
        call: async () => void handled.push(item.payload),
      })),
    );
    relay.start();
    await eventually(async () => (await count()) === 0);
    await relay.stop();
    await temporal.close();
    expect(handled).toEqual([{ to: "ada" }, { to: "bob" }]);
    const parked = await db.query("select key, last_error from outbox where parked order by id");
    expect(parked).toEqual([
      { key: "nobody:1", last_error: "nothing here handles nobody" },
      { key: "pipeline:1", last_error: "the intent cannot be read" },
    ]);
    await db.query("delete from outbox");
  });

  it("takes repositories in turn, and a key's items only by one taker, in order", async () => {
    for (let n = 0; n < 5; n += 1) await addFact(`pipe_busy${n}`, "repo_a");
    await addFact("pipe_busy0", "repo_a");
    await addFact("pipe_small", "repo_b");
    await db.transaction(async (first) => {
      const mine = await takeDue(first, 2);
      expect([...mine.keys()]).toEqual(["pipeline:pipe_busy0", "pipeline:pipe_small"]);
      const ids = mine.get("pipeline:pipe_busy0")?.map((item) => item.id) ?? [];
      expect(ids).toEqual([...ids].sort((a, b) => a - b));
      expect(ids).toHaveLength(2);
      const others = await db.transaction((second) => takeDue(second, 10));
      expect([...others.keys()].sort()).toEqual([1, 2, 3, 4].map((n) => `pipeline:pipe_busy${n}`));
    });
    await db.query("delete from outbox");
  });

  it("takes nothing that another one has just put off, however closely they come together", async () => {
    const takes: number[] = [];
    for (let round = 0; round < 60; round += 1) {
      await addFact(`pipe_put_off${round}`);
      const taken = Array.from({ length: 6 }, async (_, n) => {
        await sleep(n / 2);
        return db.transaction(async (tx) => {
          const items = [...(await takeDue(tx, 10)).values()].flat();
          for (const { id } of items) await putOff(tx, { id, error: "refused", maxAttempts: 1 });
          return items.length;
        });
      });
      takes.push((await Promise.all(taken)).reduce((sum, n) => sum + n, 0));
    }
    expect(new Set(takes)).toEqual(new Set([1]));
    await db.query("delete from outbox");
  });
});
