/**
 * From an image's name to the id that a container is made of. An image that came from a registry is pulled for each
 * job, so that the registry says again whether it may be used; one that was made on this machine, which the daemon
 * knows and the image cannot say of itself, is taken as it is, and so is one that the operator named, unless the file wants
 * the registry's (`pull: always`). Ids are not names: a job cannot pick an image out of the cache by guessing.
 */
import type Dockerode from "dockerode";
import { EngineError, type EngineImage, type RegistryCredentials } from "../engine.ts";
import { minCheckIntervalNs } from "./create-options.ts";
import { daemonMessage, type Daemon } from "./daemon.ts";

export interface FoundImage {
  id: string;
  user: string;
  hasHealthCheck: boolean;
  /** Its check would run more than once a second. */
  isCheckHasty: boolean;
}

interface HealthCheck {
  Test?: string[] | null;
  /** Nanoseconds; 0 or absent for the daemon's own, which are half a minute and five seconds. */
  Interval?: number;
  StartInterval?: number;
}

export type WantedImage = Pick<EngineImage, "name" | "pull" | "credentials">;

export interface ImageStore {
  /** Throws `image_pull`, naming the images that are there for everybody's jobs. */
  resolve(image: WantedImage, onProgress: (line: string) => void, signal: AbortSignal): Promise<FoundImage>;
  /** Only when it is here and may be used without asking a registry. */
  local(name: string): Promise<FoundImage | null>;
  /** Newest first. */
  names(): Promise<string[]>;
  /** Ends those in progress; whoever waits for one gets `disk_full`. */
  stopPulls(): void;
}

export interface ImageStoreOptions {
  docker: Dockerode;
  daemon: Daemon;
  /** Names, in full, of images that the operator put on this machine for everybody's jobs; or all that are on it. */
  localImages: readonly string[] | "all";
  /** Throws where the registry of the name may not be contacted. */
  checkRegistry(name: string): Promise<void>;
  /** A job has had this one pulled. */
  onPulled?: (id: string) => void;
}

/** Adds `:latest` as the docker command does; without it the daemon would pull every tag. */
export function fullImageName(name: string): string {
  if (name.includes("@")) return name;
  return name.slice(name.lastIndexOf("/") + 1).includes(":") ? name : `${name}:latest`;
}

/** Names go into paths of the daemon's API, so what is none never gets that far. */
export function isImageName(name: string): boolean {
  return (
    name.length <= 255 && /^[A-Za-z0-9][\w.:/@-]*$/.test(name) && !name.includes("..") && !name.includes("//")
  );
}

/** Without what Docker leaves out where it lists an image of the public registry, and Podman does not. */
function shortImageName(name: string): string {
  return fullImageName(name).replace(/^docker\.io\/(library\/)?/, "");
}

/** Podman calls images without a host in their names, that were built on the machine, `localhost/…`. */
function isNamed(info: Dockerode.ImageInspectInfo, name: string): boolean {
  const short = shortImageName(name);
  const same = (listed: string): boolean =>
    shortImageName(listed) === short || listed === `localhost/${short}`;
  return [...(info.RepoTags ?? []), ...(info.RepoDigests ?? [])].some(same);
}

/** Of images that `npm start` builds. */
const ownPrefix = "forgeline/";

function isOwn({ RepoDigests }: { RepoDigests?: string[] | null | undefined }): boolean {
  return (RepoDigests ?? []).length === 0;
}

function found(info: Dockerode.ImageInspectInfo): FoundImage {
  const config = info.Config as { User?: string; Healthcheck?: HealthCheck | null };
  const { Test, Interval = 0, StartInterval = 0 } = config.Healthcheck ?? {};
  const test = Test ?? [];
  return {
    id: info.Id,
    user: config.User ?? "",
    hasHealthCheck: test.length > 0 && test[0] !== "NONE",
    isCheckHasty: [Interval, StartInterval].some((each) => each > 0 && each < minCheckIntervalNs),
  };
}

/** The registry that a name begins with; without one it is Docker's own. */
function registryOf(name: string): string {
  const [first = "", ...rest] = name.split("/");
  const isHost = rest.length > 0 && (/[.:]/.test(first) || first === "localhost");
  return isHost && first !== "docker.io" ? first : "https://index.docker.io/v1/";
}

function authOf(name: string, credentials: RegistryCredentials | undefined) {
  return credentials ? { authconfig: { ...credentials, serveraddress: registryOf(name) } } : {};
}

