/** Repositories and organizations whose runs use concurrency groups, made as one person makes them. */
import { expect } from "vitest";
import type { PlanConcurrency } from "@forgeline/schemas/pipeline-file/plan.ts";
import type { ApiServer, TestPerson } from "./api-server.ts";
import type { TestRepository } from "./runs.ts";
import { asksForSlot } from "./slot-runs.ts";

export function slotPlaces(server: ApiServer, { id: userId, token }: TestPerson) {
  const { db } = server.container.platform;
  const send = async (method: string, path: string, body: object) => {
    const { status, text, json } = await server.api(method, path, { token, body });
    expect([status, text]).toEqual([expect.toBeOneOf([200, 201, 202]), text]);
    return json;
  };
  return {
    async repository(owner: string, name: string): Promise<TestRepository> {
      const { id } = await send("POST", "/repos", { owner, name });
      return { id: id as string, userId, owner, name };
    },
    /** May be called again. */
    async organization(name: string, shares: boolean): Promise<void> {
      await server.api("POST", "/orgs", { token, body: { name } });
      await send("PATCH", `/orgs/${name}`, { shared_concurrency: shares });
    },
    async transfer(from: string, newOwner: string): Promise<void> {
      await send("POST", `/repos/${from}/transfer`, { new_owner: newOwner });
    },
    /** A run whose only job asks for its slot, and waits as jobs do; what it is told. */
    async asks(place: TestRepository, concurrency: PlanConcurrency) {
      const run = await asksForSlot(db, place, concurrency);
      if (run.answer.kind === "waiting")
        await db.query("update jobs set status = 'waiting', reason = $2 where id = $1", [
          run.jobId,
          `concurrency:${concurrency.group}`,
        ]);
      return run;
    },
  };
}
