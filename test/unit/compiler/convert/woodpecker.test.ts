/** What Woodpecker has that other systems do not: values that it replaces before anything runs, and steps that share anchors. */
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { convert } from "@forgeline/compiler/convert/convert.ts";

const converted = (text: string) => {
  const made = convert({ source: "ci.yml", text, system: "woodpecker", path: ".forgeline.yml" });
  expect(made.diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
  return made;
};
const checksIn = (text: string | null) => text?.match(/CHECK line \d+/g) ?? [];

test("each step that shares an anchor has its comment", () => {
  const { text, notes } = converted(`variables: { never: &never { event: pull_request_closed } }
steps:
  - { name: a, image: alpine, commands: ls, when: *never }
  - { name: b, image: alpine, commands: ls, when: *never }
  - { name: c, image: alpine, commands: ls }
`);
  expect(checksIn(text)).toHaveLength(2);
  for (const name of ["a", "b"]) expect(text).toMatch(new RegExp(`# .*\\n +- name: ${name}\\n`));
  expect(notes).toHaveLength(2);
});

const step = (command: string, more = "") => {
  const { text, notes } = converted(
    `matrix: { GO_VERSION: ["1.24", "1.25"] }\nsteps: [{ name: a, image: alpine, commands: ${JSON.stringify(command)}${more} }]\n`,
  );
  const { jobs } = parse(text ?? "") as Record<"jobs", Record<string, Job>>;
  const [made] = Object.values(jobs);
  const only = made?.steps[0];
  return {
    run: typeof only === "string" ? only : only?.run,
    env: { ...made?.env, ...(typeof only === "string" ? {} : only?.env) },
    notes: notes.map(({ message }) => message),
  };
};
interface Job {
  env: Record<string, string>;
  steps: (string | { run: string; env?: Record<string, string> })[];
}

describe("what Woodpecker replaces in commands", () => {
  test("names of the matrix are variables of the job", () => {
    const { run, env } = step("go-${GO_VERSION} $GO_VERSION");
    expect(run).toBe("go-${GO_VERSION} $GO_VERSION");
    expect(env).toEqual({ GO_VERSION: "${{ matrix.GO_VERSION }}" });
  });

  test.each([
    ["an escaped one is left to the shell", "echo $${HOME} $$1", "echo ${HOME} $1"],
    ["quotes do not keep it", "awk '/${CI_COMMIT_TAG}/' f", `awk '/'"\${CI_TAG}"'/' f`],
    ["a short commit", "echo ${CI_COMMIT_SHA:0:8}", "echo ${CI_COMMIT_SHORT_SHA}"],
    ["a default counts for empty ones too", "echo ${CI_COMMIT_TAG=none}", "echo ${CI_TAG:-none}"],
    [
      "what every shell can",
      "echo ${CI_COMMIT_TAG##v} ${CI_REPO%%/*}",
      "echo ${CI_TAG##v} ${CI_PROJECT%%/*}",
    ],
  ])("%s", (_title, theirs, ours) => expect(step(theirs)).toMatchObject({ run: ours, notes: [] }));

  test.each(["${CI_COMMIT_TAG:1}", "${CI_COMMIT_BRANCH^^}", "${CI_COMMIT_BRANCH/a/b}"])(
    "%s needs bash, and is noted",
    (text) =>
      expect(step(`echo ${text}`).notes).toEqual([
        `${text} was replaced before the shell saw it, and now needs bash`,
      ]),
  );

  test("variables of merge requests have counterparts", () =>
    expect(step("echo $CI_COMMIT_PULL_REQUEST $CI_COMMIT_TARGET_BRANCH")).toMatchObject({
      run: "echo $CI_MR_NUMBER $CI_MR_TARGET",
      notes: [],
    }));

  test("a comparison with names of events is noted", () =>
    expect(step('test "$CI_PIPELINE_EVENT" = cron').notes).toEqual([
      "the script compares names of events, and some are others here",
    ]));
});

test("values have expressions for what is replaced, and text for what is escaped", () => {
  const values = `, environment: { A: "$\${HOME}", B: "v\${GO_VERSION}", C: "\${CI_COMMIT_TAG:-none}", D: "\${first_var}", E: "\${CI_COMMIT_TAG##v}" }`;
  const { env, notes } = step("make", values);
  expect(env).toEqual({
    GO_VERSION: "${{ matrix.GO_VERSION }}",
    A: "${HOME}",
    B: "v${{ matrix.GO_VERSION }}",
    C: "${{ coalesce(tag, 'none') }}",
    D: "${{ coalesce(vars.first_var, '') }}",
  });
  expect(notes).toEqual(["E: ${CI_COMMIT_TAG##v} has no counterpart"]);
  expect(step("make", ', directory: "app-${GO_VERSION}"').notes).toEqual([
    "the directory is chosen by a variable",
  ]);
});

test("a plugin becomes a step that fails, with all that it was given", () => {
  const { text, notes } = converted(`steps:
  - { name: t, image: alpine, commands: make }
  - name: release
    image: plugins/release
    settings: { files: dist/*, key: { from_secret: token } }
    environment: { LEVEL: debug }
    when: { event: tag }
    failure: ignore
`);
  const { jobs } = parse(text ?? "") as { jobs: { ci: { steps: unknown[] } } };
  expect(jobs.ci.steps[1]).toEqual({
    name: "release",
    when: { event: ["tag"] },
    run: expect.stringMatching(/plugins\/release is not converted.*\nexit 1\n/) as string,
    allow_failure: true,
  });
  expect(notes.map(({ message }) => message)).toEqual([
    "the plugin plugins/release is not run, so this step fails",
  ]);
  expect(notes[0]?.suggestion).toContain(
    "settings: {files: dist/*, key: {from_secret: token}}; environment: {LEVEL: debug}; when: {event: tag}",
  );
});

test.each([
  ["b", "[a]", []],
  ["c", "[a]", ["depends_on"]],
  ["d", "[]", ["depends_on"]],
])("steps at the same time are noted: %s waits for %s", (name, needs, lost) => {
  const chain = { b: "a", c: "b", d: "c" };
  const steps = Object.entries(chain).map(
    ([id, before]) =>
      `  - { name: ${id}, image: a, commands: ls, depends_on: ${id === name ? needs : `[${before}]`} }\n`,
  );
  const { notes } = converted(`steps:\n  - { name: a, image: a, commands: ls }\n${steps.join("")}`);
  expect(notes.map(({ construct }) => construct)).toEqual(lost.map((key) => `steps.*.${key}`));
});

test("what has no counterpart is noted, and what has one carried over", () => {
  const { text, notes } = converted(`clone: [{ name: git, settings: { depth: 1, ref: x } }]
steps:
  - name: a
    image: alpine
    group: one
    tty: true
    failure: cancel
    environment: { P: { from_secret: docker-password } }
    commands: ['echo $CI_COMMIT_AUTHOR', 'echo $CI_STEP_NAME']
    when:
      - event: release
      - evaluate: 'CI_PIPELINE_EVENT == "release"'
      - { event: push, path: { include: [a], on_empty: true, ignore_message: x } }
`);
  expect(text).toContain("echo $CI_ACTOR");
  expect(notes.map(({ construct, message }) => `${construct}: ${message}`).sort()).toEqual([
    "clone.*.settings.ref: ref of the clone is not carried over",
    "steps.*.commands: CI_STEP_NAME is a variable of Woodpecker",
    "steps.*.environment: the secret docker-password is called docker_password here",
    "steps.*.failure: cancel has no counterpart",
    "steps.*.group: steps of a group ran at the same time, and run one after another here",
    "steps.*.tty: steps have no terminal",
    "steps.*.when.evaluate: a release has no event of its own, and its tag stands for it",
    "steps.*.when.event: a release has no event of its own, and its tag stands for it",
    "steps.*.when.path: ignore_message has no counterpart",
    "steps.*.when.path: on_empty has no counterpart: a push without changed files matches no paths",
  ]);
});
