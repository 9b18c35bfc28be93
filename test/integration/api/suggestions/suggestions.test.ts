/** Lines that comments suggest, applied in one commit on the source branch: by whom, and when not. */
import { afterAll, beforeAll, expect, it } from "vitest";
import {
  maxAppliedAtOnce,
  maxListedSuggestions,
  maxSuggestions,
} from "@forgeline/schemas/suggestions/resource.ts";
import { startApiServer, type ApiServer, type TestPerson } from "../../../support/api-server.ts";
import { branchesOver } from "../../../support/branches-over-rest.ts";
import { eventually } from "../../../support/eventually.ts";

let server: ApiServer;
let ada: TestPerson;
let grace: TestPerson;
const R = "/repos/ada/engine";
const M = `${R}/merge-requests/1`;
const lines = (changed: Record<number, string> = {}) =>
  Array.from({ length: 12 }, (_, index) => `${changed[index + 1] ?? index + 1}\n`).join("");
const as = (person: TestPerson) => (method: string, path: string, body?: unknown) =>
  server.api(method, path, { token: person.token, body });
const api: ReturnType<typeof as> = (...request) => as(ada)(...request);
const { put, branch, tipOf, commitOf } = branchesOver((...request) => api(...request), R);

beforeAll(async () => {
  server = await startApiServer();
  ada = await server.person("ada");
  grace = await server.person("grace");
  await api("POST", "/repos", { name: "engine", readme: true, private: false });
  await put("main", "a.txt", lines());
  await branch("topic", { "a.txt": lines({ 2: "two", 5: "five" }), "b.txt": "a\r\nb\r\nc" });
  await api("POST", `${R}/merge-requests`, { title: "Bring it", source_branch: "topic" });
});
afterAll(() => server?.stop());

const block = (text: string, around = "") => `Better:\n\n\`\`\`suggestion${around}\n${text}\`\`\`\n`;

/** A comment on lines of a file; what is needed to apply its suggestion. */
async function suggest(at: { path: string; line: number }, body: string, more: object = {}) {
  const made = await as(grace)("POST", `${M}/threads`, { ...at, body, ...more });
  expect([made.status, made.json.message]).toEqual([201, undefined]);
  const comment = made.json.comments[0].id as string;
  const found = (await listed()).find((each: { comment_id: string }) => each.comment_id === comment);
  const digest = (found?.suggestions[0].digest ?? "0".repeat(64)) as string;
  return { comment, index: 0, digest, thread: made.json.id as string };
}

type Suggested = Awaited<ReturnType<typeof suggest>>;
const apply = (suggested: readonly Suggested[], person = ada, more: object = {}) =>
  as(person)("POST", `${M}/suggestions/apply`, {
    suggestions: suggested.map(({ comment, index, digest }) => ({ comment, index, digest })),
    ...more,
  });
const listed = async (person = ada) => (await as(person)("GET", `${M}/suggestions`)).json;
const textOf = async (path: string) => {
  const { json } = await api("GET", `${R}/contents/${path}?ref=topic`);
  return Buffer.from(json.content, "base64").toString();
};
/** Comments are where the branch is now. */
const followed = ({ thread }: Suggested) =>
  eventually(async () => {
    const { current, outdated } = (await api("GET", `${M}/threads/${thread}`)).json;
    return outdated || current.commit_sha === (await tipOf("topic"));
  });

it("applies several in one commit, which names who suggested them", async () => {
  const one = await suggest({ path: "a.txt", line: 2 }, block("TWO\nand a half\n"));
  const some = await suggest({ path: "a.txt", line: 5 }, block("FIVE\n"), { start_line: 4 });
  const open = await suggest({ path: "b.txt", line: 2 }, block("B\nC\n", ":-0+1"));
  const before = await tipOf("topic");
  expect(await listed()).toMatchObject([
    {
      comment_id: one.comment,
      thread_id: one.thread,
      resolved: false,
      suggestions: [
        {
          index: 0,
          path: "a.txt",
          start_line: 2,
          line: 2,
          commit_sha: before,
          old_lines: ["two"],
          new_lines: ["TWO", "and a half"],
          state: "open",
          applied: null,
        },
      ],
      viewer_may: { apply: true },
    },
    { suggestions: [{ start_line: 4, line: 5, old_lines: ["4", "five"] }] },
    { suggestions: [{ start_line: 2, line: 3, old_lines: ["b", "c"], new_lines: ["B", "C"] }] },
  ]);
  expect((await listed(grace))[0].viewer_may).toEqual({ apply: false });
  expect((await apply([one], grace)).status).toBe(403);
  const made = await apply([one, some, open]);
  expect([made.status, made.json.message]).toEqual([
    200,
    expect.stringMatching(/^Apply 3 suggestions from !1\n\nCo-authored-by: \S.* <grace@.+>\n?$/),
  ]);
  expect(await tipOf("topic")).toBe(made.json.sha);
  expect((await commitOf(made.json.sha)).parents).toMatchObject([{ sha: before }]);
  expect(await textOf("a.txt")).toBe(
    lines({ 2: "TWO\nand a half", 4: "FIVE", 5: "" }).replace("FIVE\n\n", "FIVE\n"),
  );
  expect(await textOf("b.txt")).toBe("a\r\nB\r\nC");
  expect((await api("GET", `${M}/threads/${one.thread}`)).json).toMatchObject({ resolved: true });
  const applied = { sha: made.json.sha, by: { username: "ada" } };
  expect((await listed())[0]).toMatchObject({ resolved: true, suggestions: [{ state: "applied", applied }] });
  const again = await apply([one]);
  expect([again.status, again.json.message]).toEqual([
    409,
    expect.stringContaining(`comment ${one.comment} on a.txt is applied already`),
  ]);
});

