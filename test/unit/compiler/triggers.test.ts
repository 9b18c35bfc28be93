import { compile } from "@forgeline/compiler/compile.ts";
import { listsEvent, matchTriggers, type CompiledTriggers } from "@forgeline/compiler/triggers.ts";
import type { MergeRequestType, PipelineEvent } from "@forgeline/schemas/pipeline-file/event.ts";
import { expect, test } from "vitest";
import { exampleEvent } from "./example-event.ts";

function triggers(on: string): CompiledTriggers {
  const compiled = compile({ file: "f", text: `${on}\nimage: a\nsteps: [x]` });
  if (compiled.on === null) throw new Error(JSON.stringify(compiled.diagnostics));
  return compiled.on;
}
const tag = exampleEvent({ name: "tag", ref: "refs/tags/v1", branch: null, tag: "v1" });
const nightly = "on: { schedule: [{ name: nightly, cron: '0 3 * * *' }] }";
const happened = (...types: MergeRequestType[]) =>
  exampleEvent({
    name: "merge_request",
    mergeRequest: {
      number: 1,
      title: "",
      author: "",
      source_branch: "topic",
      target_branch: "main",
      base_sha: "",
      draft: false,
      labels: [],
      fork: false,
      types,
    },
  });
const ok = { run: true };
const no = (reason: string) => ({ run: false, reason });

test.each<[string, PipelineEvent, object]>([
  ["", exampleEvent(), ok],
  ["", tag, ok],
  ["", exampleEvent({ name: "manual" }), ok],
  ["on: push", exampleEvent(), ok],
  ["on: push", tag, no("on:event")],
  ["on: [tag, api]", exampleEvent({ name: "api" }), ok],
  ["on: [tag, api]", exampleEvent({ name: "manual" }), no("on:event")],
  ["on: { push: , manual: }", exampleEvent(), ok],
  ["on: { push: { branches: [main, 'release/*'] } }", exampleEvent(), ok],
  ["on: { push: { branches: 'release/*' } }", exampleEvent(), no("on:branches")],
  ["on: { push: { branches: ['**', '!main'] } }", exampleEvent(), no("on:branches")],
  ["on: { push: { branches_ignore: main } }", exampleEvent(), no("on:branches_ignore")],
  ["on: { push: { paths: 'src/**' } }", exampleEvent(), ok],
  ["on: { push: { paths: 'lib/**' } }", exampleEvent(), no("on:paths")],
  ["on: { push: { paths: 'lib/**' } }", exampleEvent({ changedPaths: null }), ok],
  ["on: { push: { paths_ignore: 'docs/**' } }", exampleEvent(), ok],
  ["on: { push: { paths_ignore: ['docs/**', 'src/*'] } }", exampleEvent(), no("on:paths_ignore")],
  ["on: { push: { paths_ignore: '**' } }", exampleEvent({ changedPaths: [] }), ok],
  ["on: { tag: { tags: 'v*' } }", tag, ok],
  ["on: { tag: { tags: ['v*', '!v1'] } }", tag, no("on:tags")],
  ["", exampleEvent({ commitMessage: "wip [skip ci]" }), no("skip_ci")],
  ["", exampleEvent({ commitMessage: "wip\n\n[CI SKIP]" }), no("skip_ci")],
  ["on: tag", exampleEvent({ commitMessage: "[skip ci]" }), no("on:event")],
  ["", exampleEvent({ name: "manual", commitMessage: "[skip ci]" }), ok],
  [nightly, exampleEvent({ name: "schedule" }), ok],
  [nightly, exampleEvent({ name: "schedule", commitMessage: "[skip ci]" }), ok],
  ["", exampleEvent({ name: "schedule", schedule: { name: "by hand" } }), ok],
  ["", exampleEvent({ name: "schedule" }), no("on:event")],
  ["", exampleEvent({ name: "mirror_sync" }), no("on:event")],
  ["on: [mirror_sync]", exampleEvent({ name: "mirror_sync" }), ok],
  ["on: [mirror_sync]", exampleEvent({ name: "fork_sync" }), no("on:event")],
  ["on: mirror_sync", exampleEvent({ name: "mirror_sync", commitMessage: "[skip ci]" }), no("skip_ci")],
  ["on: mirror_sync", { ...tag, name: "mirror_sync" }, no("on:tags")],
  ["on: { fork_sync: { branches: main } }", exampleEvent({ name: "fork_sync" }), ok],
  ["on: { fork_sync: { branches: dev } }", exampleEvent({ name: "fork_sync" }), no("on:branches")],
  ["on: { fork_sync: { tags: 'v*' } }", { ...tag, name: "fork_sync" }, ok],
  ["on: { fork_sync: { tags: 'w*' } }", { ...tag, name: "fork_sync" }, no("on:tags")],
  ["on: merge_request", happened("updated", "labeled"), ok],
  ["on: merge_request", happened("labeled"), no("on:types")],
  ["", happened("closed"), no("on:types")],
  ["on: { merge_request: { types: [labeled, merged] } }", happened("ready", "labeled"), ok],
  ["on: { merge_request: { types: [labeled, merged] } }", happened("opened"), no("on:types")],
  ["on: { merge_request: { types: [labeled] } }", exampleEvent({ name: "merge_request" }), ok],
])("%s", (on, event, expected) => {
  expect(matchTriggers(triggers(on), event)).toEqual(expected);
});

test.each<[string, PipelineEvent, boolean | null]>([
  ["on: [manual, api]", exampleEvent(), false],
  ["on: [manual, api]", exampleEvent({ name: "api" }), true],
  ["on: { push: { branches: other } }", exampleEvent(), true],
  ["", tag, true],
  ["on: { nonsense: }", exampleEvent(), null],
])("is read from a file with errors elsewhere: %s", (on, event, expected) => {
  const compiled = compile({ file: "f", text: `${on}\nimage: a\nstep: [x]` });
  expect(compiled.plan).toBeNull();
  expect(compiled.on && listsEvent(compiled.on, event)).toBe(expected);
});
