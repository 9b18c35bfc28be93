/** Which images are used without a registry, against a daemon that answers as it is told. */
import { once } from "node:events";
import { setImmediate } from "node:timers/promises";
import type Dockerode from "dockerode";
import { expect, it } from "vitest";
import { createDaemon } from "@forgeline/runner/engine/docker/daemon.ts";
import { createImageStore } from "@forgeline/runner/engine/docker/images.ts";

const digest = `r.example/app@sha256:${"a".repeat(64)}`;
const absent = Object.assign(new Error("no such image"), { statusCode: 404 });
const refused = Object.assign(new Error("denied"), { statusCode: 401 });

interface Told {
  image: { tags?: string[]; digests?: string[]; labels?: Record<string, string> } | null;
  /** What a pull says at its end, and in lines of its answer. */
  pull?: Error | { error?: string }[] | "goes on until it is ended";
  mayHave?: boolean;
  /** Newest last. */
  here?: { tag: string; digest?: string }[];
}

function storeOn(told: Told, localImages: string[] | "all" = []) {
  const asked: string[] = [];
  const inspect = async () => {
    if (told.image === null) throw absent;
    const { tags = [], digests = [], labels = {} } = told.image;
    return { Id: "sha256:here", RepoTags: tags, RepoDigests: digests, Config: { Labels: labels } };
  };
  const docker = {
    getImage: () => ({ inspect }),
    listImages: async () =>
      (told.here ?? []).map(({ tag, digest: known }, Created) => ({
        RepoTags: [tag],
        RepoDigests: known ? [known] : [],
        Created,
      })),
    async pull(name: string, { abortSignal }: { abortSignal: AbortSignal }) {
      asked.push(`pull ${name}`);
      if (told.pull === "goes on until it is ended") {
        await once(abortSignal, "abort");
        throw new Error("aborted");
      }
      if (told.pull instanceof Error) throw told.pull;
      return told.pull ?? [];
    },
    modem: {
      dial({ path }: { path: string }, done: (error: Error | null) => void) {
        asked.push(`ask ${path}`);
        done(told.mayHave === false ? refused : null);
      },
      followProgress: (lines: unknown[], done: (error: null, lines: unknown[]) => void) => done(null, lines),
    },
  };
  const store = createImageStore({
    docker: docker as unknown as Dockerode,
    daemon: createDaemon(1_000),
    localImages,
    checkRegistry: async (name) => {
      if (name.startsWith("10.")) throw new Error("not from here");
    },
  });
  const resolve = (name: string, pull?: "always") =>
    store.resolve(pull ? { name, pull } : { name }, () => undefined, new AbortController().signal);
  return { asked, resolve, stopPulls: store.stopPulls };
}

it("uses what was made on the machine as it is", async () => {
  const { asked, resolve } = storeOn({ image: { tags: ["made/here:1"] } });
  expect(await resolve("made/here:1")).toMatchObject({ id: "sha256:here" });
  expect(asked).toEqual([]);
});

it.each([
  ["was made on the machine", { tags: ["base:1"] }, []],
  ["the operator named", { tags: ["base:1"], digests: [digest] }, ["base:1"]],
])(
  "asks the registry with `pull: always` for what %s, and uses nothing else",
  async (_what, image, named) => {
    const open = storeOn({ image }, named);
    expect(await open.resolve("base:1", "always")).toMatchObject({ id: "sha256:here" });
    expect(open.asked).toEqual(["pull base:1"]);
    const closed = storeOn({ image, pull: refused }, named);
    await expect(closed.resolve("base:1", "always")).rejects.toMatchObject({
      code: "image_pull",
      message: expect.stringContaining(
        'The copy on this runner is not used, because the file says "pull: always".',
      ),
    });
  },
);

it.each([
  ["from a registry", {}],
  ["that says of itself that it was imported", { "forgeline.imported": "1" }],
])("asks the registry again for an image %s", async (_what, labels) => {
  const { asked, resolve } = storeOn({
    image: { tags: ["app:1"], digests: [digest], labels },
    pull: refused,
  });
  await expect(resolve("app:1")).rejects.toMatchObject({ code: "image_pull" });
  expect(asked).toEqual(["pull app:1"]);
});

it("has the registry asked for what is named by its digest, before the daemon takes it out of its cache", async () => {
  const { asked, resolve } = storeOn({ image: { digests: [digest] }, mayHave: false });
  await expect(resolve(digest)).rejects.toMatchObject({ code: "image_pull" });
  expect(asked).toEqual([`ask /distribution/${digest}/json`]);
});

it.each(["10.0.0.5:5000/app", `10.0.0.5:5000/app@sha256:${"a".repeat(64)}`])(
  "asks no registry that may not be asked, not even whether it would give %s",
  async (name) => {
    const { asked, resolve } = storeOn({ image: null });
    await expect(resolve(name)).rejects.toThrow("not from here");
    expect(asked).toEqual([]);
  },
);

it("ends a pull where the disk is almost full, and says that this is why", async () => {
  const { asked, resolve, stopPulls } = storeOn({ image: null, pull: "goes on until it is ended" });
  const resolved = resolve("app:1");
  while (asked.length === 0) await setImmediate();
  stopPulls();
  await expect(resolved).rejects.toMatchObject({
    code: "disk_full",
    message: `The runner's disk was almost full while image "app:1" was being pulled.`,
  });
});

it("names only images that are there for everybody's jobs when one cannot be pulled", async () => {
  const here = [
    { tag: "forgeline/base:1" },
    { tag: "gina/secret-project:1" },
    { tag: "forgeline/of-a-registry:1", digest },
    { tag: "node:24", digest },
  ];
  const lacking = { image: null, pull: new Error("no such host"), here };
  const list = (names: string) => `Images that are on this runner for all jobs: ${names}.`;
  await expect(storeOn(lacking, ["node:24"]).resolve("app:1")).rejects.toThrow(
    `Image "app:1" could not be pulled: no such host. ${list("node:24, forgeline/base:1")}`,
  );
  await expect(storeOn(lacking, "all").resolve("app:1")).rejects.toThrow(
    list("gina/secret-project:1, forgeline/base:1"),
  );
});

it("takes no image whose pull fails once its answer has begun", async () => {
  const { resolve } = storeOn({
    image: { tags: ["app:1"], digests: [digest] },
    pull: [{}, { error: "unauthorized" }],
  });
  await expect(resolve("app:1")).rejects.toThrow("unauthorized");
});

it("asks nobody for an image that the operator named, in short or in full", async () => {
  const image = { tags: ["base:latest"], digests: [digest] };
  for (const name of ["base", "base:latest"]) {
    const { asked, resolve } = storeOn({ image }, [name]);
    expect(await resolve("base:latest")).toMatchObject({ id: "sha256:here" });
    expect(asked).toEqual([]);
  }
  const { asked, resolve } = storeOn({ image: { tags: ["base:2"], digests: [digest] } }, ["base"]);
  await resolve("base:2");
  expect(asked).toEqual(["pull base:2"]);
});

it("knows an image under the whole name that Podman lists it by", async () => {
  for (const listed of ["docker.io/acme/base:1", "localhost/acme/base:1"]) {
    const { asked, resolve } = storeOn({ image: { tags: [listed], digests: [digest] } }, ["acme/base:1"]);
    expect(await resolve("acme/base:1")).toMatchObject({ id: "sha256:here" });
    expect(asked).toEqual([]);
  }
});
