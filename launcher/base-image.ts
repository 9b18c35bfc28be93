/**
 * The image for jobs where no registry can be reached: a static busybox with a link for each of its programs,
 * imported into Docker as `forgeline/base:1`. It carries the label that tells runners not to pull it.
 */
import { execFile } from "node:child_process";
import { access, readFile } from "node:fs/promises";
import { constants } from "node:fs";
import { promisify } from "node:util";
import type Dockerode from "dockerode";
import { pack, type Pack } from "tar-stream";

export const baseImageName = "forgeline/base:1";

const run = promisify(execFile);
const candidates = ["/bin/busybox", "/usr/bin/busybox", "/usr/local/bin/busybox"];
const directories = [
  "bin",
  "dev",
  "etc",
  "etc/ssl",
  "etc/ssl/certs",
  "home",
  "proc",
  "root",
  "run",
  "sys",
  "tmp",
  "usr",
];
const files: Record<string, string> = {
  "etc/passwd":
    "root:x:0:0:root:/root:/bin/sh\nbuilder:x:1000:1000:builder:/home:/bin/sh\nnobody:x:65534:65534:nobody:/:/bin/false\n",
  "etc/group": "root:x:0:\nbuilder:x:1000:\nnogroup:x:65534:\n",
  "etc/hosts": "127.0.0.1 localhost\n",
  "etc/nsswitch.conf": "hosts: files dns\n",
};

/** Makes the image when it is absent. Throws when this machine has no static busybox. */
export async function ensureBaseImage(docker: Dockerode): Promise<{ built: boolean }> {
  try {
    await docker.getImage(baseImageName).inspect();
    return { built: false };
  } catch (error) {
    if ((error as { statusCode?: number }).statusCode !== 404) throw error;
  }
  const archive = await rootFileSystem(await findBusybox());
  // The types of tar-stream's streams are its own, older than Node's.
  const stream = await docker.importImage(archive as unknown as NodeJS.ReadableStream, {
    fromSrc: "-",
    // In one word, since Podman takes no tag beside it.
    repo: baseImageName,
    changes: [
      "LABEL forgeline.imported=1",
      "ENV PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
      'CMD ["/bin/sh"]',
    ],
  });
  await new Promise<void>((resolve, reject) => {
    docker.modem.followProgress(stream, (error) => (error === null ? resolve() : reject(error)));
  });
  return { built: true };
}

export async function hasBusybox(): Promise<boolean> {
  return (await busyboxPath()) !== undefined;
}

async function busyboxPath(): Promise<string | undefined> {
  for (const path of candidates) {
    try {
      await access(path, constants.X_OK);
      return path;
    } catch {
      continue;
    }
  }
  return undefined;
}

async function findBusybox(): Promise<string> {
  const path = await busyboxPath();
  if (path === undefined)
    throw new Error(
      `No image registry can be reached, and this machine has no busybox to make ${baseImageName} from: install busybox-static (Debian, Ubuntu: sudo apt-get install busybox-static).`,
    );
  return path;
}

async function rootFileSystem(busybox: string): Promise<Pack> {
  const { stdout } = await run(busybox, ["--list"]);
  const applets = stdout.split("\n").filter((name) => name !== "" && name !== "busybox");
  const archive = pack();
  for (const name of directories) {
    archive.entry({ name, type: "directory", mode: name === "tmp" ? 0o1777 : 0o755 });
  }
  archive.entry({ name: "bin/busybox", mode: 0o755 }, await readFile(busybox));
  for (const applet of applets)
    archive.entry({ name: `bin/${applet}`, type: "symlink", linkname: "busybox" });
  // Scripts of other images often name these places.
  archive.entry({ name: "usr/bin", type: "symlink", linkname: "../bin" });
  archive.entry({ name: "sbin", type: "symlink", linkname: "bin" });
  for (const [name, text] of Object.entries(files)) archive.entry({ name, mode: 0o644 }, text);
  archive.finalize();
  return archive;
}
