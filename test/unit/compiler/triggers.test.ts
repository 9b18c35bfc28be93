import { compile } from "@forgeline/compiler/compile.ts";
import { matchTriggers, type CompiledTriggers } from "@forgeline/compiler/triggers.ts";
import { expect, test } from "vitest";
import { exampleEvent } from "./example-event.ts";

function triggers(on: string): CompiledTriggers {
  const compiled = compile({ file: "f", text: `${on}\nimage: a\nsteps: [x]` });
  if (compiled.on === null) throw new Error(JSON.stringify(compiled.diagnostics));
  return compiled.on;
}
const tag = exampleEvent({ name: "tag", ref: "refs/tags/v1", branch: null, tag: "v1" });
const ok = { run: true };
const no = (reason: string) => ({ run: false, reason });

test.each([
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
])("%s", (on, event, expected) => {
  expect(matchTriggers(triggers(on), event)).toEqual(expected);
});
