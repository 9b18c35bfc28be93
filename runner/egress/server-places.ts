/** Where jobs reach the server: its addresses, and whether it is on this machine. */
import { lookup } from "node:dns/promises";
import { networkInterfaces } from "node:os";
import { addressBytes, isPublic } from "./address.ts";
import type { EgressPolicy, Endpoint } from "./policy.ts";

export type ServerPlaces = Pick<EgressPolicy, "servers" | "localServerPorts" | "hostAddresses">;

/** Addresses of this machine; those of one link alone are left out. */
export function machineAddresses(): string[] {
  return Object.values(networkInterfaces())
    .flatMap((list) => list ?? [])
    .map(({ address }) => address)
    .filter((address) => addressBytes(address) !== null);
}

/**
 * `urls` are the addresses by which the runner and its jobs reach the server, the runner's first: a name that stands for "this
 * machine" in containers (`host-gateway`) counts only where the runner itself finds the server here.
 */
export async function findServer(
  urls: readonly string[],
  extraHosts: readonly string[],
  resolve: (host: string) => Promise<string[]> = addressesOf,
): Promise<ServerPlaces> {
  const own = new Set(machineAddresses());
  const isHere = (address: string): boolean => own.has(address) || /^127\.|^::1$/.test(address);
  const servers: Endpoint[] = [];
  const ports = new Set<number>();
  let isLocal = false;
  for (const [index, text] of urls.entries()) {
    const { host, port } = hostAndPort(text);
    const known = extraAddress(extraHosts, host);
    const addresses = known === null ? await resolve(host) : known === "host-gateway" ? [] : [known];
    if (index === 0) isLocal = addresses.some(isHere);
    if (addresses.some(isHere) || (known === "host-gateway" && isLocal)) ports.add(port);
    servers.push(
      ...addresses.filter((address) => !/^127\.|^::1$/.test(address)).map((address) => ({ address, port })),
    );
  }
  return { servers, localServerPorts: [...ports], hostAddresses: [...own].filter(isPublic) };
}

function hostAndPort(text: string): { host: string; port: number } {
  const { hostname, port, protocol } = new URL(text);
  const plain = protocol === "http:" || protocol === "ws:";
  return { host: hostname.replace(/^\[|\]$/g, ""), port: port === "" ? (plain ? 80 : 443) : Number(port) };
}

function extraAddress(extraHosts: readonly string[], host: string): string | null {
  const entry = extraHosts.find((text) => text.startsWith(`${host}:`) || text.startsWith(`${host}=`));
  return entry?.slice(host.length + 1).replace(/^\[|\]$/g, "") ?? null;
}

/** Empty where the name cannot be resolved now. */
async function addressesOf(host: string): Promise<string[]> {
  if (addressBytes(host) !== null) return [host];
  const found = await lookup(host, { all: true }).catch(() => []);
  return found.map(({ address }) => address).filter((address) => addressBytes(address) !== null);
}
