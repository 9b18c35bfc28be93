/**
 * Images are pulled by the daemon, which no filter of jobs' networks holds: so the host that an image's name refers to is looked up
 * before, and held against the same list. Where the registry sends the daemon on to is not seen here.
 */
import { lookUpTarget } from "./target.ts";
import { addressesOf } from "./server-addresses.ts";
import type { EgressSettings } from "./settings.ts";

const httpsPort = 443;

/** null where the name has none: it is of the public registry, or of the mirror that the operator gave the daemon. */
export function registryOf(image: string): { host: string; port: number } | null {
  const first = image.slice(0, Math.max(0, image.indexOf("/")));
  // Docker's own rule for what is a host.
  const isHost = /[.:]/.test(first) || first === "localhost" || first !== first.toLowerCase();
  if (!isHost || first === "docker.io" || first === "index.docker.io") return null;
  const colon = first.lastIndexOf(":");
  if (colon < 0) return { host: first, port: httpsPort };
  return { host: first.slice(0, colon), port: Number(first.slice(colon + 1)) };
}

/** Throws where the image's registry is in a network that jobs may not reach. */
export async function checkRegistry(
  image: string,
  settings: EgressSettings,
  resolve: (host: string) => Promise<string[]> = addressesOf,
): Promise<void> {
  const registry = settings.mode === "open" ? null : registryOf(image);
  if (registry === null) return;
  const { host, port } = registry;
  const { addresses, refusal } = await lookUpTarget({ host, port }, settings, resolve);
  if (addresses.length === 0) throw new Error(`the runner cannot resolve its registry ${host}`);
  if (refusal !== null) throw new Error(`its registry ${refusal}`);
}