it("refuses what is outdated, and two on the same line, and names the comment", async () => {
  const head = { commit_sha: await tipOf("topic") };
  const old = await suggest({ path: "a.txt", line: 8 }, block("old\n"), head);
  const moved = await suggest({ path: "a.txt", line: 10 }, block("moved\n"), head);
  const other = await suggest({ path: "a.txt", line: 10 }, block("other\n"), head);
  const both = await apply([moved, other]);
  expect([both.status, both.json.message]).toEqual([409, expect.stringMatching(/concern the same line/)]);
  expect(both.json.message).toContain(moved.comment);
  const text = await textOf("a.txt");
  await put("topic", "a.txt", text.replace("\n8\n", "\neight\n").replace(/^1\n/, "0\n1\n"));
  await followed(moved);
  const outdated = await apply([old, moved]);
  expect([outdated.status, outdated.json.message]).toEqual([
    409,
    expect.stringContaining(`comment ${old.comment} on a.txt is outdated`),
  ]);
  const message = "Move it";
  const twice = await Promise.all([apply([moved], ada, { message }), apply([moved], ada, { message })]);
  const [made, late] = twice.toSorted((one, another) => one.status - another.status);
  expect([made?.status, late?.status]).toEqual([200, 409]);
  expect(made?.json.message).toMatch(/^Move it\n\nCo-auth/);
  expect(await textOf("a.txt")).toContain("\neight\n9\nmoved\n11\n");
});

it("takes nothing that is pending, unknown, secret, or proposed for what is closed", async () => {
  const at = { path: "b.txt", line: 1 };
  const pending = await suggest(at, block("A\n"), { pending: true, commit_sha: await tipOf("topic") });
  expect((await listed(grace)).map((each: { comment_id: string }) => each.comment_id)).not.toContain(
    pending.comment,
  );
  const refused = await apply([pending]);
  expect([refused.status, refused.json.errors[0].field]).toEqual([422, "suggestions.0"]);
  const open = await suggest(at, block("A\n"));
  await as(grace)("PATCH", `${R}/comments/${open.comment}`, { body: block("Something else\n") });
  const edited = await apply([open]);
  expect([edited.status, edited.json.message]).toEqual([
    409,
    expect.stringContaining(`comment ${open.comment} on b.txt has been edited since you read it`),
  ]);
  expect((await apply([open, open])).json.errors[0]).toMatchObject({ code: "duplicate" });
  expect((await apply([{ ...open, index: 1 }])).json.errors[0]).toMatchObject({ code: "unknown" });
  const secret = await suggest(at, block(`${ada.token}\n`));
  expect((await apply([secret])).json.errors[0]).toMatchObject({ code: "secret" });
  await api("POST", `${M}/close`);
  const closed = await apply([open]);
  expect([closed.status, closed.json.message]).toEqual([409, "It is closed: reopen it first."]);
});

it("lists no more than an answer may have, and applies no more than one commit may", async () => {
  const { json: one } = await api("POST", `${R}/branches`, { name: "many", ref: "main" });
  expect(one.name).toBe("many");
  const text = Array.from({ length: maxSuggestions }, (_, line) => `${line}\n`).join("");
  await put("many", "many.txt", text);
  await put("many", "large.txt", `${"x".repeat(1024)}\n`.repeat(1_025));
  const opened = await api("POST", `${R}/merge-requests`, { title: "Many", source_branch: "many" });
  const at = `${R}/merge-requests/${opened.json.number}`;
  const begin = async (path: string, body: string) => {
    const made = await as(grace)("POST", `${at}/threads`, { path, line: 1, body });
    expect([made.status, made.json.message]).toEqual([201, undefined]);
  };
  await begin("large.txt", block("y\n"));
  for (let n = 0; n < maxListedSuggestions / maxSuggestions; n += 1)
    await begin("many.txt", block("z\n").repeat(maxSuggestions + 1));
  const shown = (await api("GET", `${at}/suggestions`)).json as {
    comment_id: string;
    incomplete: boolean;
    suggestions: { digest: string; state: string }[];
  }[];
  // Of a file that is too large nothing is known, so it cannot be applied.
  expect(shown[0]?.suggestions).toMatchObject([{ state: "outdated", old_lines: null }]);
  expect(shown.slice(1, -1).map(({ suggestions }) => suggestions.length)).toEqual(
    Array.from({ length: shown.length - 2 }, () => maxSuggestions),
  );
  expect(shown.reduce((sum, { suggestions }) => sum + suggestions.length, 0)).toBe(maxListedSuggestions);
  expect(shown.map(({ incomplete }) => incomplete)).toEqual(
    shown.map((_, index) => index === shown.length - 1),
  );
  const wanted = shown
    .slice(1, 3)
    .flatMap(({ comment_id: comment, suggestions }) =>
      suggestions.map(({ digest }, index) => ({ comment, index, digest })),
    );
  const tooMany = await api("POST", `${at}/suggestions/apply`, {
    suggestions: wanted.slice(0, maxAppliedAtOnce + 1),
  });
  expect([tooMany.status, tooMany.json.error]).toEqual([422, "validation_failed"]);
});
