/**
 * The requests of Git LFS, as its clients send them; what else they send is not ours to refuse. LFS has its own public
 * description, so it is no part of the REST document.
 */
import { z } from "zod";

/** Of lists: what a client may ask for at once. */
export const maxBatchObjects = 1_000;
export const maxLocksPage = 100;

const ref = z.object({ name: z.string().max(4096) }).nullish();

/** Ids and sizes are judged one by one, so that one bad object does not fail the others. */
export const LfsBatchRequest = z.object({
  operation: z.enum(["download", "upload"]),
  transfers: z.array(z.string().max(100)).max(50).nullish(),
  ref,
  objects: z.array(z.object({ oid: z.string().max(200), size: z.number() })),
  hash_algo: z.string().max(50).nullish(),
});
export type LfsBatchRequest = z.output<typeof LfsBatchRequest>;

export const LfsVerifyRequest = z.object({ oid: z.string().max(200), size: z.number() });

export const LfsLockCreate = z.object({ path: z.string(), ref });

// Git LFS sends it empty where it has none; zero counts as none.
const limit = z.coerce.number().int().min(0).nullish();
const cursor = z.string().max(100).nullish();

export const LfsLockQuery = z.object({
  path: z.string().optional(),
  id: z.string().max(100).optional(),
  cursor,
  limit,
});
export type LfsLockQuery = z.output<typeof LfsLockQuery>;

export const LfsLockVerify = z.object({ cursor, limit, ref });

export const LfsUnlock = z.object({ force: z.boolean().nullish(), ref });

export interface LfsAction {
  href: string;
  header?: Record<string, string>;
  expires_in: number;
}

export interface LfsObjectAnswer {
  oid: string;
  size: number;
  authenticated?: true;
  actions?: Partial<Record<"download" | "upload" | "verify", LfsAction>>;
  error?: { code: number; message: string };
}

export interface LfsBatchAnswer {
  transfer: "basic";
  objects: LfsObjectAnswer[];
  hash_algo: "sha256";
}

export interface LfsLock {
  id: string;
  path: string;
  locked_at: string;
  owner: { name: string };
}

/** What a client that downloads reads of the answer to a batch. */
export const LfsDownloads = z.object({
  objects: z.array(
    z.object({
      oid: z.string(),
      size: z.number(),
      actions: z
        .object({
          download: z
            .object({ href: z.url(), header: z.record(z.string(), z.string()).optional() })
            .optional(),
        })
        .optional(),
      error: z.object({ code: z.number(), message: z.string() }).optional(),
    }),
  ),
});
export type LfsDownloads = z.output<typeof LfsDownloads>;
