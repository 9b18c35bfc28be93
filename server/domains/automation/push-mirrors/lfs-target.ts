/** Sends Git LFS objects to a target. Whatever address it names is checked like every other one. */
import type { Readable } from "node:stream";
import { z } from "zod";
import {
  createLfsServer,
  LfsAction,
  lfsMediaType,
  type LfsObject,
  type LfsPlace,
} from "../mirrors/lfs-server.ts";
import { RemoteProblem } from "../mirrors/sync-problem.ts";
import type { Outbound } from "../../../platform/outbound/outbound.ts";

const atOnce = 4;
const idleMs = 60_000;
const Actions = z.object({ upload: LfsAction.optional(), verify: LfsAction.optional() });

/** Those that the target does not have; how many were sent. `open` gives the bytes of one. */
export async function sendLfsObjects(
  outbound: Pick<Outbound, "fetch" | "exchange">,
  place: LfsPlace,
  { objects, open }: { objects: readonly LfsObject[]; open: (object: LfsObject) => Promise<Readable> },
): Promise<number> {
  const server = createLfsServer(outbound, place);
  let sent = 0;

  async function send(object: LfsObject, { upload, verify }: z.infer<typeof Actions>): Promise<void> {
    if (!upload) return;
    const body = await open(object);
    const headers = {
      "content-type": "application/octet-stream",
      ...(await server.headersFor(upload)),
      "content-length": String(object.sizeBytes),
    };
    const request = { method: "PUT", headers, body, signal: place.signal, idleMs } as const;
    try {
      await expectTaken(await outbound.exchange(upload.href, request));
    } finally {
      body.destroy();
    }
    if (verify) await confirm(object, verify);
    sent += 1;
  }

  async function confirm({ oid, sizeBytes }: LfsObject, verify: LfsAction): Promise<void> {
    const { status } = await outbound.fetch(verify.href, {
      method: "POST",
      headers: { accept: lfsMediaType, "content-type": lfsMediaType, ...(await server.headersFor(verify)) },
      body: JSON.stringify({ oid, size: sizeBytes }),
      signal: place.signal,
    });
    if (status >= 300) throw new RemoteProblem(refused(status));
  }

  await server.ask({ operation: "upload", objects, actions: Actions }, async (answers) => {
    const waiting = [...answers];
    const lane = async () => {
      for (let next = waiting.shift(); next; next = waiting.shift()) {
        if (next.error) throw new RemoteProblem(refused(next.error.code));
        await send(next.object, next.actions ?? {});
      }
    };
    await Promise.all(Array.from({ length: atOnce }, lane));
  });
  return sent;
}

async function expectTaken({ status, body }: Awaited<ReturnType<Outbound["exchange"]>>): Promise<void> {
  // Ends the connection: what it says is of no interest.
  for await (const _ of body) break;
  if (status >= 300) throw new RemoteProblem(refused(status));
}

const refused = (status: number) => `The target did not take a Git LFS object: status ${status}.`;
