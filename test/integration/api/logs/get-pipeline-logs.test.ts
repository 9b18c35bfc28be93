/** Logs over REST: pages, text, newline-delimited JSON, ranges, entity tags, and who may read. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { LogLine } from "@forgeline/schemas/logs/resource.ts";
import { logApi, type LogApi } from "./fixture.ts";

let api: LogApi;
beforeAll(async () => {
  api = await logApi();
});
afterAll(() => api.server.stop());

const get = (query: string, headers: Record<string, string> = {}, token = api.owner.token) =>
  api.server.api("GET", `${api.path}/logs${query}`, { token, headers });

describe("while the run goes on", () => {
  it("pages through whole lines, each in its place, and waits at the open end", async () => {
    const first = await get("?limit=2");
    expect(first.status).toBe(200);
    expect(first.json.lines.map((line: LogLine) => line.text)).toEqual(["cloning", "ready"]);
    expect(first.json.lines[1]).toMatchObject({
      job: "build",
      step: "setup",
      stage: "main",
      attempt: 1,
      number: 2,
    });
    expect(first.json.finished).toBe(false);
    const wait = await get(`?cursor=${first.json.next_cursor}`);
    // The set-up stream has not ended: the page does not run ahead of it.
    expect(wait.json.lines).toEqual([]);
    expect(wait.json.next_cursor).toBe(first.json.next_cursor);
    const step = await get("?step=compile&limit=3");
    expect(step.json.lines.map((line: LogLine) => [line.number, line.offset, line.text])).toEqual([
      [1, 0, "\u001b[31mred\u001b[0m <b>&\u0007"],
      [2, 19, "\ufffd\ufffd"],
      [3, 22, "line 3"],
    ]);
    expect(step.json.lines[2].time).toBe("1970-01-01T00:00:02.000Z");
    expect((await get("?step=0&offset=22&limit=1")).json.lines[0]).toMatchObject({
      number: 3,
      text: "line 3",
    });
  });

  it("shows text as far as it goes, and takes no ranges yet", async () => {
    const text = await get("?format=text", { Range: "bytes=0-3" });
    expect(text.status).toBe(200);
    expect(text.headers["content-type"]).toBe("text/plain; charset=utf-8");
    expect(text.headers["accept-ranges"]).toBeUndefined();
    expect(text.text).toBe(Buffer.concat([api.setup, api.step]).toString("utf8"));
  });

  it("gives the last lines", async () => {
    const tail = await get("?tail=2");
    expect(tail.json.lines.map((line: LogLine) => [line.number, line.text])).toEqual([
      [3001, "line 3001"],
      [3002, "line 3002"],
    ]);
    expect((await get("?step=setup&tail=1&format=text")).text).toBe("ready\n");
  });
});

describe("once it is finished", () => {
  beforeAll(() => api.finish());

  it("pages to the very end", async () => {
    const lines: LogLine[] = [];
    let query = "?limit=700";
    for (let page = 0; page < 20 && query !== ""; page += 1) {
      const { json } = await get(query);
      lines.push(...json.lines);
      expect(json).toMatchObject({ finished: true, complete: true });
      query = json.next_cursor === null ? "" : `?limit=700&cursor=${json.next_cursor}`;
    }
    expect(lines.length).toBe(2 + 2 + 3000 + 1);
    expect(lines.at(-1)).toMatchObject({ number: 3003, text: "without end" });
    expect(lines.slice(2).every((line, i) => line.number === i + 1)).toBe(true);
  });

  it.each([
    ["bytes=0-6", 206, "cloning"],
    ["bytes=8-13", 206, "ready\n"],
    ["bytes=-3", 206, "end"],
    ["bytes=10-14", 206, "ady\n\u001b"],
  ])("serves the range %s", async (range, status, text) => {
    const answer = await get("?format=text", { Range: range });
    expect([answer.status, answer.text]).toEqual([status, text]);
    const total = api.setup.length + api.step.length;
    expect(answer.headers["content-range"]).toMatch(new RegExp(`^bytes \\d+-\\d+/${total}$`));
  });

  it("serves any range as the same bytes of the whole", async () => {
    const whole = Buffer.concat([api.setup, api.step]).subarray(100);
    for (const [start, end] of [
      [200, 900],
      [9_990, 10_050],
      [19_000, 25_000],
    ] as const) {
      const part = await get("?format=text", { Range: `bytes=${start}-${end - 1}` });
      expect(part.text).toBe(whole.subarray(start - 100, end - 100).toString());
    }
  });

  it("refuses ranges outside with 416, without an entity tag, and ignores nonsense", async () => {
    const outside = await get("?format=text", { Range: "bytes=999999-" });
    expect(outside.status).toBe(416);
    expect(outside.json.error).toBe("range_not_satisfiable");
    expect(outside.headers["content-range"]).toBe(`bytes */${api.setup.length + api.step.length}`);
    expect(outside.headers["etag"]).toBeUndefined();
    expect((await get("?format=text", { Range: "lines=1-2" })).status).toBe(200);
    expect((await get("?format=text", { Range: "bytes=0-1", "If-Range": '"other"' })).status).toBe(200);
  });

  it("answers 304 to its own entity tag, not to another person's", async () => {
    const first = await get("?format=text");
    const tag = String(first.headers["etag"]);
    expect((await get("?format=text", { "If-None-Match": tag })).status).toBe(304);
    expect((await get("?format=text", { "If-None-Match": tag }, api.stranger.token)).status).toBe(404);
    const page = await get("?limit=1");
    expect(page.headers["etag"]).not.toBe(tag);
    expect((await get("?limit=1", { "If-None-Match": String(page.headers["etag"]) })).status).toBe(304);
  });

  it("speaks newline-delimited JSON to who accepts it", async () => {
    const answer = await get("", { Accept: "application/x-ndjson" });
    expect(answer.headers["content-type"]).toBe("application/x-ndjson; charset=utf-8");
    const lines = answer.text
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as LogLine);
    expect(lines.length).toBe(3005);
    expect(lines[2]?.text).toBe("\u001b[31mred\u001b[0m <b>&\u0007");
    expect((await get("", { Accept: "text/plain" })).text.startsWith("cloning\n")).toBe(true);
  });

  it("finds the run by number, and nothing by another repository's", async () => {
    const byNumber = api.path.replace(/pipe_.*/, "1");
    expect((await api.server.api("GET", `${byNumber}/logs`, { token: api.owner.token })).status).toBe(200);
    expect((await api.server.api("GET", `${byNumber}9/logs`, { token: api.owner.token })).status).toBe(404);
    expect((await get("?job=absent")).json.lines).toEqual([]);
  });

  it.each(["?limit=0", "?offset=1", "?format=xml", "?unknown=1", "?cursor=x", "?tail=100001"])(
    "refuses %s",
    async (query) => {
      expect((await get(query)).status).toBe(400);
    },
  );

  it("is closed to strangers, to the anonymous and to tokens without the scope", async () => {
    expect((await get("", {}, api.stranger.token)).status).toBe(404);
    expect((await api.server.api("GET", `${api.path}/logs`)).status).toBe(404);
    const narrow = await api.server.tokenFor(api.owner, ["repo:read"]);
    expect((await get("", {}, narrow)).json).toMatchObject({
      error: "insufficient_scope",
      required_scopes: ["pipeline:read"],
    });
  });
});
