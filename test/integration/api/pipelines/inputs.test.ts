/** Inputs that a pipeline file declares, over REST: given, by default, refused, previewed. */
import { readFile } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { eventually } from "../../../support/eventually.ts";
import { startScheduleBed, type ScheduleBed } from "../../../support/schedule-bed.ts";

const file = `
on:
  push:
  api:
  manual:
    inputs:
      target: { type: choice, options: [staging, production], default: staging, description: Where it goes }
      version: { type: string, required: true }
      replicas: { type: number, default: 2 }
      dry_run: { type: boolean, default: false }
      note: { type: string }
      constructor: { type: boolean }
stages: [build, { name: deploy, when: "inputs.replicas > 1" }, { name: many, when: "inputs.dry_run == true" }]
defaults: { image: busybox }
jobs:
  a: { stage: build, steps: ["true"] }
  b: { stage: deploy, steps: ["true"], when: "inputs.target == 'production'" }
  c: { stage: many, steps: ["true"], when: "startsWith(inputs.note, 'x')" }
`;
const defaults = {
  target: "staging",
  version: null,
  replicas: 2,
  dry_run: false,
  note: null,
  constructor: null,
};

let bed: ScheduleBed;
let at: string;
beforeAll(async () => {
  bed = await startScheduleBed();
  ({ at } = await bed.repository(file));
});
afterAll(() => bed?.close());

const run = (inputs: unknown, more = {}) => bed.send("POST", `${at}/pipelines`, { inputs, ...more });
const plan = (body: object) => bed.send("POST", `${at}/pipelines/plan`, body);
type Errors = { field: string; code: string; message: string }[];
const told = (errors: Errors) => errors.map(({ field, code }) => [field, code]);

describe("a run", () => {
  test("has what was given, converted, and defaults for the rest", async () => {
    const answer = await run({ version: "1.4", replicas: "3", dry_run: "true", target: "production" });
    expect(answer.status, answer.text).toBe(201);
    expect(answer.json.inputs).toEqual({
      ...defaults,
      version: "1.4",
      replicas: 3,
      dry_run: true,
      target: "production",
    });
    const again = await bed.send("GET", `${at}/pipelines/${answer.json.id}`);
    expect(again.json.inputs).toEqual(answer.json.inputs);
    const typed = await run({ version: 1.5, replicas: 0, dry_run: true, note: "", constructor: false });
    expect(typed.json.inputs).toEqual({
      ...defaults,
      version: "1.5",
      replicas: 0,
      dry_run: true,
      note: "",
      constructor: false,
    });
  });

  test("of a push has the defaults, also where an input is required", async () => {
    const pushed = await eventually(
      async () => (await bed.runs(at)).find(({ source }) => source === "push"),
      { timeoutMs: 20_000 },
    );
    expect((await bed.send("GET", `${at}/pipelines/${pushed.id}`)).json).toMatchObject({
      status: "created",
      inputs: defaults,
    });
  });

  test("of a file with errors shows what was given", async () => {
    const broken = await bed.repository("image: busybox\nsteps: [x]\nenv: { A: '${{ inputs.x }}' }\n");
    const answer = await bed.send("POST", `${broken.at}/pipelines`, { inputs: { x: "1" } });
    expect([answer.status, answer.json.status, answer.json.reason]).toEqual([201, "error", "config"]);
    expect(answer.json.inputs).toEqual({ x: "1" });
    expect(answer.json.error.diagnostics[0]).toMatchObject({ code: "P202", line: 3 });
  });

  test("may hold any text, which is never evaluated", async () => {
    const text = `\${{ sha }} $(id) <b>"'\\ ${"é".repeat(65_000)}`;
    const answer = await run({ version: text });
    expect([answer.status, answer.json.inputs.version]).toEqual([201, text]);
  });
});

