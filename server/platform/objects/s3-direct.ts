/** Signed addresses of a bucket: clients move large objects without us in the middle. */
import { GetObjectCommand, HeadObjectCommand, PutObjectCommand, type S3Client } from "@aws-sdk/client-s3";
import { getSignedUrl } from "@aws-sdk/s3-request-presigner";
import { createHash } from "node:crypto";
import type { Readable } from "node:stream";
import type { DirectTransfer } from "./object-store.ts";

interface Deps {
  client: S3Client;
  address(key: string): { Bucket: string; Key: string };
  get(key: string): Promise<Readable>;
  isAbsent(error: unknown): boolean;
}

/** What S3 takes in one request; more needs parts, which Git LFS clients do not know. */
const maxBytes = 5 * 1024 ** 3;
const checksumHeader = "x-amz-checksum-sha256";

export function createS3Direct({ client, address, get, isAbsent }: Deps): DirectTransfer {
  async function hashStored(key: string): Promise<string> {
    const hash = createHash("sha256");
    for await (const part of await get(key)) hash.update(part as Buffer);
    return hash.digest("hex");
  }

  return {
    maxBytes,
    async signPut(key, { sizeBytes, sha256 }, seconds) {
      const checksum = Buffer.from(sha256, "hex").toString("base64");
      const command = new PutObjectCommand({
        ...address(key),
        ContentLength: sizeBytes,
        ChecksumSHA256: checksum,
      });
      const href = await getSignedUrl(client, command, {
        expiresIn: seconds,
        // Else the presigner moves the checksum into the address, and some stores then do not look at it.
        unhoistableHeaders: new Set([checksumHeader]),
        signableHeaders: new Set(["host", "content-length", checksumHeader]),
      });
      return { href, headers: { [checksumHeader]: checksum } };
    },
    async signGet(key, seconds) {
      const command = new GetObjectCommand({
        ...address(key),
        ResponseContentType: "application/octet-stream",
      });
      return { href: await getSignedUrl(client, command, { expiresIn: seconds }), headers: {} };
    },
    async inspect(key) {
      try {
        const answer = await client.send(new HeadObjectCommand({ ...address(key), ChecksumMode: "ENABLED" }));
        // Of what came in parts the store tells a hash of hashes, which ends in their number.
        const told = /^[A-Za-z0-9+/]{43}=$/.exec(answer.ChecksumSHA256 ?? "")?.[0];
        const sha256 = told ? Buffer.from(told, "base64").toString("hex") : await hashStored(key);
        return { sizeBytes: answer.ContentLength ?? 0, sha256 };
      } catch (error) {
        if (isAbsent(error)) return undefined;
        throw error;
      }
    },
  };
}
