/**
 * The demo's image, `forgeline/base:1`: a public image by `docker pull` where a registry can be reached, else one built
 * from this machine's static busybox, which is installed first when that is possible.
 */
import type Dockerode from "dockerode";
import { canInstallPackages, installPackages } from "./apt.ts";
import { baseImageName, ensureBaseImage, hasBusybox } from "./base-image.ts";

export interface DemoImageOptions {
  /** Public image to begin with, for example `docker.io/library/busybox:1.36`. */
  source: string;
  env: NodeJS.ProcessEnv;
  say: (text: string) => void;
  signal?: AbortSignal | undefined;
}

/** Without a sign of progress for this long, the registry counts as out of reach. */
const silenceMs = 8_000;

/** Resolves with what was done, in words for people. Rejects when neither way is open, with what to install. */
export async function ensureDemoImage(docker: Dockerode, options: DemoImageOptions): Promise<string> {
  if (await isHere(docker, baseImageName)) return `${baseImageName} is here`;
  options.say(`pulling ${options.source}`);
  try {
    await pull(docker, options.source, options.signal);
  } catch (error) {
    options.signal?.throwIfAborted();
    options.say(`no image registry can be reached (${firstLine(error)}); building one from busybox`);
    await ensureBusybox(options);
    await ensureBaseImage(docker);
    return `${baseImageName} built from this machine's busybox`;
  }
  await tagAsBase(docker, options.source);
  return `${baseImageName} made from ${options.source}`;
}

async function isHere(docker: Dockerode, image: string): Promise<boolean> {
  try {
    await docker.getImage(image).inspect();
    return true;
  } catch (error) {
    if ((error as { statusCode?: number }).statusCode === 404) return false;
    throw error;
  }
}

async function pull(docker: Dockerode, image: string, signal: AbortSignal | undefined): Promise<void> {
  const silent = new AbortController();
  const timer = setTimeout(() => silent.abort(new Error(`silent for ${silenceMs / 1000} s`)), silenceMs);
  const abortSignal = signal ? AbortSignal.any([silent.signal, signal]) : silent.signal;
  try {
    const stream = await docker.pull(image, { abortSignal });
    await new Promise<void>((resolve, reject) => {
      abortSignal.addEventListener("abort", () => reject(abortSignal.reason as Error), { once: true });
      docker.modem.followProgress(
        stream,
        (error) => (error === null ? resolve() : reject(error)),
        () => timer.refresh(),
      );
    });
  } finally {
    clearTimeout(timer);
  }
}

/**
 * The name alone would not do: runners pull what does not carry the label of an image made here. A commit of a
 * container that never ran adds it, and needs no build system.
 */
async function tagAsBase(docker: Dockerode, source: string): Promise<void> {
  const container = await docker.createContainer({ Image: source, Cmd: ["/bin/sh"] });
  try {
    const [repo, tag] = baseImageName.split(":");
    await container.commit({ repo, tag, changes: "LABEL forgeline.imported=1" });
  } finally {
    await container.remove({ force: true });
  }
}

async function ensureBusybox(options: DemoImageOptions): Promise<void> {
  if ((await hasBusybox()) || !(await canInstallPackages(options.env))) return;
  await installPackages(["busybox-static"], options);
}

function firstLine(error: unknown): string {
  const { reason, message } = error as Error & { reason?: string };
  return (reason ?? message).split("\n")[0] ?? "";
}
