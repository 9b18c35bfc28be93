/** An API server for Git LFS on either backend of object storage, and the requests of a client by hand. */
import { createHash } from "node:crypto";
import { request } from "node:https";
import { startApiServer, type ApiServer } from "./api-server.ts";
import { eventually } from "./eventually.ts";
import { s3Keys, startS3Gateway } from "./s3-gateway.ts";

export type LfsBackend = "file" | "s3";

export interface LfsServer extends ApiServer {
  backend: LfsBackend;
}

/** Where requests by hand go. */
type Reached = Pick<ApiServer, "webUrl" | "ca">;

export const lfsType = "application/vnd.git-lfs+json";

export async function startLfsServer(
  backend: LfsBackend,
  env: Record<string, string> = {},
): Promise<LfsServer> {
  if (backend === "file") return { ...(await startApiServer({ env })), backend };
  const gateway = await startS3Gateway();
  const server = await startApiServer({
    env: {
      FORGELINE_OBJECT_STORE: `s3://${gateway.bucket}/forgeline`,
      FORGELINE_S3_ENDPOINT: gateway.endpoint,
      FORGELINE_S3_ACCESS_KEY_ID: s3Keys.accessKeyId,
      FORGELINE_S3_SECRET_ACCESS_KEY: s3Keys.secretAccessKey,
      ...env,
    },
  });
  const stop = async () => {
    await server.stop();
    await gateway.stop();
  };
  await eventually(
    async () => {
      await server.container.platform.objects.check();
      return true;
    },
    { timeoutMs: 40_000 },
  );
  return { ...server, backend, stop };
}

export interface LfsAnswer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  bytes: Buffer;
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into arbitrary answers
  json: any;
}

export interface LfsRequest {
  token?: string;
  headers?: Record<string, string>;
  body?: Buffer | string | object;
}

/** `address` is whole, or what follows `info/lfs` of a repository. */
export function lfsCall(
  server: Reached,
  method: string,
  address: string | { repository: string; path: string },
  { token, headers = {}, body }: LfsRequest = {},
): Promise<LfsAnswer> {
  const href =
    typeof address === "string"
      ? address
      : `${server.webUrl}/${address.repository}.git/info/lfs${address.path}`;
  const payload =
    body === undefined || typeof body === "string" || Buffer.isBuffer(body) ? body : JSON.stringify(body);
  const options = {
    method,
    ca: server.ca,
    agent: false as const,
    headers: {
      ...(payload === undefined
        ? {}
        : { "Content-Type": lfsType, "Content-Length": String(Buffer.byteLength(payload)) }),
      ...(token === undefined ? {} : { Authorization: `Basic ${btoa(`x:${token}`)}` }),
      ...headers,
    },
  };
  return new Promise((resolve, reject) => {
    const call = request(href, options, (response) => {
      const parts: Buffer[] = [];
      response.on("data", (part: Buffer) => parts.push(part));
      response.on("error", reject);
      response.on("end", () => {
        const bytes = Buffer.concat(parts);
        const isJson = response.headers["content-type"] === lfsType;
        const json = isJson ? (JSON.parse(bytes.toString()) as unknown) : undefined;
        resolve({ status: response.statusCode ?? 0, headers: response.headers, bytes, json });
      });
    });
    call.on("error", reject);
    call.end(payload);
  });
}

export interface TestObject {
  oid: string;
  size: number;
  bytes: Buffer;
}

export function lfsObject(content: string | Buffer): TestObject {
  const bytes = Buffer.from(content);
  return { oid: createHash("sha256").update(bytes).digest("hex"), size: bytes.length, bytes };
}

export function lfsBatch(
  server: Reached,
  repository: string,
  operation: "upload" | "download",
  objects: readonly { oid: string; size: number }[],
  token?: string,
): Promise<LfsAnswer> {
  const plain = objects.map(({ oid, size }) => ({ oid, size }));
  return lfsCall(
    server,
    "POST",
    { repository, path: "/objects/batch" },
    { ...(token !== undefined && { token }), body: { operation, transfers: ["basic"], objects: plain } },
  );
}

/** Sends the bytes where the batch says; the status of the upload, then of the confirmation where it went well. */
export async function lfsUpload(
  server: Reached,
  repository: string,
  object: TestObject,
  token: string,
): Promise<LfsAnswer> {
  const batch = await lfsBatch(server, repository, "upload", [object], token);
  const [answer] = batch.json.objects;
  if (!answer.actions) return batch;
  const sent = await send(server, answer.actions.upload, object.bytes);
  if (sent.status !== 200) return sent;
  return lfsCall(server, "POST", answer.actions.verify.href, {
    body: { oid: object.oid, size: object.size },
  });
}

/** PUT to the server's own address, or to the object store. */
export async function send(
  server: Reached,
  { href, header = {} }: { href: string; header?: Record<string, string> },
  bytes: Buffer,
): Promise<LfsAnswer> {
  if (href.startsWith("https:"))
    return lfsCall(server, "PUT", href, {
      body: bytes,
      headers: { ...header, "Content-Type": "application/octet-stream" },
    });
  const answer = await fetch(href, { method: "PUT", headers: header, body: new Uint8Array(bytes) });
  return {
    status: answer.status,
    headers: {},
    bytes: Buffer.from(await answer.arrayBuffer()),
    json: undefined,
  };
}

export async function lfsDownload(
  server: Reached,
  repository: string,
  object: { oid: string; size: number },
  token?: string,
): Promise<{ status: number; bytes?: Buffer }> {
  const batch = await lfsBatch(server, repository, "download", [object], token);
  if (batch.status !== 200) return { status: batch.status };
  const [answer] = batch.json.objects;
  if (answer.error) return { status: answer.error.code };
  const { href } = answer.actions.download;
  if (href.startsWith("https:")) return lfsCall(server, "GET", href);
  const found = await fetch(href);
  return { status: found.status, bytes: Buffer.from(await found.arrayBuffer()) };
}
