/**
 * A Podman of its own for one test file: own storage, own networks, own configuration. As root it shares the network of the
 * machine with its Docker daemon, and leaves alone what is not its own; as `nobody` it is rootless, with a network of its own.
 */
import { spawn } from "node:child_process";
import { openSync } from "node:fs";
import { chmod, chown, mkdir, mkdtemp, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Dockerode from "dockerode";
import { eventually } from "./eventually.ts";
import { guard } from "./guard.ts";
import { needs, needsRoot } from "./programs/needs.ts";

export interface Podman {
  docker: Dockerode;
  /** Value for `DOCKER_HOST`. */
  host: string;
  uid: number;
  gid: number;
  /** Removes all containers and networks, then the service and its files. */
  close(): Promise<void>;
}

const nobody = { name: "nobody", uid: 65_534, gid: 65_534 };

/**
 * Away from the networks of this machine and of other daemons. The limits are those of this process, since a machine may not let its
 * root raise them; runc, since crun refuses machines that have control groups of both versions.
 */
const configuration = (block: number, openFiles: number): string => `[containers]
default_ulimits = ["nofile=${String(openFiles)}:${String(openFiles)}", "nproc=10000:10000"]
[engine]
runtime = "runc"
[network]
network_backend = "netavark"
default_subnet = "10.216.${String(block)}.192/26"
default_subnet_pools = [{ "base" = "10.216.${String(block)}.0/25", "size" = 28 }]
`;

/** `$1` is the directory; the rest is the program. What a machine for rootless Podman has, which stays in this mount namespace. */
const asNobody = `set -e
for file in /etc/subuid /etc/subgid; do : >>$file; mount --bind $1/subids $file; done
mknod -m 666 $1/tun c 10 200
mount --bind $1/tun /dev/net/tun
shift
exec setpriv --reuid ${String(nobody.uid)} --regid ${String(nobody.gid)} --clear-groups "$@"`;
const asRoot = `shift; exec "$@"`;
/**
 * All processes that have its directory among their words: the service, which runs on in a child where it is rootless, and what it
 * started. Its firewall keeps rules of bridges that are gone.
 */
const cleaning = `for process in /proc/[0-9]*; do
  tr '\\0' ' ' <"$process/cmdline" | grep -q "$2/own/" && kill -s KILL "\${process#/proc/}"
done
kill -s KILL "$(cat "$2/own/tmp/pause.pid")"
while kill -0 "$1"; do sleep 0.1; done
iptables -w -S | sed -En 's/^-A (NETAVARK_ISOLATION_[12] -[io] ([^ ]+) .*)/\\2 \\1/p' | while read -r bridge rule; do
  [ -e "/sys/class/net/$bridge" ] || iptables -w -D $rule
done
umount -l "$2/own/root/overlay"
rm -rf "$2"`;

function serviceWords(own: string, socketPath: string): string[] {
  const places = ["--root", join(own, "root"), "--runroot", join(own, "run"), "--tmpdir", join(own, "tmp")];
  const network = ["--network-config-dir", join(own, "net")];
  const how = ["--cgroup-manager", "cgroupfs", "--storage-driver", "overlay"];
  return ["podman", ...places, ...network, ...how, "system", "service", "--time=0", `unix://${socketPath}`];
}

/** `openFiles`: with more than the kernel allows, it starts no container. */
export async function startPodman({ isRootless = false, openFiles = 10_000 } = {}): Promise<Podman> {
  needs("podman", "netavark", "aardvark-dns", "runc", "ip", "iptables");
  if (isRootless) needs("newuidmap", "slirp4netns");
  needsRoot("start a Podman");
  const { uid, gid } = isRootless ? nobody : { uid: 0, gid: 0 };
  // Podman refuses a place for its state of more than 50 characters.
  const directory = await mkdtemp(join(tmpdir(), "pm-"));
  await chmod(directory, 0o755);
  await writeFile(join(directory, "subids"), `${nobody.name}:589824:65536\n`);
  const own = join(directory, "own");
  await mkdir(own, { mode: 0o700 });
  await chown(own, uid, gid);
  const settings = join(directory, "containers.conf");
  await writeFile(settings, configuration(process.pid % 256, openFiles));
  const socketPath = join(own, "p.sock");
  const logFile = join(directory, "log");
  const log = openSync(logFile, "a");
  const words = ["sh", directory, ...serviceWords(own, socketPath)];
  const child = spawn(
    "unshare",
    [...(isRootless ? ["-m"] : ["--"]), "sh", "-c", isRootless ? asNobody : asRoot, ...words],
    {
      // Podman's monitors write notes about memory there.
      cwd: own,
      stdio: ["ignore", log, log],
      env: {
        PATH: `${process.env["PATH"] ?? ""}:/usr/sbin:/sbin`,
        HOME: own,
        XDG_RUNTIME_DIR: own,
        CONTAINERS_CONF: settings,
      },
      // What ends this process leaves it to the guard.
      detached: true,
    },
  );
  child.unref();
  const cleaner = guard(cleaning, String(child.pid), directory);
  const docker = new Dockerode({ socketPath });
  try {
    await eventually(async () => (await docker.ping()) !== undefined, { timeoutMs: 30_000 });
  } catch (error) {
    const said = await readFile(logFile, "utf8").catch(() => "");
    await cleaner.clean();
    throw new Error(`Podman did not start: ${said.slice(-1_000)}`, { cause: error });
  }
  return {
    docker,
    host: `unix://${socketPath}`,
    uid,
    gid,
    async close() {
      const containers = await docker.listContainers({ all: true });
      await Promise.all(containers.map(({ Id }) => docker.getContainer(Id).remove({ force: true, v: true })));
      await cleaner.clean();
    },
  };
}
