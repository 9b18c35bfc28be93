/** Boards: issues in columns by label, moved by hand as by labelling, in an order that everybody sees. */
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Board } from "@forgeline/schemas/boards/resource.ts";
import type { Issue } from "@forgeline/schemas/issues/resource.ts";
import { startApiServer, type ApiServer, type TestPerson } from "../../../support/api-server.ts";

let server: ApiServer;
let ada: TestPerson;
let tess: TestPerson;
let rick: TestPerson;
const at = "/repos/ada/plan";
let board: Board;
let base = "";
const columns: Record<string, string> = { open: "open", closed: "closed" };
beforeAll(async () => {
  server = await startApiServer();
  ada = await server.person("ada");
  tess = await server.person("tess");
  rick = await server.person("rick");
  await send(ada, "POST", "/repos", { name: "plan", private: true });
  await send(ada, "PUT", `${at}/collaborators/tess`, { permission: "triage" });
  await send(ada, "PUT", `${at}/collaborators/rick`, { permission: "read" });
  for (const name of ["state::todo", "state::doing", "bug"])
    await send(ada, "POST", `${at}/labels`, { name });
  for (const title of ["one", "two", "three", "four"])
    await send(ada, "POST", `${at}/issues`, { title, labels: title === "two" ? ["bug"] : [] });
  const wanted = { name: "Flow", columns: ["state::todo", "STATE::doing"], filter: "-label:none" };
  const made = await send(ada, "POST", `${at}/boards`, wanted);
  board = made.json as Board;
  base = `${at}/boards/${board.id}`;
  for (const { id, label } of board.columns) if (label) columns[label.name.slice(7)] = id;
});
afterAll(() => server?.stop());

const send = (person: TestPerson, method: string, path: string, body?: unknown) =>
  server.api(method, path, { token: person.token, ...(body === undefined ? {} : { body }) });
const move = (number: number, column: string, more: object = {}, person = tess) =>
  send(person, "POST", `${base}/move`, { number, to_column: columns[column], ...more });
async function column(name: string, query = ""): Promise<number[]> {
  const answer = await send(rick, "GET", `${base}/columns/${columns[name]}/issues${query}`);
  expect([answer.status, answer.text]).toEqual([200, answer.text]);
  return (answer.json as Issue[]).map(({ number }) => number);
}

test("columns are labels in order, between the open and the closed", async () => {
  expect(board.columns.map(({ kind, label }) => label?.name ?? kind)).toEqual([
    "open",
    "state::todo",
    "state::doing",
    "closed",
  ]);
  expect(board.viewer_may).toEqual({ manage: true, move: true });
  expect((await send(rick, "GET", base)).json).toMatchObject({ viewer_may: { manage: false, move: false } });
  expect(await column("open")).toEqual([4, 3, 2, 1]);
  expect(await column("open", "?per_page=2&page=2")).toEqual([2, 1]);
  expect(await column("open", "?q=label:bug")).toEqual([2]);
});

test("a move swaps labels, closes and reopens as everybody does, with its lines in the timeline", async () => {
  expect((await move(2, "todo")).json).toMatchObject({ number: 2, state: "open" });
  expect((await move(2, "doing")).status).toBe(200);
  const labels = async () =>
    ((await send(ada, "GET", `${at}/issues/2`)).json as Issue).labels.map(({ name }) => name);
  expect(await labels()).toEqual(["bug", "state::doing"]);
  expect([await column("open"), await column("todo"), await column("doing")]).toEqual([[4, 3, 1], [], [2]]);
  expect((await move(2, "closed")).json).toMatchObject({ state: "closed", state_reason: "completed" });
  expect([await column("doing"), await column("closed")]).toEqual([[], [2]]);
  expect((await move(2, "todo")).json).toMatchObject({ state: "open" });
  expect(await labels()).toEqual(["bug", "state::todo"]);
  expect((await move(2, "open")).status).toBe(200);
  expect(await labels()).toEqual(["bug"]);
  const { json } = await send(ada, "GET", `${at}/issues/2/timeline?per_page=100`);
  expect((json as { kind: string }[]).map(({ kind }) => kind)).toEqual([
    "labeled",
    "labeled",
    "labeled",
    "unlabeled",
    "closed",
    "labeled",
    "unlabeled",
    "reopened",
    "unlabeled",
  ]);
  expect((await move(2, "todo", {}, rick)).status).toBe(403);
});

