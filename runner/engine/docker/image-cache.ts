/**
 * Keeps the images that were pulled for jobs under a limit: those that jobs used longest ago go. Images that no job had pulled are
 * none of its business, and neither are those that a container has or that the operator listed.
 */
import { join } from "node:path";
import type Dockerode from "dockerode";
import { imagesToRemove, type CachedImage } from "./choose-images.ts";
import { daemonMessage, statusOf } from "./daemon.ts";
import type { EngineContext } from "./context.ts";
import { openImageUses, type ImageUses } from "./image-uses.ts";
import { fullImageName } from "./images.ts";

export interface ImageCache {
  /** A job has had it pulled, and uses it now. Prunes, since a busy runner is never idle, but not more than once a minute. */
  used(id: string): void;
  /** Never rejects. A second call while one runs waits for the same. */
  prune(): Promise<void>;
}

export interface ImageCacheOptions {
  /** Null: nothing is removed, and nothing is remembered. */
  maxBytes: number | null;
  /** Names of images that stay. */
  listed: readonly string[];
  now?: () => number;
}

export function createImageCache(
  context: Pick<EngineContext, "docker" | "daemon" | "workDir" | "onNote">,
  { maxBytes, listed, now = Date.now }: ImageCacheOptions,
): ImageCache {
  if (maxBytes === null) return { used: () => undefined, prune: () => Promise.resolve() };
  const { docker, daemon, onNote } = context;
  const stay = new Set(listed.map(fullImageName));
  let opening: Promise<ImageUses> | undefined;
  const uses = () => (opening ??= openImageUses(join(context.workDir, ".images.json")));
  let pruning: Promise<void> | null = null;
  let prunedAtMs = -Infinity;
  const limit = maxBytes;

  async function cached(): Promise<(CachedImage & { info: Dockerode.ImageInfo })[]> {
    const used = (await uses()).all();
    const [images, containers] = await Promise.all([
      daemon.ask(() => docker.listImages()),
      daemon.ask(() => docker.listContainers({ all: true })),
    ]);
    await (await uses()).keep(new Set(images.map(({ Id }) => Id)));
    const busy = new Set(containers.map(({ ImageID }) => ImageID));
    return images.flatMap((info) => {
      const lastUsedMs = used.get(info.Id);
      if (lastUsedMs === undefined) return [];
      const isListed = (info.RepoTags ?? []).some((tag) => stay.has(tag));
      return [{ id: info.Id, bytes: info.Size, lastUsedMs, isKept: busy.has(info.Id) || isListed, info }];
    });
  }

  async function pruneNow(): Promise<void> {
    const images = await cached();
    const bytes = images.reduce((sum, image) => sum + image.bytes, 0);
    const chosen = new Set(imagesToRemove(images, { maxBytes: limit, nowMs: now() }).map(({ id }) => id));
    for (const { id, info, lastUsedMs } of images) {
      if (!chosen.has(id) || !(await remove(info))) continue;
      const name = info.RepoTags?.[0] ?? info.RepoDigests?.[0] ?? id;
      const last = new Date(lastUsedMs).toISOString();
      onNote(
        `Removed image ${name} (${mib(info.Size)} MiB, last used ${last}): images of jobs took ${mib(bytes)} of ${mib(limit)} MiB.`,
      );
    }
  }

  /** By each of its names, since the daemon removes no image by its id that has several. False: something uses it after all. */
  async function remove({ Id, RepoTags }: Dockerode.ImageInfo): Promise<boolean> {
    const tags = (RepoTags ?? []).filter((tag) => tag !== "<none>:<none>");
    for (const name of tags.length > 0 ? tags : [Id])
      try {
        await daemon.find(() => docker.getImage(name).remove());
      } catch (error) {
        if (statusOf(error) !== 409) throw error;
        return false;
      }
    return true;
  }

  function prune(): Promise<void> {
    prunedAtMs = now();
    pruning ??= pruneNow()
      .catch((error: unknown) => onNote(`Images could not be removed: ${daemonMessage(error)}`))
      .finally(() => {
        pruning = null;
      });
    return pruning;
  }

  return {
    used(id) {
      uses()
        .then((file) => file.note(id, now()))
        .then(() => (now() - prunedAtMs < betweenMs ? undefined : prune()))
        .catch((error: unknown) => onNote(`The use of an image could not be noted: ${daemonMessage(error)}`));
    },
    prune,
  };
}

const betweenMs = 60_000;
const mib = (bytes: number) => Math.round(bytes / 1024 / 1024);
