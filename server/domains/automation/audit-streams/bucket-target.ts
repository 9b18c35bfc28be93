/** A bucket of S3, or of what speaks its protocol: one object for each batch. Whatever is sent twice has the same name. */
import { createHash } from "node:crypto";
import { PutObjectCommand, S3Client } from "@aws-sdk/client-s3";
import { getSignedUrl } from "@aws-sdk/s3-request-presigner";
import type { Connections } from "../../../platform/outbound/connections.ts";
import { newId } from "../../../platform/ids.ts";
import type { Batch } from "./batch.ts";
import { posted } from "./posted.ts";
import { answerMs, TargetProblem, type StreamTarget } from "./stream-target.ts";
import type { ShownTarget } from "./target-settings.ts";

export type BucketSettings = Extract<ShownTarget, { kind: "bucket" }> & { secretAccessKey: string };

const signedSeconds = 60;
const maxResponseBytes = 4 * 1024;
const seqDigits = 12;

export function createBucketTarget(connections: Connections, settings: BucketSettings): StreamTarget {
  // Only signs: requests go out through the one client for addresses of users.
  const signer = new S3Client({
    region: settings.region,
    endpoint: settings.endpoint,
    forcePathStyle: true,
    credentials: { accessKeyId: settings.access_key_id, secretAccessKey: settings.secretAccessKey },
  });

  async function put(key: string, body: string, signal: AbortSignal): Promise<void> {
    const checksum = createHash("sha256").update(body).digest("base64");
    const headers = { "x-amz-checksum-sha256": checksum, "content-type": "application/x-ndjson" };
    const command = new PutObjectCommand({
      Bucket: settings.name,
      Key: key,
      ContentType: headers["content-type"],
      ChecksumSHA256: checksum,
    });
    const url = await getSignedUrl(signer, command, {
      expiresIn: signedSeconds,
      unhoistableHeaders: new Set(["x-amz-checksum-sha256"]),
      signableHeaders: new Set(["host", "content-type", "x-amz-checksum-sha256"]),
    });
    const request = {
      url,
      method: "PUT",
      headers,
      body,
      maxResponseBytes,
      timeoutMs: answerMs,
      signal,
    } as const;
    const response = await posted(connections, request);
    if (response.status >= 200 && response.status < 300) return;
    throw new TargetProblem(sentenceOf(response.status, response.body.toString("utf8")));
  }

  return {
    acceptsEach: true,
    send: (batch, signal) => put(`${settings.prefix}${nameOf(batch)}`, `${batch.lines.join("\n")}\n`, signal),
    confirm: () => Promise.resolve(),
    close() {
      signer.destroy();
      connections.close();
    },
  };
}

/** By the day of its first entry, and sorted as the log is. */
function nameOf({ lines, place }: Batch): string {
  if (!place) return `test/${newId("evt")}.jsonl`;
  const { timestamp } = JSON.parse(lines[0] ?? "") as { timestamp: string };
  const [first, last] = [place.first, place.last].map((seq) => String(seq).padStart(seqDigits, "0"));
  return `${timestamp.slice(0, 10).replaceAll("-", "/")}/${first}-${last}.jsonl`;
}

/** With the code of S3, where its answer has one. */
function sentenceOf(status: number, body: string): string {
  const [, code] = /<Code>([A-Za-z]{1,60})<\/Code>/.exec(body) ?? [];
  return `The bucket answered with status ${status}${code === undefined ? "" : ` (${code})`}.`;
}
