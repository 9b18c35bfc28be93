/**
 * What the server needs of object storage: immutable objects under keys such as `logs/<stream>/<name>`.
 * Two backends keep this promise, a directory and S3; `test/contract/object-store-conformance.test.ts` holds
 * them to it.
 */
import type { Readable } from "node:stream";

export interface ObjectInfo {
  key: string;
  sizeBytes: number;
}

export interface ByteRange {
  start: number;
  /** First byte that is not wanted. */
  end: number;
}

export interface ObjectStore {
  /** Durable and visible, whole, once resolved; never visible in part. Replaces an object of the same key. */
  put(key: string, body: Uint8Array | Readable): Promise<ObjectInfo>;
  /** The bytes, or those of `range`, as a stream. Rejects with `ObjectNotFound`. */
  get(key: string, range?: ByteRange): Promise<Readable>;
  /** As `get`, in memory: for small objects and ranges. */
  read(key: string, range?: ByteRange): Promise<Buffer>;
  head(key: string): Promise<ObjectInfo | undefined>;
  /** Succeeds also when there is no such object. */
  delete(key: string): Promise<void>;
  /** All objects whose key starts with `prefix`, which must be whole path segments (`logs/abc/`), in any order. */
  list(prefix: string): AsyncIterable<ObjectInfo>;
  /** Removes what writers that died left behind, if it did not grow for so long; how many. Stops no writer that lives. */
  removeDrafts(idleMs: number): Promise<number>;
  /** Where clients can be sent to the store itself. */
  direct?: DirectTransfer;
  /** Writes, reads and deletes a small object; rejects with the reason when that fails. */
  check(): Promise<void>;
  close(): void;
}

export interface SignedAddress {
  href: string;
  /** To be sent exactly so. */
  headers: Record<string, string>;
}

/** Addresses that open one object for one method, for a while, without a credential. */
export interface DirectTransfer {
  /** The most bytes that one request can bring. */
  maxBytes: number;
  /** Takes exactly so many bytes with this SHA-256 (hex), and nothing else. */
  signPut(
    key: string,
    content: { sizeBytes: number; sha256: string },
    seconds: number,
  ): Promise<SignedAddress>;
  signGet(key: string, seconds: number): Promise<SignedAddress>;
  /** What the store holds under the key: its size, and its SHA-256 (hex) as the store checked it, else as we read it. */
  inspect(key: string): Promise<{ sizeBytes: number; sha256: string } | undefined>;
}

export class ObjectNotFound extends Error {
  constructor(key: string, options?: ErrorOptions) {
    super(`there is no object ${key}`, options);
    this.name = "ObjectNotFound";
  }
}

const segment = /^[A-Za-z0-9_-][A-Za-z0-9._-]{0,199}$/;

/** Throws for a key that could leave its place on a file system; keys are made by us, so that is a bug. */
export function assertKey(key: string): void {
  if (key.length > 500 || !key.split("/").every((part) => segment.test(part)))
    throw new RangeError("invalid object key");
}
