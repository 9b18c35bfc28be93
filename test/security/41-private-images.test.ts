/**
 * Rows 41 and 82: an image that another tenant's job had pulled lies in the machine's cache. Nobody's job uses it unless the registry
 * says so again, for that job, whatever the image is called, wherever the file names it, and whatever its labels say.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ensureBaseImage } from "@forgeline/launcher/base-image.ts";
import { buildService } from "../support/lease-spec.ts";
import { isFull } from "../support/size.ts";
import {
  startSmallRegistry,
  type AddedImage,
  type RegistryMode,
  type SmallRegistry,
} from "../support/small-registry.ts";
import {
  docker,
  engineBed,
  never,
  runToEnd,
  step,
  type EngineBed,
} from "../integration/runner/docker-job.ts";

/** Both say of themselves that they were made on this machine. */
const labels = { "forgeline.imported": "1", "forgeline.kind": "helper" };
let registry: SmallRegistry;
let image: AddedImage;
/** Ids of what was pulled. */
const pulled: string[] = [];
let name: string;
let bed: EngineBed;

const bare = (id: string) => id.replace("sha256:", "");
const spellings: [string, () => string][] = [
  ["its name", () => name],
  ["its name without a tag", () => name.replace(/:latest$/, "")],
  ["its digest", () => `${registry.host}/b/private@${image.digest}`],
  ["its name and its digest", () => `${name}@${image.digest}`],
  ["its id", () => image.id],
  ["its id without the algorithm", () => bare(image.id)],
  ["its short id", () => bare(image.id).slice(0, 12)],
  ["its id behind its repository", () => `${registry.host}/b/private@${image.id}`],
  ["its digest behind another repository", () => `${registry.host}/a/own@${image.digest}`],
  ["its digest alone", () => image.digest],
];
const moods: RegistryMode[] = [401, 403, 404, 500, "down"];

/** Each spelling meets each place, while the registry answers in two of the five ways; at full size, in all of them. */
const spellingsFor = (mood: RegistryMode, place: number) =>
  spellings.filter((_, at) => isFull || [0, 1].includes((at + place + moods.indexOf(mood)) % 5));

beforeAll(async () => {
  await ensureBaseImage(docker);
  registry = await startSmallRegistry();
  image = await registry.add("b/private", "latest", { labels });
  pulled.push(image.id);
  name = `${registry.host}/b/private:latest`;
  bed = await engineBed({ poolSize: 1 });
  await bed.inJob({ image: { name, user: null } }, () => Promise.resolve());
});
afterAll(async () => {
  await bed?.close();
  await registry?.close();
  for (const id of pulled) await docker.getImage(id).remove({ force: true });
});

const refusal = (asked: string) => ({
  code: "image_pull",
  message: expect.stringMatching(
    new RegExp(`^Image "${asked.replaceAll(/[.:/@]/g, "\\$&")}" could not be pulled: `),
  ),
});

it("B's job may use it, and leaves it in the cache with its digest", async () => {
  await registry.be("open");
  await bed.inJob({ image: { name, user: null } }, async (environment) => {
    expect((await runToEnd(environment, step(0, "echo of B"))).output).toBe("of B\n");
  });
  const { Id, RepoDigests } = await docker.getImage(name).inspect();
  expect([Id, RepoDigests]).toEqual([image.id, [`${registry.host}/b/private@${image.digest}`]]);
});

describe.each(moods)("while the registry answers %s", (mood) => {
  beforeAll(() => registry.be(mood));

  it("a job's image is refused by each of them", async () => {
    for (const [, spell] of spellingsFor(mood, 0))
      await expect(bed.prepare({ image: { name: spell(), user: null } })).rejects.toMatchObject(
        refusal(spell()),
      );
  });

  it("a step's and a service's image is refused by each of them", async () => {
    await bed.inJob({}, async (environment) => {
      for (const [, spell] of spellingsFor(mood, 1)) {
        const other = { name: spell(), user: null };
        const own = environment.runStep(step(0, "echo stolen", { image: other }), never);
        await expect(own).rejects.toMatchObject(refusal(other.name));
        const service = { ...buildService("web", "sleep 100"), image: other };
        const started = environment.startServices([service], () => undefined, never);
        await expect(started).rejects.toMatchObject(refusal(other.name));
      }
    });
  });
});

