/** The batch API of a Git LFS server of somebody else (https://github.com/git-lfs/git-lfs/blob/main/docs/api/batch.md). */
import { z } from "zod";
import type { Outbound } from "../../../platform/outbound/outbound.ts";
import type { FindLfs, LfsOperation } from "./lfs-access.ts";
import { RemoteProblem } from "./sync-problem.ts";

export interface LfsObject {
  oid: string;
  sizeBytes: number;
}

export interface LfsPlace {
  find: FindLfs;
  signal: AbortSignal;
}

export const LfsAction = z.object({
  href: z.string().max(8_192),
  header: z.record(z.string(), z.string()).optional(),
});
export type LfsAction = z.infer<typeof LfsAction>;

export interface LfsQuestion<Actions> {
  operation: LfsOperation;
  objects: readonly LfsObject[];
  actions: z.ZodType<Actions>;
}

export interface LfsAnswer<Actions> {
  object: LfsObject;
  actions: Actions | undefined;
  error: { code: number } | undefined;
}

export interface LfsServer {
  /** Asks for all of them, so many at a time that the answer stays under what is read of one; `take` gets the answers in between. */
  ask<Actions>(
    question: LfsQuestion<Actions>,
    take: (answers: LfsAnswer<Actions>[]) => Promise<void>,
  ): Promise<void>;
  /** What an action says, with our credentials where it has none and is on the server's own origin. */
  headersFor(action: LfsAction): Promise<Record<string, string>>;
}

export const lfsMediaType = "application/vnd.git-lfs+json";
const batchSize = 50;

export function createLfsServer(outbound: Pick<Outbound, "fetch">, place: LfsPlace): LfsServer {
  const { find, signal } = place;

  async function askSome<Actions>({
    operation,
    objects,
    actions,
  }: LfsQuestion<Actions>): Promise<LfsAnswer<Actions>[]> {
    const { base, headers } = await find();
    const response = await outbound.fetch(`${base}/objects/batch`, {
      method: "POST",
      headers: { ...withoutFraming(headers), accept: lfsMediaType, "content-type": lfsMediaType },
      body: JSON.stringify({
        operation,
        transfers: ["basic"],
        objects: objects.map(({ oid, sizeBytes }) => ({ oid, size: sizeBytes })),
      }),
      signal,
    });
    const one = z.object({
      oid: z.string(),
      error: z.object({ code: z.number() }).optional(),
      actions: actions.optional(),
    });
    const Answer = z.object({ objects: z.array(one).max(batchSize * 2) });
    const read = response.status === 200 ? Answer.safeParse(await response.json().catch(() => null)) : null;
    if (!read?.success)
      throw new RemoteProblem(
        `There are files in Git LFS, but the LFS server at ${hostOf(base)} answered with status ${response.status}.`,
      );
    const byId = new Map(read.data.objects.map((each) => [each.oid, each]));
    return objects.map((object) => {
      const { actions: found, error } = byId.get(object.oid) ?? {};
      return { object, actions: found, error };
    });
  }

  return {
    async ask(question, take) {
      for (let start = 0; start < question.objects.length; start += batchSize) {
        const objects = question.objects.slice(start, start + batchSize);
        await take(await askSome({ ...question, objects }));
      }
    },
    async headersFor({ href, header }) {
      if (header) return withoutFraming(header);
      const { base, headers } = await find();
      return originOf(href) === originOf(base) ? withoutFraming(headers) : {};
    },
  };
}

/** What says how a request is read is ours to say. */
function withoutFraming(headers: Record<string, string>): Record<string, string> {
  const ours = new Set(["host", "content-length", "transfer-encoding", "connection", "accept-encoding"]);
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !ours.has(name.toLowerCase())));
}

function originOf(href: string): string | undefined {
  return URL.canParse(href) ? new URL(href).origin : undefined;
}

function hostOf(href: string): string {
  return URL.canParse(href) ? new URL(href).host : "an address that is none";
}