export function createImageStore(options: ImageStoreOptions): ImageStore {
  const { docker, daemon } = options;
  const { localImages } = options;
  const localNames = localImages === "all" ? null : new Set(localImages.map(shortImageName));

  /** Nobody needs to ask a registry for it. */
  function isLocal(name: string, info: Dockerode.ImageInspectInfo): boolean {
    return localNames === null || isOwn(info) || localNames.has(shortImageName(name));
  }

  async function names(isWanted: (image: Dockerode.ImageInfo) => boolean = () => true): Promise<string[]> {
    const images = (await daemon.ask(() => docker.listImages())).filter(isWanted);
    images.sort((a, b) => b.Created - a.Created);
    return images.flatMap((image) => image.RepoTags ?? []).filter((tag) => tag !== "<none>:<none>");
  }

  /** All others are the business of whoever had them pulled or built, their names included. */
  async function namesForAll(): Promise<string[]> {
    const own = new Set(await names(isOwn));
    if (localNames === null) return [...own];
    return (await names()).filter(
      (name) => localNames.has(shortImageName(name)) || (own.has(name) && name.startsWith(ownPrefix)),
    );
  }

  async function present(name: string, signal?: AbortSignal): Promise<Dockerode.ImageInspectInfo | null> {
    const info = await daemon.find(() => docker.getImage(fullImageName(name)).inspect(), signal);
    return info !== null && isNamed(info, name) ? info : null;
  }

  /** What has a digest the daemon takes from its cache, without asking whether it may be had. This asks, and takes nothing. */
  function askRegistry({ name, credentials }: WantedImage, abortSignal: AbortSignal): Promise<void> {
    const request = {
      path: `/distribution/${name}/json`,
      method: "GET",
      ...authOf(name, credentials),
      statusCodes: { 200: true },
      abortSignal,
    };
    return new Promise((resolve, reject) => {
      docker.modem.dial(request, (error: unknown) => (error === null ? resolve() : reject(error as Error)));
    });
  }

  const pulls = new Set<AbortController>();

  /** Nothing says before how large an image is once it is unpacked, and what a pull brought belongs to no job. */
  async function pullWhileRoom(image: WantedImage, signal: AbortSignal): Promise<void> {
    const stopper = new AbortController();
    pulls.add(stopper);
    try {
      await pull(image, AbortSignal.any([signal, stopper.signal]));
    } catch (error) {
      if (!stopper.signal.aborted) throw error;
      const message = `The runner's disk was almost full while image ${JSON.stringify(image.name)} was being pulled.`;
      throw new EngineError("disk_full", message, { cause: error });
    } finally {
      pulls.delete(stopper);
    }
  }

  async function pull(image: WantedImage, signal: AbortSignal): Promise<void> {
    const { name, credentials } = image;
    if (name.includes("@")) await askRegistry(image, signal);
    const auth = authOf(name, credentials);
    const stream = await docker.pull(fullImageName(name), { ...auth, abortSignal: signal });
    await new Promise<void>((resolve, reject) => {
      docker.modem.followProgress(stream, (error, lines: { error?: string }[]) => {
        // What fails once the answer has begun is told in a line of it.
        const problem = error ?? lines.find((line) => line.error !== undefined);
        if (problem === undefined) resolve();
        else reject(problem instanceof Error ? problem : new Error(problem.error));
      });
    });
  }

  return {
    names: () => names(),
    stopPulls() {
      for (const stopper of pulls) stopper.abort();
    },
    async local(name) {
      const here = isImageName(name) ? await present(name) : null;
      return here !== null && isLocal(name, here) ? found(here) : null;
    },
    async resolve(image, onProgress, signal) {
      const { name, pull } = image;
      let unused = "";
      try {
        if (!isImageName(name)) throw new Error("that is not a valid image name");
        const here = await present(name, signal);
        const isHere = here !== null && isLocal(name, here);
        if (isHere && pull !== "always") return found(here);
        if (isHere) unused = ' The copy on this runner is not used, because the file says "pull: always".';
        await options.checkRegistry(name);
        onProgress(`pulling image ${name}`);
        await pullWhileRoom(image, signal);
        const pulled = await present(name, signal);
        if (pulled !== null) {
          options.onPulled?.(pulled.Id);
          return found(pulled);
        }
        throw new Error("the registry's response did not contain that image");
      } catch (error) {
        signal.throwIfAborted();
        if (error instanceof EngineError && error.code === "disk_full") throw error;
        const list = (await namesForAll()).slice(0, 20).join(", ");
        const own = list === "" ? "" : ` Images that are on this runner for all jobs: ${list}.`;
        const message = `Image ${JSON.stringify(name)} could not be pulled: ${daemonMessage(error)}.${unused}${own}`;
        throw new EngineError("image_pull", message, { cause: error });
      }
    },
  };
}
