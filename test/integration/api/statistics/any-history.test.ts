/** Whatever the history, what is computed push by push is what is computed from nothing. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { startApiServer, type ApiServer, type TestPerson } from "../../../support/api-server.ts";
import { createGitClient, type GitClient } from "../../git/git-client.ts";
import { at, computedAnew, pushedRepository, seeded, type TestRepository } from "./pushed-repository.ts";

let server: ApiServer;
let git: GitClient;
let ada: TestPerson;

beforeAll(async () => {
  server = await startApiServer();
  [git, ada] = await Promise.all([createGitClient(server.caFile), server.person("ada")]);
});
afterAll(async () => {
  await git?.remove();
  await server?.stop();
});

const places = () => ({ server, git, owner: ada });

it("is the same forward, push by push, as from nothing", async () => {
  const one = await pushedRepository(places());
  const random = seeded(20_260_302);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!;
  const paths = [
    "a.ts",
    "b/c.py",
    "d.h",
    "vendor/e.rb",
    "f",
    "g.md",
    "b/h.rs",
    "i.m",
    "package.json",
    "b/yarn.lock",
  ];
  const texts = [
    "x = 1\n",
    "#!/usr/bin/env perl\nuse strict;\n",
    "@interface A\n",
    "\0",
    "a\nb\nc\n",
    "",
    "{}",
  ];
  const authors = ["Ada", "Bob", "Çelik", "<odd"].map((name, i) => ({
    GIT_AUTHOR_NAME: name.replace("<", ""),
    GIT_AUTHOR_EMAIL: i === 2 ? "" : `${name.toLowerCase().replace("<", "")}@example.org`,
  }));
  await one.commit({ "first.c": "int main;\n" });
  const signal = new AbortController().signal;
  for (let step = 0; step < 24; step += 1) {
    if (random() < 0.25) await mergeSide(one, `side${step}`, pick(paths));
    const present = await git.ok(["ls-files"], { cwd: one.tree });
    const path = pick(paths);
    const gone = random() < 0.25 && present.split("\n").includes(path);
    const day = new Date(Date.UTC(2026, 0, 1 + Math.floor(random() * 80))).toISOString().slice(0, 10);
    await one.commit({ [path]: gone ? null : pick(texts).repeat(1 + step) }, day, pick(authors));
    if (random() < 0.1) await one.commit({ ".gitattributes": `*.${pick(["h", "py"])} linguist-vendored\n` });
    if (random() < 0.5) continue;
    await one.push();
    // Twice at once: they count once.
    const { compute } = server.container.hosting.statistics;
    await Promise.all([compute(one.id, signal), compute(one.id, signal)]);
  }
  await one.push();
  while ((await server.container.hosting.statistics.compute(one.id, signal)).again);
  const forward = await one.rows();
  expect(forward.cursor[0]).toContain(await one.head());
  const counted = await git.ok(["rev-list", "--count", "HEAD"], { cwd: one.tree });
  expect(JSON.parse(forward.cursor[0]!).commits).toBe(Number(counted));
  expect(await computedAnew(places(), one)).toEqual(forward);
});

/** A merge of a branch that changed a file of its own. */
async function mergeSide(one: TestRepository, name: string, path: string): Promise<void> {
  await git.ok(["checkout", "-q", "-b", name], { cwd: one.tree });
  await one.commit({ [`${name}/${path}`]: "side\n" }, "2026-02-02");
  await git.ok(["checkout", "-q", "main"], { cwd: one.tree });
  await git.ok(["merge", "-q", "--no-ff", "--no-edit", name], { cwd: one.tree, env: at("2026-02-03") });
}
