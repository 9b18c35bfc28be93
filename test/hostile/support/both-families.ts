/** What this machine has of IPv6 only for a test: networks of jobs, and addresses of its own. */
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import Dockerode from "dockerode";
import { guard } from "../../support/guard.ts";

const run = promisify(execFile);
const groupOf = (number: number): string => (number % 65_536).toString(16);
let networks = 0;
/** Else a bridge first asks whether others have its addresses, and answers two seconds after the first container came. */
const answersAtOnce = `echo 0 >/proc/sys/net/ipv6/conf/$1/accept_dad
for address in $2 $3; do
  ip -6 address del $address dev $1
  ip -6 address add $address dev $1 nodad
done`;

/** The same daemon; each network that is made through it has IPv6 beside IPv4. Only root can make them so. */
export function dockerOfBothFamilies(): Dockerode {
  const docker = new Dockerode();
  const create = docker.createNetwork.bind(docker);
  docker.createNetwork = (async (options: Dockerode.NetworkCreateOptions) => {
    const network = `fd76:77:${groupOf(process.pid)}:${groupOf((networks += 1))}::`;
    const IPAM = { Config: [{ Subnet: `${network}/64`, Gateway: `${network}1` }] };
    const made = await create({ ...options, EnableIPv6: true, IPAM });
    const bridge = options.Options?.["com.docker.network.bridge.name"] ?? "";
    await run("sh", ["-c", answersAtOnce, "sh", bridge, `${network}1/64`, "fe80::1/64"]);
    return made;
  }) as typeof docker.createNetwork;
  return docker;
}

export interface OwnAddresses {
  v4: string;
  v6: string;
  close(): Promise<void>;
}

/** Two more addresses of this machine, on an interface that leads nowhere. */
export async function openOwnAddresses(): Promise<OwnAddresses> {
  // Runners take a name that begins so for a container's: those of other tests need not write their filters anew.
  const name = `vethfl${String(process.pid)}`;
  const cleaner = guard(`ip link del "$1"`, name);
  const v4 = `10.212.${String((process.pid >> 8) & 255)}.${String(process.pid & 255)}`;
  const v6 = `fd00:212:176::${groupOf(process.pid)}`;
  try {
    await run("ip", ["link", "add", name, "type", "veth"]);
    await run("ip", ["address", "add", `${v4}/32`, "dev", name]);
    await run("ip", ["-6", "address", "add", `${v6}/128`, "dev", name, "nodad"]);
    await run("ip", ["link", "set", name, "up"]);
  } catch (error) {
    await cleaner.clean();
    throw error;
  }
  return { v4, v6, close: () => cleaner.clean() };
}
