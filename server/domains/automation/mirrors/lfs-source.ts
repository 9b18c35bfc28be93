/** Takes Git LFS objects from a source. Whatever address it names is checked like every other one. */
import { z } from "zod";
import type { Outbound } from "../../../platform/outbound/outbound.ts";
import { createLfsServer, LfsAction, type LfsObject, type LfsPlace } from "./lfs-server.ts";
import { RemoteProblem } from "./sync-problem.ts";

const atOnce = 4;
const idleMs = 60_000;
const Actions = z.object({ download: LfsAction.optional() });

/** Gives each object to `receive`, several at a time; returns how many the source does not have. */
export async function takeLfsObjects(
  outbound: Pick<Outbound, "fetch" | "exchange">,
  place: LfsPlace,
  {
    objects,
    receive,
    lose,
  }: {
    objects: readonly LfsObject[];
    receive: (object: LfsObject, bytes: AsyncIterable<Buffer>) => Promise<void>;
    /** Told of each that does not come, and the rest comes; without it, only what the source lacks is passed over. */
    lose?: (object: LfsObject, why: string) => void;
  },
): Promise<number> {
  const server = createLfsServer(outbound, place);
  const { signal } = place;
  let missing = 0;
  await server.ask({ operation: "download", objects, actions: Actions }, async (answers) => {
    const waiting = [...answers];
    const lane = async () => {
      for (let next = waiting.shift(); next; next = waiting.shift()) {
        const action = next.actions?.download;
        if (!action) {
          missing += 1;
          lose?.(next.object, "the source does not have it.");
          continue;
        }
        const headers = await server.headersFor(action);
        const request = { method: "GET", headers, signal, idleMs } as const;
        const { status, body } = await outbound.exchange(action.href, request);
        if (status === 200) {
          await receive(next.object, body);
          continue;
        }
        if (!lose)
          throw new RemoteProblem(`A Git LFS object of the source was answered with status ${status}.`);
        for await (const _ of body) break;
        lose(next.object, `the source answered with status ${status}.`);
      }
    };
    await Promise.all(Array.from({ length: atOnce }, lane));
  });
  return missing;
}
