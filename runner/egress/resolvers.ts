/** The name servers that a Docker daemon gives its containers. */
import { readFile } from "node:fs/promises";
import { addressBytes } from "./address.ts";

/** Docker's own, where it finds none. */
const publicResolvers = ["8.8.8.8", "8.8.4.4", "2001:4860:4860::8888", "2001:4860:4860::8844"];
const files = {
  hosts: "/etc/resolv.conf",
  /** What systemd's resolver asks itself; Docker takes it where the other names systemd's resolver alone. */
  systemd: "/run/systemd/resolve/resolv.conf",
  daemon: "/etc/docker/daemon.json",
};

/** `elsewhere`: those that were seen where the daemon is, when that is not this machine's own network. */
export async function containerResolvers(elsewhere: readonly string[]): Promise<string[]> {
  const [hosts, systemd, daemon] = await Promise.all(
    [files.hosts, files.systemd, files.daemon].map((path) => readFile(path, "utf8").catch(() => "")),
  );
  const here = resolversOf({ hosts: hosts ?? "", systemd: systemd ?? "", daemon: daemon ?? "" });
  return [...new Set([...here, ...elsewhere.filter(isNoLoopback)])];
}

/** From the texts of the three files; an absent one is empty. */
export function resolversOf(texts: { hosts: string; systemd: string; daemon: string }): string[] {
  const named = nameServers(texts.hosts);
  const all = [
    ...daemonResolvers(texts.daemon),
    ...named,
    ...(named.includes("127.0.0.53") ? nameServers(texts.systemd) : []),
  ];
  // The daemon itself asks those of this machine, in its own network.
  const asked = [...new Set(all)].filter(isNoLoopback);
  return asked.length > 0 ? asked : publicResolvers;
}

function isNoLoopback(address: string): boolean {
  return !/^127\.|^::1$/.test(address);
}

/** Of a text such as `/etc/resolv.conf`. */
export function nameServers(text: string): string[] {
  const found = [...text.matchAll(/^\s*nameserver\s+(\S+)/gm)].map(([, address = ""]) => address);
  return found.filter((address) => addressBytes(address) !== null);
}

function daemonResolvers(text: string): string[] {
  try {
    const { dns } = JSON.parse(text) as { dns?: unknown };
    return Array.isArray(dns) ? dns.map(String).filter((address) => addressBytes(address) !== null) : [];
  } catch {
    return [];
  }
}
