/**
 * Git LFS objects of a source, over its batch API (https://github.com/git-lfs/git-lfs/blob/main/docs/api/batch.md). Whatever
 * address it names is checked like every other one, and gets the mirror's credentials only on the source's own origin.
 */
import { z } from "zod";
import type { RemoteLogin, RemoteSource } from "../../../platform/git/remote/remote-source.ts";
import { basicAuthorization } from "../../../platform/outbound/basic-authorization.ts";
import type { Outbound } from "../../../platform/outbound/outbound.ts";
import { SourceProblem } from "./sync-problem.ts";

export interface LfsObject {
  oid: string;
  sizeBytes: number;
}

export interface LfsSource {
  /** Gives each object to `receive`, several at a time; returns how many the source does not have. */
  bring(
    objects: readonly LfsObject[],
    receive: (object: LfsObject, bytes: AsyncIterable<Buffer>) => Promise<void>,
  ): Promise<number>;
}

const atOnce = 4;
/** So many that the answer stays under what is read of one. */
const batchSize = 50;
const idleMs = 60_000;
const mediaType = "application/vnd.git-lfs+json";

const Answer = z.object({
  objects: z
    .array(
      z.object({
        oid: z.string(),
        error: z.object({ code: z.number() }).optional(),
        actions: z
          .object({
            download: z
              .object({ href: z.string().max(8_192), header: z.record(z.string(), z.string()).optional() })
              .optional(),
          })
          .optional(),
      }),
    )
    .max(batchSize * 2),
});

export function createLfsSource(
  outbound: Pick<Outbound, "fetch" | "exchange">,
  { source, login, signal }: { source: RemoteSource; login: RemoteLogin; signal: AbortSignal },
): LfsSource {
  const base = `${source.url.replace(/\/+$/, "").replace(/\.git$/, "")}.git/info/lfs`;
  const { origin } = new URL(base);
  const authorization: Record<string, string> = login.basic
    ? { authorization: basicAuthorization(login.basic) }
    : {};

  async function ask(objects: readonly LfsObject[]) {
    const response = await outbound.fetch(`${base}/objects/batch`, {
      method: "POST",
      headers: { ...authorization, accept: mediaType, "content-type": mediaType },
      body: JSON.stringify({
        operation: "download",
        transfers: ["basic"],
        objects: objects.map(({ oid, sizeBytes }) => ({ oid, size: sizeBytes })),
      }),
      signal,
    });
    const read = response.status === 200 ? Answer.safeParse(await response.json().catch(() => null)) : null;
    if (!read?.success)
      throw new SourceProblem(
        `The source has files in Git LFS, but its LFS server answered with status ${response.status}.`,
      );
    return new Map(read.data.objects.map((each) => [each.oid, each]));
  }

  return {
    async bring(objects, receive) {
      let missing = 0;
      for (let start = 0; start < objects.length; start += batchSize) {
        const wanted = objects.slice(start, start + batchSize);
        const answers = await ask(wanted);
        const waiting = [...wanted];
        const lane = async () => {
          for (let object = waiting.shift(); object; object = waiting.shift()) {
            const action = answers.get(object.oid)?.actions?.download;
            if (!action) {
              missing += 1;
              continue;
            }
            const own = isOf(origin, action.href) && !action.header ? authorization : {};
            const headers = { ...own, ...withoutFraming(action.header ?? {}) };
            const request = { method: "GET", headers, signal, idleMs } as const;
            const { status, body } = await outbound.exchange(action.href, request);
            if (status !== 200)
              throw new SourceProblem(`A Git LFS object of the source was answered with status ${status}.`);
            await receive(object, body);
          }
        };
        await Promise.all(Array.from({ length: atOnce }, lane));
      }
      return missing;
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
