import { expect, test } from "vitest";
import { mandatoryLabels, matchLabels } from "@forgeline/server/domains/pipelines/runners/labels.ts";

test("each key=value also as key=*, plain words as they are, each once", () => {
  expect(matchLabels(["os=linux", "docker", "docker", "os=linux"])).toEqual(["docker", "os=*", "os=linux"]);
});

test("a value may hold an equals sign; a label may not begin with one", () => {
  expect(matchLabels(["a=b=c", "=x"])).toEqual(["=x", "a=*", "a=b=c"]);
});

test("a mandatory label is one that the runner has, too", () => {
  expect(matchLabels(["!gpu=a100", "docker"])).toEqual(["docker", "gpu=*", "gpu=a100"]);
  expect(mandatoryLabels(["!gpu=a100", "docker", "!gpu=a100", "!fast"])).toEqual(["fast", "gpu=a100"]);
});
