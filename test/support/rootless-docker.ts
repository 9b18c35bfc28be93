/**
 * A rootless Docker daemon, of the user `nobody`. Needs root, which gives that user what a machine for such daemons has: numbers
 * for more users, and a `/dev/net/tun` that is open to all; both in a mount namespace of its own, so that nothing stays.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { openSync } from "node:fs";
import { chmod, chown, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Dockerode from "dockerode";
import { eventually } from "./eventually.ts";
import { guard } from "./guard.ts";
import { needs, needsRoot } from "./programs/needs.ts";

export interface RootlessDocker {
  docker: Dockerode;
  /** Value for `DOCKER_HOST`. */
  host: string;
  uid: number;
  gid: number;
  close(): Promise<void>;
}

const nobody = { name: "nobody", uid: 65_534, gid: 65_534 };
/** Away from the networks of this machine, of other daemons, and of slirp4netns. */
const addressPool = "base=10.214.0.0/16,size=26";

/**
 * Its route by hand: a machine that forwards packets, as Docker makes it, takes none that it is told of. And what stays on a bridge
 * passes no rules of IPv6: up to Docker 24, its own ones lose all neighbour solicitation in a closed network (moby/moby#45460).
 */
const bridgedFile = "/proc/sys/net/bridge/bridge-nf-call-ip6tables";
const inside = `ip -6 address add fd00::100/64 dev tap0 nodad
ip -6 route add default via fd00::2 dev tap0
[ ! -e ${bridgedFile} ] || echo 0 >${bridgedFile}
rm -f /run/docker /run/containerd /run/xtables.lock
exec dockerd "$@"`;
/** `$1` is the directory, `$2` runs inside; the rest are words of `dockerd`. As `dockerd-rootless.sh` does it, which not every package has. */
const script = `set -e
for file in /etc/subuid /etc/subgid; do : >>$file; mount --bind $1/subids $file; done
mknod -m 666 $1/tun c 10 200
mount --bind $1/tun /dev/net/tun
mount --make-rshared /
shift
exec setpriv --reuid ${nobody.uid} --regid ${nobody.gid} --clear-groups rootlesskit \
  --net=slirp4netns --ipv6 --mtu=65520 --disable-host-loopback --port-driver=builtin \
  --copy-up=/etc --copy-up=/run --propagation=rslave sh -c "$@"`;
const cleaning = `kill "$1"; while kill -0 "$1"; do sleep 0.1; done; rm -rf "$2"`;

export async function startRootlessDocker(): Promise<RootlessDocker> {
  needs("dockerd", "rootlesskit", "newuidmap", "slirp4netns", "ip", "iptables");
  needsRoot("give an ordinary user numbers for more users");
  const directory = await mkdtemp(join(tmpdir(), "fl-rootless-"));
  await chmod(directory, 0o755);
  await writeFile(join(directory, "subids"), `${nobody.name}:524288:65536\n`);
  const own = join(directory, "own");
  await mkdir(own);
  await chown(own, nobody.uid, nobody.gid);
  const socketPath = join(own, "d.sock");
  const host = `unix://${socketPath}`;
  const places = ["--data-root", join(own, "data"), "--exec-root", join(own, "exec")];
  const flags = [
    ...places,
    "--pidfile",
    join(own, "pid"),
    "--default-address-pool",
    addressPool,
    "--experimental",
    "--ip6tables",
  ];
  const logFile = join(directory, "log");
  const log = openSync(logFile, "a");
  const child = spawn(
    "unshare",
    ["-m", "sh", "-c", script, "sh", directory, inside, "dockerd", ...flags, "--host", host],
    {
      stdio: ["ignore", log, log],
      env: { PATH: `${process.env["PATH"] ?? ""}:/usr/sbin:/sbin`, HOME: own, XDG_RUNTIME_DIR: own },
      // What ends this process leaves it to the guard.
      detached: true,
    },
  );
  child.unref();
  const cleaner = guard(cleaning, String(child.pid), directory);
  const ended = once(child, "exit");
  const docker = new Dockerode({ socketPath });
  try {
    await eventually(async () => (await docker.ping()) !== undefined, { timeoutMs: 30_000 });
  } catch (error) {
    const said = await readFile(logFile, "utf8").catch(() => "");
    await cleaner.clean();
    throw new Error(`the rootless daemon did not start: ${said.slice(-1_000)}`, { cause: error });
  }
  return {
    docker,
    host,
    uid: nobody.uid,
    gid: nobody.gid,
    async close() {
      child.kill("SIGTERM");
      await ended;
      cleaner.dismiss();
      await rm(directory, { recursive: true, force: true, maxRetries: 10 });
    },
  };
}
