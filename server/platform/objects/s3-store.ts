/** Objects in a bucket of S3 or of anything that speaks its protocol (path-style addresses). */
import {
  AbortMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListMultipartUploadsCommand,
  paginateListObjectsV2,
  PutObjectCommand,
  S3Client,
} from "@aws-sdk/client-s3";
import { Upload } from "@aws-sdk/lib-storage";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import {
  assertKey,
  ObjectNotFound,
  type ByteRange,
  type ObjectInfo,
  type ObjectStore,
} from "./object-store.ts";
import { createS3Direct } from "./s3-direct.ts";

export interface S3StoreOptions {
  bucket: string;
  /** Put before every key; empty or ending in `/`. */
  prefix: string;
  region: string;
  /** Absent: AWS. */
  endpoint?: string | undefined;
  /** Absent: the default chain of AWS. */
  credentials?: { accessKeyId: string; secretAccessKey: string } | undefined;
}

export function createS3Store(options: S3StoreOptions): ObjectStore {
  const client = new S3Client({
    region: options.region,
    ...(options.endpoint && { endpoint: options.endpoint, forcePathStyle: true }),
    ...(options.credentials && { credentials: options.credentials }),
    maxAttempts: 4,
  });
  const address = (key: string) => {
    assertKey(key);
    return { Bucket: options.bucket, Key: `${options.prefix}${key}` };
  };

  async function put(key: string, body: Uint8Array | Readable): Promise<ObjectInfo> {
    if (body instanceof Uint8Array) {
      await client.send(new PutObjectCommand({ ...address(key), Body: body, ContentLength: body.length }));
      return { key, sizeBytes: body.length };
    }
    // Of unknown length: parts of 5 MiB, aborted as a whole when the source fails.
    const upload = new Upload({ client, params: { ...address(key), Body: body }, leavePartsOnError: false });
    await upload.done();
    const info = await head(key);
    if (!info) throw new ObjectNotFound(key);
    return info;
  }

  async function head(key: string): Promise<ObjectInfo | undefined> {
    try {
      const answer = await client.send(new HeadObjectCommand(address(key)));
      return { key, sizeBytes: answer.ContentLength ?? 0 };
    } catch (error) {
      if (isAbsent(error)) return undefined;
      throw error;
    }
  }

  async function get(key: string, range?: ByteRange): Promise<Readable> {
    if (range && range.end <= range.start) return Readable.from([]);
    try {
      const answer = await client.send(
        new GetObjectCommand({
          ...address(key),
          ...(range && { Range: `bytes=${range.start}-${range.end - 1}` }),
        }),
      );
      if (answer.Body instanceof Readable) return answer.Body;
      throw new Error("the object store answered without a body");
    } catch (error) {
      throw isAbsent(error) ? new ObjectNotFound(key, { cause: error }) : error;
    }
  }

  const store: ObjectStore = {
    put,
    get,
    head,
    read: async (key, range) => buffer(await get(key, range)),
    async delete(key) {
      await client.send(new DeleteObjectCommand(address(key)));
    },
    async *list(prefix) {
      assertKey(prefix.replace(/\/$/, ""));
      const pages = paginateListObjectsV2(
        { client },
        { Bucket: options.bucket, Prefix: `${options.prefix}${prefix}` },
      );
      for await (const page of pages)
        for (const object of page.Contents ?? [])
          if (object.Key) yield { key: object.Key.slice(options.prefix.length), sizeBytes: object.Size ?? 0 };
    },
    async removeDrafts(idleMs) {
      const { bucket: Bucket, prefix: Prefix } = options;
      const { Uploads = [] } = await client.send(new ListMultipartUploadsCommand({ Bucket, Prefix }));
      // Nothing tells when the last part came, so a living upload is given a day at least.
      const before = Date.now() - Math.max(idleMs, 24 * 3600 * 1000);
      const old = Uploads.filter(({ Initiated }) => Initiated && Initiated.getTime() < before);
      for (const { Key, UploadId } of old)
        await client.send(new AbortMultipartUploadCommand({ Bucket, Key, UploadId }));
      return old.length;
    },
    direct: createS3Direct({ client, address, get, isAbsent }),
    async check() {
      await put("health/check", Buffer.from("ok"));
      await store.read("health/check");
      await store.delete("health/check");
    },
    close: () => client.destroy(),
  };
  return store;
}

function isAbsent(error: unknown): boolean {
  const known = error as { name?: string; $metadata?: { httpStatusCode?: number } };
  return known.name === "NoSuchKey" || known.name === "NotFound" || known.$metadata?.httpStatusCode === 404;
}
