/** A registry on loopback that speaks the pull half of the distribution API, and refuses when it is told to. */
import { createHash } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { gzipSync } from "node:zlib";
import { testImageFiles, type TestImage } from "./test-image.ts";

/**
 * How it answers: everything, everything to who brings `user:password`, all but contents, an HTTP status to whatever is asked of a
 * repository, or not at all.
 */
export type RegistryMode =
  | "open"
  | `for ${string}:${string}`
  | "no contents"
  | 401
  | 403
  | 404
  | 500
  | "down";

export interface SmallRegistry {
  /** `127.0.0.1:PORT`, to stand before names of images. */
  host: string;
  /** A tag of one layer. */
  add(repository: string, tag: string, image: RegistryImage): Promise<AddedImage>;
  be(mood: RegistryMode): Promise<void>;
  /** `METHOD path` of what was asked of repositories, in order. */
  asked(): string[];
  close(): Promise<void>;
}

export interface RegistryImage extends Omit<TestImage, "name" | "changes"> {
  labels?: Record<string, string>;
}

export interface AddedImage {
  /** Of the manifest. */
  digest: string;
  /** Of the configuration, which is the image's id in Docker. */
  id: string;
}

interface Blob {
  type: string;
  bytes: Buffer;
}

const docker = "application/vnd.docker";
const sha256 = (bytes: Buffer) => `sha256:${createHash("sha256").update(bytes).digest("hex")}`;

async function imageBlobs({ labels = {}, ...files }: RegistryImage) {
  const layer = await buffer(await testImageFiles(files));
  const config = {
    architecture: process.arch === "arm64" ? "arm64" : "amd64",
    os: "linux",
    config: { Env: ["PATH=/bin"], Labels: labels },
    rootfs: { type: "layers", diff_ids: [sha256(layer)] },
    history: [{ created_by: "a test" }],
  };
  const [configBytes, layerBytes] = [Buffer.from(JSON.stringify(config)), gzipSync(layer)];
  const part = (mediaType: string, bytes: Buffer) => ({
    mediaType,
    size: bytes.length,
    digest: sha256(bytes),
  });
  const manifest = {
    schemaVersion: 2,
    mediaType: `${docker}.distribution.manifest.v2+json`,
    config: part(`${docker}.container.image.v1+json`, configBytes),
    layers: [part(`${docker}.image.rootfs.diff.tar.gzip`, layerBytes)],
  };
  const manifestBytes = Buffer.from(JSON.stringify(manifest));
  return { manifest: manifestBytes, type: manifest.mediaType, config: configBytes, layer: layerBytes };
}

export async function startSmallRegistry(): Promise<SmallRegistry> {
  /** By their path below `/v2/`. */
  const served = new Map<string, Blob>();
  const asked: string[] = [];
  let mood: RegistryMode = "open";

  function answer(req: IncomingMessage, res: ServerResponse): void {
    const path = req.url!.replace(/^\/v2\//, "");
    if (isRefused(req))
      return void res.writeHead(401, { "WWW-Authenticate": 'Basic realm="small"' }).end('{"errors":[]}');
    if (path === "") return void res.end("{}");
    asked.push(`${req.method} ${path}`);
    const status = mood === "no contents" && path.includes("/blobs/") ? 403 : mood;
    if (typeof status === "number") {
      const challenge = status === 401 ? { "WWW-Authenticate": 'Basic realm="small"' } : {};
      const problem = '{"errors":[{"code":"DENIED","message":"not for you"}]}';
      return void res.writeHead(status, challenge).end(problem);
    }
    const blob = served.get(path);
    if (!blob) return void res.writeHead(404).end('{"errors":[{"code":"MANIFEST_UNKNOWN"}]}');
    const digest = sha256(blob.bytes);
    res.writeHead(200, {
      "Content-Type": blob.type,
      "Content-Length": blob.bytes.length,
      "Docker-Content-Digest": digest,
    });
    res.end(req.method === "HEAD" ? undefined : blob.bytes);
  }

  function isRefused({ headers }: IncomingMessage): boolean {
    const wanted = typeof mood === "string" && mood.startsWith("for ") ? mood.slice("for ".length) : null;
    return wanted !== null && headers.authorization !== `Basic ${Buffer.from(wanted).toString("base64")}`;
  }

  const server = createServer(answer);
  const listen = async (port: number) => {
    server.listen(port, "127.0.0.1");
    await once(server, "listening");
    return (server.address() as AddressInfo).port;
  };
  const stop = async () => {
    const closed = once(server, "close");
    server.close();
    server.closeAllConnections();
    await closed;
  };
  const port = await listen(0);

  return {
    host: `127.0.0.1:${String(port)}`,
    async add(repository, tag, image) {
      const { manifest, type, config, layer } = await imageBlobs(image);
      const digest = sha256(manifest);
      for (const name of [tag, digest])
        served.set(`${repository}/manifests/${name}`, { type, bytes: manifest });
      for (const bytes of [config, layer])
        served.set(`${repository}/blobs/${sha256(bytes)}`, { type: "application/octet-stream", bytes });
      return { digest, id: sha256(config) };
    },
    async be(next) {
      if (next === "down" && server.listening) await stop();
      if (next !== "down" && !server.listening) await listen(port);
      mood = next;
    },
    asked: () => [...asked],
    async close() {
      if (server.listening) await stop();
    },
  };
}
