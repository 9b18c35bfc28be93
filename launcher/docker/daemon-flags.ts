/**
 * The settings of a Docker daemon that we start. `live-restore` keeps containers alive when the daemon dies; small
 * address blocks give many jobs a network of their own; the bridge's address is fixed, because a daemon that comes back
 * to living containers does not find it by itself and gives later ones no `host-gateway`.
 */

/** Blocks of 64 addresses, away from Docker's usual ones. */
const pool = { base: "172.30.0.0", bits: 15, size: 26 } as const;

/**
 * The flags, without those that `/etc/docker/daemon.json` sets: dockerd refuses a setting that stands in both places.
 * `routes` is the text of `/proc/net/route`.
 */
export function daemonFlags(routes: string, daemonJson: string | undefined): string[] {
  const set = new Set(Object.keys(settingsIn(daemonJson)));
  const flags: string[] = [];
  if (!set.has("live-restore")) flags.push("--live-restore");
  if (!set.has("default-address-pools"))
    flags.push("--default-address-pool", `base=${pool.base}/${pool.bits},size=${pool.size}`);
  const bridgeIsSet = ["bip", "bridge", "fixed-cidr", "host-gateway-ip", "host-gateway-ips"].some((name) =>
    set.has(name),
  );
  const bridge = bridgeIsSet ? undefined : bridgeBlock(routes);
  if (bridge) flags.push("--bip", `${bridge.address}/${bridge.bits}`, "--host-gateway-ip", bridge.address);
  return flags;
}

/** Where `/etc/docker/daemon.json` puts the daemon's data, when it says so. */
export function dataRootIn(daemonJson: string | undefined): string | undefined {
  const root = settingsIn(daemonJson)["data-root"];
  return typeof root === "string" ? root : undefined;
}

function settingsIn(daemonJson: string | undefined): Record<string, unknown> {
  try {
    return JSON.parse(daemonJson ?? "{}") as Record<string, unknown>;
  } catch {
    // dockerd says better than we could what is wrong with its file.
    return {};
  }
}

interface Block {
  address: string;
  bits: number;
}

/** Where docker0 is, if an earlier daemon left it; else the first block of our pool that no route leads to. */
function bridgeBlock(routes: string): Block | undefined {
  const known = parseRoutes(routes);
  const docker0 = known.find((route) => route.device === "docker0");
  if (docker0) return { address: dotted(docker0.network + 1), bits: docker0.bits };
  const start = numberOf(pool.base);
  const step = 2 ** (32 - pool.size);
  for (let network = start; network < start + 2 ** (32 - pool.bits); network += step)
    if (!known.some((route) => overlaps(route, { network, bits: pool.size })))
      return { address: dotted(network + 1), bits: pool.size };
  return undefined;
}

interface Range {
  network: number;
  bits: number;
}

function parseRoutes(text: string): (Range & { device: string })[] {
  return text
    .split("\n")
    .slice(1)
    .map((line) => line.split("\t").map((field) => field.trim()))
    .filter((fields) => fields.length > 7)
    .map((fields) => ({
      device: fields[0] ?? "",
      network: kernelNumber(fields[1] ?? "0"),
      bits: kernelNumber(fields[7] ?? "0")
        .toString(2)
        .replaceAll("0", "").length,
    }))
    .filter((route) => route.bits > 0);
}

/** The kernel prints addresses in hexadecimal, their bytes from last to first. */
function kernelNumber(hex: string): number {
  return Buffer.from(hex.padStart(8, "0"), "hex").readUInt32LE();
}

function overlaps(a: Range, b: Range): boolean {
  const size = 2 ** (32 - Math.min(a.bits, b.bits));
  return Math.floor(a.network / size) === Math.floor(b.network / size);
}

function numberOf(address: string): number {
  return address.split(".").reduce((sum, part) => sum * 256 + Number(part), 0);
}

function dotted(number: number): string {
  return [24, 16, 8, 0].map((shift) => Math.floor(number / 2 ** shift) % 256).join(".");
}