describe("credentials of a job", () => {
  const credentials = { username: "bot", password: "pass:word" };
  const refused = { ...credentials, password: "guessed" };
  beforeAll(() => registry.be("for bot:pass:word"));

  it("open what they are for, in the job's, a step's and a service's image, by name and by digest", async () => {
    for (const own of [name, `${registry.host}/b/private@${image.digest}`]) {
      const authorized = { name: own, user: null, credentials };
      await bed.inJob({ image: authorized }, async (environment) => {
        const other = await runToEnd(environment, step(0, "echo opened", { image: authorized }));
        expect(other.output).toBe("opened\n");
        const service = { ...buildService("web", "sleep 100"), image: authorized };
        await environment.startServices([service], () => undefined, never);
      });
    }
  });

  it("are the job's alone: the next job without them, or with others, is refused", async () => {
    for (const given of [undefined, refused])
      for (const own of [name, `${registry.host}/b/private@${image.digest}`])
        await expect(
          bed.prepare({ image: { name: own, user: null, ...(given && { credentials: given }) } }),
        ).rejects.toMatchObject({ code: "image_pull" });
  });
});

describe("a container of it that waits", () => {
  const waiting = async () => {
    const filters = { label: [`forgeline.runner=${bed.runnerId}`, "forgeline.kind=job"] };
    return (await docker.listContainers({ filters })).filter(({ ImageID }) => ImageID === image.id);
  };

  it("serves nobody whom the registry refuses, and then whom it does not", async () => {
    await registry.be("open");
    await bed.inJob({ image: { name, user: null } }, () => Promise.resolve());
    await bed.engine.warm();
    const [one, ...more] = await waiting();
    expect(more).toEqual([]);
    for (const mood of moods) {
      await registry.be(mood);
      for (const [, spell] of spellingsFor(mood, 2))
        await expect(bed.prepare({ image: { name: spell(), user: null } })).rejects.toMatchObject(
          refusal(spell()),
        );
    }
    expect((await waiting()).map(({ Id }) => Id)).toEqual([one?.Id]);
    await registry.be("open");
    const environment = await bed.prepare({ image: { name, user: null } });
    expect(environment.handle.containerId).toBe(one?.Id);
    await environment.destroy();
  });

  it("is not made beforehand of an image that only says that it is the machine's own", async () => {
    const kind = { image: { name, user: null }, extraHosts: [], caFile: null };
    const runnerId = `${bed.runnerId}w`;
    const another = bed.another({ poolSize: 1, warmFirst: [kind], runnerId });
    try {
      await another.warm();
      const filters = { label: [`forgeline.runner=${runnerId}`] };
      expect(await docker.listContainers({ all: true, filters })).toEqual([]);
    } finally {
      await another.close();
    }
  });
});

it.each([
  ["by its tag", () => name],
  ["by its digest", () => `${registry.host}/b/private@${image.digest}`],
])("the registry is asked for each use %s, and its yes is enough", async (_how, spell) => {
  await registry.be("open");
  for (let use = 0; use < 2; use += 1) {
    const before = registry.asked().length;
    await bed.inJob({ image: { name: spell(), user: null } }, () => Promise.resolve());
    const asked = registry.asked().slice(before);
    expect(asked.some((each) => /^(HEAD|GET) b\/private\/manifests\//.test(each))).toBe(true);
    // What is here already is not transferred again.
    expect(asked.filter((each) => each.includes("/blobs/") && !each.includes(bare(image.id)))).toEqual([]);
  }
});

it("a pull that fails halfway is none, though an older image of that name is here", async () => {
  await registry.be("open");
  const moving = `${registry.host}/b/moving:1`;
  const { id } = await registry.add("b/moving", "1", { files: { "bin/age": "older" } });
  await bed.inJob({ image: { name: moving, user: null } }, () => Promise.resolve());
  pulled.push(id);
  await registry.add("b/moving", "1", { files: { "bin/age": "newer" } });
  await registry.be("no contents");
  await expect(bed.prepare({ image: { name: moving, user: null } })).rejects.toMatchObject(refusal(moving));
});
