/** A bucket of S3, or of what speaks its protocol: one object for each batch. Whatever is sent twice has the same name. */
import type { Connections } from "../../../platform/outbound/connections.ts";
import { newId } from "../../../platform/ids.ts";
import type { Batch } from "./batch.ts";
import { posted } from "./posted.ts";
import { signS3Put } from "./sign-s3-put.ts";
import { answerMs, TargetProblem, type StreamTarget } from "./stream-target.ts";
import type { ShownTarget } from "./target-settings.ts";

export type BucketSettings = Extract<ShownTarget, { kind: "bucket" }> & { secretAccessKey: string };

const maxResponseBytes = 4 * 1024;
const seqDigits = 12;
const contentType = "application/x-ndjson";

export function createBucketTarget(connections: Connections, settings: BucketSettings): StreamTarget {
  const access = {
    region: settings.region,
    accessKeyId: settings.access_key_id,
    secretAccessKey: settings.secretAccessKey,
  };

  async function put(key: string, body: string, signal: AbortSignal): Promise<void> {
    const path = `${settings.name}/${key}`.split("/").map(encoded).join("/");
    const url = new URL(`${settings.endpoint}/${path}`);
    // The request has a host of its own.
    const { host: _host, ...headers } = await signS3Put(access, { url, body, contentType });
    const request = {
      method: "PUT",
      url: url.href,
      headers,
      body,
      maxResponseBytes,
      timeoutMs: answerMs,
    } as const;
    const response = await posted(connections, { ...request, signal });
    if (response.status >= 200 && response.status < 300) return;
    throw new TargetProblem(sentenceOf(response.status, response.body.toString("utf8")));
  }

  return {
    acceptsEach: true,
    send: (batch, signal) => put(`${settings.prefix}${nameOf(batch)}`, `${batch.lines.join("\n")}\n`, signal),
    confirm: () => Promise.resolve(),
    close: () => connections.close(),
  };
}

/** As S3 encodes names before it signs: all but letters, digits and `- . _ ~`. */
function encoded(part: string): string {
  return encodeURIComponent(part).replaceAll(
    /[!'()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  );
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
