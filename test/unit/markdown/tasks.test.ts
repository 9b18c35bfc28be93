/** Tasks are found and ticked in the text that they were written in. */
import { expect, test } from "vitest";
import { toggleTask } from "@forgeline/markdown/tasks.ts";

test.each<[string, number, boolean, string]>([
  ["- [ ] a\n- [x] b\n", 0, true, "- [x] a\n- [x] b\n"],
  ["- [ ] a\n- [x] b\n", 1, false, "- [ ] a\n- [ ] b\n"],
  ["- [ ] a\r\n  1. [X] b\r\n", 1, false, "- [ ] a\r\n  1. [ ] b\r\n"],
  ["> * [ ] [ ] c", 0, true, "> * [x] [ ] c"],
  ["- - [ ] a", 0, true, "- - [x] a"],
  [
    "\uFEFFwords\n\n```\n- [ ] no\n```\n\n- [ ] yes",
    0,
    true,
    "\uFEFFwords\n\n```\n- [ ] no\n```\n\n- [x] yes",
  ],
  ["- [ ] a", 1, true, "- [ ] a"],
  ["- [] a\n- [y] b\n- [ ](c)\n[ ] d", 0, true, "- [] a\n- [y] b\n- [ ](c)\n[ ] d"],
])("%j, task %i, %s", (text, index, checked, expected) => {
  expect(toggleTask(text, index, checked)).toBe(expected);
});
