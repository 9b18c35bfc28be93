import { expect, test } from "vitest";
import { matchLabels } from "@forgeline/server/domains/pipelines/runners/labels.ts";

test("each key=value also as key=*, plain words as they are, each once", () => {
  expect(matchLabels(["os=linux", "docker", "docker", "os=linux"])).toEqual(["docker", "os=*", "os=linux"]);
});

test("a value may hold an equals sign; a label may not begin with one", () => {
  expect(matchLabels(["a=b=c", "=x"])).toEqual(["=x", "a=*", "a=b=c"]);
});
