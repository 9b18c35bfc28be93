/** The batch API of a Git LFS server of somebody else (https://github.com/git-lfs/git-lfs/blob/main/docs/api/batch.md). */
import { z } from "zod";
import type { RemoteLogin, RemoteSource } from "../../../platform/git/remote/remote-source.ts";
import { basicAuthorization } from "../../../platform/outbound/basic-authorization.ts";
import type { Outbound } from "../../../platform/outbound/outbound.ts";
import { RemoteProblem } from "./sync-problem.ts";

export interface LfsObject {
  oid: string;
  sizeBytes: number;
}

export interface LfsPlace {
  /** Of the repository. */
  source: RemoteSource;
  login: RemoteLogin;
  signal: AbortSignal;
}

export const LfsAction = z.object({
  href: z.string().max(8_192),
  header: z.record(z.string(), z.string()).optional(),
});
export type LfsAction = z.infer<typeof LfsAction>;

export interface LfsQuestion<Actions> {
  operation: "download" | "upload";
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
  headersFor(action: LfsAction): Record<string, string>;
}

export const lfsMediaType = "application/vnd.git-lfs+json";
const batchSize = 50;

export function createLfsServer(outbound: Pick<Outbound, "fetch">, place: LfsPlace): LfsServer {
  const { source, login, signal } = place;
  const base = `${source.url.replace(/\/+$/, "").replace(/\.git$/, "")}.git/info/lfs`;
  const { origin } = new URL(base);
  const authorization: Record<string, string> = login.basic
    ? { authorization: basicAuthorization(login.basic) }
    : {};

  async function askSome<Actions>({
    operation,
    objects,
    actions,
  }: LfsQuestion<Actions>): Promise<LfsAnswer<Actions>[]> {
    const response = await outbound.fetch(`${base}/objects/batch`, {
      method: "POST",
      headers: { ...authorization, accept: lfsMediaType, "content-type": lfsMediaType },
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
        `There are files in Git LFS, but the LFS server at ${new URL(base).host} answered with status ${response.status}.`,
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
    headersFor({ href, header }) {
      const own = isOf(origin, href) && !header ? authorization : {};
      return { ...own, ...withoutFraming(header ?? {}) };
    },
  };
}

/** What says how a request is read is ours to say. */
function withoutFraming(headers: Record<string, string>): Record<string, string> {
  const ours = new Set(["host", "content-length", "transfer-encoding", "connection", "accept-encoding"]);
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !ours.has(name.toLowerCase())));
}

function isOf(origin: string, href: string): boolean {
  return URL.canParse(href) && new URL(href).origin === origin;
}
