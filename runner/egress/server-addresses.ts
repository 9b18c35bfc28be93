/** Where jobs reach the server: its addresses, and whether it is on this machine. */
import { lookup } from "node:dns/promises";
import { networkInterfaces } from "node:os";
import { addressBytes, isPublic } from "./address.ts";
import type { EgressPolicy, Endpoint } from "./policy.ts";

export type ServerAddresses = Pick<
  EgressPolicy,
  "servers" | "localServerPorts" | "localServerAddresses" | "hostAddresses"
>;

/** Networks that come and go with containers. */
const passing = /^(br-|veth|fl[0-9a-f]{6}-)/;

/** Addresses of this machine; those of one link alone are left out. */
export function machineAddresses(isWanted: (name: string) => boolean = () => true): string[] {
  return Object.entries(networkInterfaces())
    .flatMap(([name, list]) => (isWanted(name) ? (list ?? []) : []))
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
  resolve: (host: string) => Promise<string[]>,
): Promise<ServerAddresses> {
  const own = new Set(machineAddresses());
  const isHere = (address: string): boolean => own.has(address) || isLoopback(address);
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
      ...addresses.filter((address) => !isLoopback(address)).map((address) => ({ address, port })),
    );
  }
  const lasting = ports.size === 0 ? [] : machineAddresses((name) => !passing.test(name));
  return {
    servers,
    localServerPorts: [...ports],
    localServerAddresses: lasting.filter((address) => !isLoopback(address)),
    hostAddresses: [...own].filter(isPublic),
  };
}

function isLoopback(address: string): boolean {
  return /^127\.|^::1$/.test(address);
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

/** A name's addresses; those it had last where it cannot be resolved now. */
export function rememberAddresses(): (host: string) => Promise<string[]> {
  const known = new Map<string, string[]>();
  return async (host) => {
    const found = await addressesOf(host);
    if (found.length > 0) known.set(host, found);
    return known.get(host) ?? [];
  };
}

/**
 * Empty where the name cannot be resolved now. As the C library reads names, the Docker daemon does: `127.1` and `0x7f.1` are
 * addresses too.
 */
export async function addressesOf(host: string): Promise<string[]> {
  const found = await lookup(host, { all: true }).catch(() => []);
  return found.map(({ address }) => address).filter((address) => addressBytes(address) !== null);
}
