import { expect, it } from "vitest";
import { parseJournal } from "@forgeline/runner/engine/docker/journal.ts";

it("knows which steps ran while another one did", () => {
  const lines = [
    "ready 0 0 sh",
    "begun 0",
    "ended 0 0 0 0 0",
    "begun 1",
    "begun 2",
    "ended 1 137 1 0 0",
    "begun 3",
    "ended 2 1 1 0 0",
    "ended 3 0 0 0 0",
    "begun 4",
  ];
  const { beside, ended } = parseJournal(`${lines.join("\n")}\n`);
  expect([...beside]).toEqual([1, 2, 3]);
  expect(ended.get(2)).toEqual({ code: 1, oomKills: 1, forksRefused: 0, logError: 0 });
});
