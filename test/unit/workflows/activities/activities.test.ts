/** Activities stand under the names by which workflows call them. */
import { readdir, readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import {
  createActivities,
  createFollowingActivities,
  createMirroringActivities,
  createStreamingActivities,
  type FollowingServices,
  type MirroringServices,
  type WorkflowServices,
} from "@forgeline/workflows/activities/activities.ts";

const definitions = new URL("../../../../workflows/definitions/", import.meta.url);

test("each activity that a workflow calls is there, and there is no other", async () => {
  const names = Object.keys({
    ...createActivities({} as WorkflowServices),
    ...createFollowingActivities({} as FollowingServices),
    ...createStreamingActivities({} as FollowingServices),
    ...createMirroringActivities({} as MirroringServices),
  });
  const texts = await Promise.all(
    (await readdir(definitions)).map((file) => readFile(new URL(file, definitions), "utf8")),
  );
  const text = texts.join("\n");
  const called = new Set(Array.from(text.matchAll(/\bactivities\.(\w+)\(/g), ([, name = ""]) => name));
  for (const [, list = ""] of text.matchAll(/const \{ ([\w, ]+) \} = proxy/g))
    for (const name of list.split(", ")) called.add(name);
  expect(names.toSorted()).toEqual([...called].toSorted());
});