test("the order is kept by hand, also between two who move at once and after many moves to one place", async () => {
  expect((await move(1, "open", { before: 4 })).status).toBe(200);
  expect(await column("open")).toEqual([1, 4, 3, 2]);
  await move(4, "open", { after: 2 });
  expect(await column("open")).toEqual([1, 3, 2, 4]);
  const both = await Promise.all([move(4, "open", { after: 1 }), move(2, "open", { after: 1 }, ada)]);
  expect(both.map(({ status }) => status)).toEqual([200, 200]);
  const after = await column("open");
  expect(after.toSorted((a, b) => a - b)).toEqual([1, 2, 3, 4]);
  expect([after[0], after[3]]).toEqual([1, 3]);
  for (let turn = 0; turn < 50; turn++) await move(turn % 2 === 0 ? 2 : 4, "open", { after: 1 });
  expect(await column("open")).toEqual([1, 4, 2, 3]);
  for (const wrong of [{ after: 99 }, { after: 1, before: 2 }, { before: 1 }])
    expect((await move(1, "open", wrong)).status).toBe(422);
  expect(await column("open")).toEqual([1, 4, 2, 3]);
});

test("columns have limits, which refuse no move, and keep them when the columns change", async () => {
  const change = async (body: object) => {
    const answer = await send(ada, "PATCH", base, body);
    return answer.status === 200
      ? (answer.json as Board).columns.map(({ max_issues: most }) => most)
      : (answer.json.errors as { field: string; code: string }[]).map(
          ({ field, code }) => `${field} ${code}`,
        );
  };
  const doing = (most: number | null) => ({ limits: [{ column: "STATE::doing", max_issues: most }] });
  expect(board.columns.map(({ max_issues: most }) => most)).toEqual([null, null, null, null]);
  expect(await change(doing(1))).toEqual([null, null, 1, null]);
  for (const number of [1, 2]) expect((await move(number, "doing")).status).toBe(200);
  expect((await send(rick, "GET", `${base}/columns/${columns["doing"]}/issues`)).json).toHaveLength(2);
  for (const number of [1, 2]) await move(number, "open");
  expect(await change({ name: "Flow", columns: ["state::doing", "state::todo"] })).toEqual([
    null,
    1,
    null,
    null,
  ]);
  expect(await change({ columns: ["state::todo"] })).toEqual([null, null, null]);
  expect(await change({ columns: ["state::todo", "state::doing"], ...doing(7) })).toEqual([
    null,
    null,
    7,
    null,
  ]);
  expect(await change(doing(null))).toEqual([null, null, null, null]);
  expect(await change({ limits: [{ column: "bug", max_issues: 1 }] })).toEqual(["limits unknown"]);
  expect(await change({ limits: [...doing(1).limits, ...doing(2).limits] })).toEqual(["limits repeated"]);
  for (const most of [0, 10_000, 1.5]) expect((await send(ada, "PATCH", base, doing(most))).status).toBe(422);
  expect((await send(tess, "PATCH", base, doing(1))).status).toBe(403);
});

test("boards are Maintain's, and say what is wrong with them", async () => {
  expect((await send(tess, "POST", `${at}/boards`, { name: "Mine" })).status).toBe(403);
  expect((await send(ada, "POST", `${at}/boards`, { name: "FLOW" })).status).toBe(409);
  const fields = async (body: object) =>
    ((await send(ada, "PATCH", base, body)).json.errors as { field: string; message: string }[])[0];
  expect(await fields({ columns: ["nothing"] })).toMatchObject({ field: "columns" });
  expect(await fields({ columns: ["bug", "BUG"] })).toMatchObject({ field: "columns" });
  expect(await fields({ filter: "is:open" })).toMatchObject({ field: "filter" });
  expect(await fields({ filter: 'label:"x' })).toEqual({
    field: "filter",
    code: "invalid",
    message: "The quotation mark is not closed (character 7).",
  });
  const changed = await send(ada, "PATCH", base, { columns: ["bug"], name: "Bugs", filter: "" });
  expect((changed.json as Board).columns.map(({ label }) => label?.name)).toEqual([
    undefined,
    "bug",
    undefined,
  ]);
  expect((await send(rick, "GET", `${base}/columns/${columns["todo"]}/issues`)).status).toBe(404);
  expect(((await send(rick, "GET", `${at}/boards`)).json as Board[]).map(({ name }) => name)).toEqual([
    "Bugs",
  ]);
  // Of a filter about oneself nobody is who is not signed in.
  await send(ada, "PATCH", base, { filter: "author:me" });
  await send(ada, "PATCH", at, { private: false });
  const open = await server.api("GET", `${base}/columns/open/issues`);
  expect([open.status, open.json]).toEqual([200, []]);
  expect((await send(ada, "DELETE", base)).status).toBe(204);
  expect((await send(rick, "GET", base)).status).toBe(404);
});
