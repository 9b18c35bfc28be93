/**
 * Names of refs, paths and revisions that a program would take for an option, a shell for a command, or Git for another
 * expression, given to every operation over REST: no canary file comes to be, and no Git process gets such a word where it could
 * act on it.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { documentedOperations } from "../../support/openapi-operations.ts";
import { isFull } from "../../support/size.ts";
import { corpus, isHarmless, startArgumentBed, withoutHarmless, type ArgumentBed } from "./bed.ts";

let bed: ArgumentBed;
beforeAll(async () => {
  bed = await startArgumentBed();
});
afterAll(() => bed?.close());

/** A third of the words, another third at the next turn; at full size all of them. */
const partOf = (words: readonly string[], turn: number) =>
  words.filter((_, at) => isFull || (at + turn) % 3 === 0);

const parameterNames = ["ref", "path", "sha", "basehead", "branch", "name"];
/** The highest status for names that Git would read in another way: those of files, and those that Git never sees. */
const mayHaveSuchNames: Readonly<Record<string, number>> = {
  putContents: 201,
  putEnvironment: 204,
  deleteEnvironment: 204,
  getDeploymentStatistics: 200,
};
const operations = documentedOperations.filter(({ contract }) =>
  contract.path.startsWith("/repos/:owner/:repo/"),
);

describe("over REST", () => {
  const inPath = operations.filter(({ contract }) =>
    parameterNames.some((name) => new RegExp(`[:*]${name}\\b`).test(contract.path)),
  );

  it("there are operations to try", () => {
    expect(inPath.length).toBeGreaterThan(12);
  });

  it.each(inPath.map((each, turn) => [each.id, each, turn] as const))("%s", async (_id, each, turn) => {
    const since = await bed.starts();
    const before = await bed.client.git.ok(["ls-remote", bed.url]);
    for (const text of partOf(corpus, turn)) {
      const bad = bed.withCanary(text);
      const max = mayHaveSuchNames[each.id] ?? 0;
      for (const form of each.contract.path.includes("basehead")
        ? [`main...${bad}`, `${bad}...main`]
        : [bad]) {
        const repository = { owner: "ada", repo: "engine", ref: "main", path: "a.txt" };
        const named = parameterNames.filter((name) => new RegExp(`[:*]${name}\\b`).test(each.contract.path));
        for (const name of named) {
          const path = each.address({ ...repository, [name]: form });
          const body = each.body?.example;
          const answer = await bed.server.api(each.method, path, {
            token: bed.ada.token,
            ...(body ? { body } : {}),
          });
          const asItShould = (answer.status >= 400 && answer.status < 500) || answer.status <= max;
          expect([path, asItShould, answer.status]).toEqual([path, true, answer.status]);
        }
      }
    }
    await bed.nothingHappened(since);
    if (each.id === "putContents")
      await bed.client.git.ok(["push", "-q", "--force", bed.url, "main"], { cwd: bed.tree });
    expect(await bed.client.git.ok(["ls-remote", bed.url])).toBe(before);
  });

  it.each([
    ["GET", "contents?ref="],
    ["GET", "contents/a.txt?ref="],
    ["GET", "commits?ref="],
    ["GET", "commits?path="],
    ["GET", "commits?author="],
    ["GET", "patches/main?path="],
    ["GET", "pipelines?ref="],
    ["GET", "codeowners/errors?ref="],
    ["GET", "codeowners/owners?ref="],
    ["GET", "codeowners/owners?path="],
  ])("%s %s", async (method, path) => {
    const since = await bed.starts();
    for (const text of partOf(corpus, path.length)) {
      const address = `/repos/ada/engine/${path}${encodeURIComponent(bed.withCanary(text))}`;
      const { status } = await bed.server.api(method, address, { token: bed.ada.token });
      expect([address, status < 500]).toEqual([address, true]);
    }
    await bed.nothingHappened(since);
  });

  it.each([
    ["POST", "branches", (bad: string) => ({ name: bad, ref: "main" })],
    ["POST", "branches", (bad: string) => ({ name: "fine", ref: bad })],
    ["POST", "tags", (bad: string) => ({ name: bad, ref: "main" })],
    ["POST", "tags", (bad: string) => ({ name: "fine", ref: bad, message: "x" })],
    ["PUT", "contents/new.txt", (bad: string) => ({ message: "x", content: "eA==", branch: bad })],
    ["POST", "pipelines", (bad: string) => ({ ref: bad })],
    ["POST", "pipelines/plan", (bad: string) => ({ ref: bad })],
    ["POST", "pipelines/plan", (bad: string) => ({ before: bad })],
    ["PATCH", "", (bad: string) => ({ default_branch: bad })],
  ])("%s %s with a bad field %#", async (method, path, bodyOf) => {
    const since = await bed.starts();
    const before = await bed.client.git.ok(["ls-remote", bed.url]);
    for (const text of partOf(corpus, path.length)) {
      const body = bodyOf(bed.withCanary(text));
      const answer = await bed.server.api(method, `/repos/ada/engine/${path}`.replace(/\/$/, ""), {
        token: bed.ada.token,
        body,
      });
      const { name } = body as { name?: string };
      const isRefused = answer.status >= 400 && answer.status < 500;
      const mayBe = name !== undefined && isHarmless(`refs/heads/${name}`);
      expect([body, isRefused || mayBe, answer.status, answer.text]).toEqual([
        body,
        true,
        answer.status,
        answer.text,
      ]);
    }
    expect(withoutHarmless(await bed.client.git.ok(["ls-remote", bed.url]))).toEqual(withoutHarmless(before));
    await bed.nothingHappened(since);
  });

  it("authors and messages of commits are text", async () => {
    const since = await bed.starts();
    let texts = 0;
    for (const text of ["--output=%", "-F%", "$(touch %)", "--author=%"]) {
      const bad = bed.withCanary(text);
      const body = { message: bad, content: "eA==", author: { name: bad, email: "a@example.org" } };
      const path = `/repos/ada/engine/contents/text-${texts++}.txt`;
      const answer = await bed.server.api("PUT", path, { token: bed.ada.token, body });
      expect([answer.status, answer.json.commit?.message]).toEqual([200, `${bad}\n`]);
    }
    await bed.nothingHappened(since);
    await bed.client.git.ok(["push", "-q", "--force", bed.url, "main"], { cwd: bed.tree });
  });
});