test("the example of the documentation does what its page says", async () => {
  const page = await readFile(new URL("../../../../docs/pipelines/file.md", import.meta.url), "utf8");
  const [, section = ""] = page.split("\n## inputs\n");
  const [, example = ""] = /```yaml\n([^`]*)```/.exec(section) ?? [];
  const { at: path } = await bed.repository(example);
  const start = (inputs: object) => bed.send("POST", `${path}/pipelines`, { inputs });
  const started = await start({ target: "production", version: "1.4" });
  expect([started.status, started.json.inputs]).toEqual([
    201,
    { target: "production", version: "1.4", replicas: 2, dry_run: false },
  ]);
  expect(told((await start({ target: "moon", size: 1 })).json.errors)).toEqual([
    ["inputs.size", "unknown"],
    ["inputs.target", "invalid"],
    ["inputs.version", "required"],
  ]);
});

describe("what is refused", () => {
  test.each([
    [{}, [["inputs.version", "required"]]],
    [{ version: "" }, [["inputs.version", "required"]]],
    [{ version: "1", target: "moon" }, [["inputs.target", "invalid"]]],
    [{ version: "1", replicas: "many" }, [["inputs.replicas", "invalid"]]],
    [{ version: "1", replicas: true }, [["inputs.replicas", "invalid"]]],
    [{ version: "1", dry_run: "yes" }, [["inputs.dry_run", "invalid"]]],
    [{ version: "1", toString: "x" }, [["inputs.toString", "unknown"]]],
    [{ version: "a\0b" }, [["inputs.version", "invalid"]]],
    [{ version: "\ud800" }, [["inputs.version", "invalid"]]],
    [{ version: "1", "a\0b": "x" }, [["inputs", "invalid"]]],
    [{ version: null }, [["inputs.version", expect.any(String)]]],
    [{ version: ["1"] }, [["inputs.version", expect.any(String)]]],
    [
      { tarfet: "x", target: "moon", replicas: "" },
      [
        ["inputs.tarfet", "unknown"],
        ["inputs.target", "invalid"],
        ["inputs.replicas", "invalid"],
        ["inputs.version", "required"],
      ],
    ],
    [JSON.parse('{ "version": "1", "__proto__": "x" }'), [["inputs.__proto__", "unknown_field"]]],
  ])("%j", async (inputs, errors) => {
    const answer = await run(inputs);
    expect([answer.status, told(answer.json.errors)]).toEqual([422, errors]);
  });

  test("text that is too long", async () => {
    const answer = await run({ version: "x".repeat(65_537) });
    expect([answer.status, told(answer.json.errors)]).toEqual([422, [["inputs.version", "too_long"]]]);
  });

  test("says what is allowed", async () => {
    const { json } = await run({ version: "1", target: "moon" });
    expect(json).toMatchObject({
      error: "validation_failed",
      message: "The input target must be one of: staging, production.",
      errors: [{ message: "The input target must be one of: staging, production." }],
    });
    const unknown = await run({ version: "1", x: "y" });
    expect(unknown.json.message).toBe(
      "The pipeline has no input named x. Inputs here: target, version, replicas, dry_run, note, constructor.",
    );
  });

  test("names of thousands of unknown inputs make a short answer", async () => {
    const answer = await run(
      Object.fromEntries(Array.from({ length: 3_000 }, (_, i) => [`unknown-${i}`, 1])),
    );
    expect([answer.status, answer.json.errors.length]).toEqual([422, expect.any(Number)]);
    expect(answer.text.length).toBeLessThan(40_000);
  });
});

describe("a plan", () => {
  test("tells what the file declares, and what is missing", async () => {
    const answer = await plan({ event: "manual" });
    expect(answer.json).toMatchObject({ valid: true, missing_inputs: ["version"], diagnostics: [] });
    expect(answer.json.inputs.slice(0, 3)).toEqual([
      {
        name: "target",
        type: "choice",
        options: ["staging", "production"],
        default: "staging",
        required: false,
        description: "Where it goes",
      },
      { name: "version", type: "string", options: [], default: null, required: true, description: null },
      { name: "replicas", type: "number", options: [], default: 2, required: false, description: null },
    ]);
  });

  test("shows what inputs would run", async () => {
    const runs = async (inputs: object) => {
      const { json } = await plan({ event: "api", inputs: { version: "1", ...inputs } });
      expect(json.missing_inputs).toEqual([]);
      const nodes = json.nodes as { name: string; runs: boolean }[];
      return nodes.filter((node) => node.runs).map(({ name }) => name);
    };
    expect(await runs({})).toEqual(["forgeline", "build", "a", "deploy"]);
    expect(await runs({ target: "production" })).toEqual(["forgeline", "build", "a", "deploy", "b"]);
    expect(await runs({ replicas: "1" })).toEqual(["forgeline", "build", "a"]);
    // What compares a missing input cannot be judged yet.
    expect(await runs({ dry_run: "true" })).toContain("c");
  });

  test("refuses wrong inputs, and any for an event that takes none", async () => {
    const wrong = await plan({ event: "manual", inputs: { target: "moon" } });
    expect([wrong.status, told(wrong.json.errors)]).toEqual([422, [["inputs.target", "invalid"]]]);
    const push = await plan({ event: "push", inputs: { target: "staging" } });
    expect([push.status, push.json.message]).toEqual([422, "A run for the event push takes no inputs."]);
    expect((await plan({ event: "push" })).json).toMatchObject({ valid: true, missing_inputs: [] });
  });

  test("of a text that was sent along, and of one with errors", async () => {
    const content = "on: { manual: { inputs: { a: { type: boolean } } } }\nimage: a\nsteps: [x]\n";
    const given = await plan({ event: "manual", content, inputs: { a: "true" } });
    expect(given.json).toMatchObject({ valid: true, inputs: [{ name: "a", type: "boolean" }] });
    const broken = await plan({ event: "manual", content: "image: a", inputs: { a: "true" } });
    expect(broken.json).toMatchObject({ valid: false, inputs: [], missing_inputs: [] });
  });
});
