/** The runner's own image: made once, found again by what it holds, and by nothing that another image could say of itself. */
import { createHash } from "node:crypto";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { pack } from "tar-stream";
import { createDaemon } from "@forgeline/runner/engine/docker/daemon.ts";
import { createOwnImage, ownLayer, type OwnLayer } from "@forgeline/runner/engine/docker/own-image.ts";
import type Dockerode from "dockerode";
import { startOwnDocker, type OwnDocker } from "../../support/own-docker.ts";

/** Runners of other tests use the image of the machine's daemon. */
let own: OwnDocker;
let docker: Dockerode;
let layer: OwnLayer;
/** As a runner that has just started. */
const fresh = () => createOwnImage(docker, createDaemon(5_000));

beforeAll(async () => {
  layer = await ownLayer();
  own = await startOwnDocker();
  ({ docker } = own);
});
afterAll(() => own?.close());

async function importAs(name: string, tar: Buffer, changes: string[]): Promise<string> {
  const [repo, tag] = name.split(":");
  const answer = await docker.importImage(Readable.from([tar]), { fromSrc: "-", repo, tag, changes });
  return /sha256:[0-9a-f]{64}/.exec((await buffer(answer)).toString())![0];
}

async function otherTar(): Promise<Buffer> {
  const archive = pack();
  archive.entry({ name: "init", mode: 0o755, mtime: new Date(0) }, "#!/bin/sh\n");
  archive.finalize();
  return buffer(archive as unknown as NodeJS.ReadableStream);
}

/** Ours below another layer, and a configuration that says as little as ours. */
async function withMore(): Promise<string> {
  const more = await otherTar();
  const diffIds = [layer.diffId, `sha256:${createHash("sha256").update(more).digest("hex")}`];
  const config = {
    os: "linux",
    architecture: "amd64",
    config: {},
    rootfs: { type: "layers", diff_ids: diffIds },
  };
  const archive = pack();
  const files = { "config.json": JSON.stringify(config), "ours.tar": layer.tar, "more.tar": more };
  for (const [name, bytes] of Object.entries(files)) archive.entry({ name }, bytes);
  const manifest = [{ Config: "config.json", RepoTags: [layer.imageName], Layers: ["ours.tar", "more.tar"] }];
  archive.entry({ name: "manifest.json" }, JSON.stringify(manifest));
  archive.finalize();
  await buffer(await docker.loadImage(archive as unknown as NodeJS.ReadableStream));
  return (await docker.getImage(layer.imageName).inspect()).Id;
}

describe("the runner's init image", () => {
  it("is the same bytes each time", async () => {
    const again = await ownLayer();
    expect([again.diffId, again.tar.equals(layer.tar)]).toEqual([layer.diffId, true]);
  });

  it("is made once, and used again by a runner that starts later", async () => {
    const runner = fresh();
    const id = await runner.id();
    expect([await runner.id(), await fresh().id()]).toEqual([id, id]);
    const { RootFS, Os } = await docker.getImage(id).inspect();
    expect([RootFS?.Layers, Os]).toEqual([[layer.diffId], "linux"]);
    expect(await docker.listImages({ all: true })).toHaveLength(1);
  });

  it("is made again when somebody removes it while the runner runs", async () => {
    const runner = fresh();
    const id = await runner.id();
    await docker.getImage(id).remove({ force: true });
    const next = await runner.id();
    expect(next).not.toBe(id);
    expect((await docker.getImage(next).inspect()).RootFS?.Layers).toEqual([layer.diffId]);
  });

  it.each<[string, () => Promise<string>]>([
    ["other bytes", async () => importAs(layer.imageName, await otherTar(), [])],
    ["our bytes and more", withMore],
    ["our bytes and a variable", () => importAs(layer.imageName, layer.tar, ["ENV LD_PRELOAD=/job/x.so"])],
    ["our bytes and a volume over them", () => importAs(layer.imageName, layer.tar, ["VOLUME /init"])],
    ["our bytes and a program", () => importAs(layer.imageName, layer.tar, ['ENTRYPOINT ["/job/x"]'])],
    ["our bytes and a user", () => importAs(layer.imageName, layer.tar, ["USER 1000"])],
    ["our bytes and our labels", () => importAs(layer.imageName, layer.tar, ["LABEL forgeline.kind=helper"])],
  ])("is none of its name that has %s", async (_what, make) => {
    const impostor = await make();
    const id = await fresh().id();
    expect(id).not.toBe(impostor);
    const { RootFS, Config } = await docker.getImage(id).inspect();
    expect(RootFS?.Layers).toEqual([layer.diffId]);
    expect(Object.values(Config as object).filter((value) => value && Object.keys(value).length > 0)).toEqual(
      [],
    );
  });
});
