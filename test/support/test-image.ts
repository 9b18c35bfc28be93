/** Small images for tests, imported from a tar: a busybox with what a test adds or leaves out. */
import { execFile } from "node:child_process";
import { readFile, realpath } from "node:fs/promises";
import { promisify } from "node:util";
import type Dockerode from "dockerode";
import { pack, type Pack } from "tar-stream";

const run = promisify(execFile);

export interface TestImage {
  /** With its tag. */
  name: string;
  /** Programs of the host that come along with their libraries; `as` are names in /bin. */
  programs?: readonly { path: string; as: readonly string[] }[];
  /** Names in /bin that lead to busybox; default: everything it has. */
  applets?: readonly string[];
  withoutApplets?: readonly string[];
  /** Programs by their path in the image, such as scripts. */
  files?: Readonly<Record<string, string>>;
  /** Symbolic links by their path in the image. */
  links?: Readonly<Record<string, string>>;
  /** Lines of a Dockerfile, such as `USER 1000:1000`. */
  changes?: readonly string[];
}

async function librariesOf(program: string): Promise<string[]> {
  const { stdout } = await run("ldd", [program]);
  return [...stdout.matchAll(/(\/[^ ]+) \(0x/g)].map((match) => match[1] ?? "");
}

/** Its file system, as a tar. */
export async function testImageFiles(
  image: Omit<TestImage, "name" | "changes">,
): Promise<NodeJS.ReadableStream> {
  const archive = pack() as unknown as NodeJS.ReadableStream & Pack;
  for (const name of ["bin", "etc", "lib", "lib64", "root", "home"])
    archive.entry({ name, type: "directory" });
  archive.entry({ name: "tmp", type: "directory", mode: 0o1777 });
  archive.entry(
    { name: "etc/passwd" },
    "root:x:0:0:root:/root:/bin/sh\nbuilder:x:1000:1000::/home:/bin/sh\n",
  );
  archive.entry({ name: "bin/busybox", mode: 0o755 }, await readFile("/bin/busybox"));
  const taken = new Set(["busybox"]);
  for (const [name, text] of Object.entries(image.files ?? {})) {
    archive.entry({ name, mode: 0o755 }, text);
    taken.add(name.replace(/^bin\//, ""));
  }
  for (const [name, linkname] of Object.entries(image.links ?? {}))
    archive.entry({ name, type: "symlink", linkname });
  const libraries = new Set<string>();
  for (const { path, as } of image.programs ?? []) {
    const [first, ...others] = as;
    if (first === undefined) continue;
    archive.entry({ name: `bin/${first}`, mode: 0o755 }, await readFile(path));
    for (const other of others) archive.entry({ name: `bin/${other}`, type: "symlink", linkname: first });
    for (const name of as) taken.add(name);
    for (const library of await librariesOf(path)) libraries.add(library);
  }
  for (const library of libraries) {
    archive.entry({ name: library.slice(1), mode: 0o755 }, await readFile(await realpath(library)));
  }
  const all =
    image.applets ?? (await run("/bin/busybox", ["--list"])).stdout.split("\n").filter((name) => name !== "");
  for (const applet of all) {
    if (taken.has(applet) || image.withoutApplets?.includes(applet) === true) continue;
    archive.entry({ name: `bin/${applet}`, type: "symlink", linkname: "busybox" });
  }
  archive.finalize();
  return archive;
}

export async function importTestImage(docker: Dockerode, image: TestImage): Promise<void> {
  const archive = await testImageFiles(image);
  const changes = ["ENV PATH=/bin", ...(image.changes ?? [])];
  const options = { fromSrc: "-", repo: image.name, changes };
  const stream = await docker.importImage(archive, options);
  await new Promise<void>((resolve, reject) => {
    docker.modem.followProgress(stream, (error) => (error === null ? resolve() : reject(error)));
  });
}
