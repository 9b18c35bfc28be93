/**
 * The one image of our own: `forgeline-init` and nothing else. Made on the machine from what the runner carries, so that
 * no registry is asked and no program of anybody's image runs with the rights that it has. Made once: what is there is used again
 * when it holds the same bytes and says nothing else, and only that is trusted, since anybody's image could bear its name.
 */
import { createHash } from "node:crypto";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { pack } from "tar-stream";
import type Dockerode from "dockerode";
import { initProgram } from "../../init/program.ts";
import type { Daemon } from "./daemon.ts";

export interface OwnImage {
  /** Its id; made now where it does not exist. */
  id(): Promise<string>;
}

export interface OwnLayer {
  /** The same bytes for the same program. */
  tar: Buffer;
  /** As the daemon calls a layer: the checksum of the tar. */
  diffId: string;
  /** For finding it, and for people who look at the machine's images; runners of other releases have others. */
  imageName: string;
}

export async function ownLayer(): Promise<OwnLayer> {
  const archive = pack();
  archive.entry({ name: "init", mode: 0o755, mtime: new Date(0) }, initProgram());
  archive.finalize();
  const tar = await buffer(archive as unknown as NodeJS.ReadableStream);
  const checksum = createHash("sha256").update(tar).digest("hex");
  return { tar, diffId: `sha256:${checksum}`, imageName: `forgeline/init:${checksum.slice(0, 12)}` };
}

export function createOwnImage(docker: Dockerode, daemon: Daemon): OwnImage {
  const layer = ownLayer();
  let known: Promise<string> | null = null;

  async function find(name: string): Promise<string | null> {
    const info = await daemon.find(() => docker.getImage(name).inspect());
    return info !== null && isOurs(info, (await layer).diffId) ? info.Id : null;
  }

  async function make(): Promise<string> {
    const { tar, imageName } = await layer;
    // In one word, since Podman takes no tag beside it.
    const answer = await docker.importImage(Readable.from([tar]), { fromSrc: "-", repo: imageName });
    const text = await streamText(answer);
    const id = /sha256:[0-9a-f]{64}/.exec(text)?.[0];
    if (id === undefined) throw new Error(`Docker rejected the runner's init image: ${text.trim()}`);
    return id;
  }

  return {
    async id() {
      const last = await known?.catch(() => undefined);
      if (last !== undefined && (await find(last)) !== null) return last;
      known = layer.then(async ({ imageName }) => (await find(imageName)) ?? daemon.ask(make));
      return known;
    },
  };
}

/** An image that says more than what it holds could give the container variables and volumes that nobody requested. */
function isOurs({ RootFS, Config }: Dockerode.ImageInspectInfo, diffId: string): boolean {
  const layers = RootFS?.Layers ?? [];
  const says: unknown[] = Object.values((Config as object | null) ?? {});
  return layers.length === 1 && layers[0] === diffId && says.every(isNothing);
}

function isNothing(value: unknown): boolean {
  if (typeof value === "object" && value !== null) return Object.keys(value).length === 0;
  return value === null || value === "" || value === false;
}

async function streamText(stream: NodeJS.ReadableStream): Promise<string> {
  let text = "";
  for await (const chunk of stream) text += String(chunk);
  return text;
}
