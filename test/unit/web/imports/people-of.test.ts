/** Who people are, as the form takes it. */
import { expect, test } from "vitest";
import { peopleOf } from "../../../../web/src/features/imports/people-of.ts";

test("each line names one; empty ones name nobody", () => {
  expect(peopleOf("octocat = ada\n\n @hubot=@bob \n")).toEqual({ octocat: "ada", hubot: "bob" });
  expect(peopleOf("")).toEqual({});
});

test.each(["octocat", "octocat =", "= ada", "a = b = c"])("%j names nobody", (line) => {
  expect(() => peopleOf(line)).toThrow(expect.objectContaining({ line }));
});
