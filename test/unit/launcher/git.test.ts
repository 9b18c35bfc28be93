import { expect, it } from "vitest";
import { problemWithGit } from "@forgeline/launcher/git.ts";

it.each(["git version 2.36.0", "git version 2.47.3 (Apple Git-154)", "git version 3.0.0"])(
  "accepts %s",
  (text) => {
    expect(problemWithGit(text)).toBeUndefined();
  },
);

it.each(["git version 2.35.9", "git version 1.99.0", "nonsense"])(
  "refuses %s and says what it is",
  (text) => {
    expect(problemWithGit(text)).toContain(`Git 2.36 or newer is needed, but this is "${text}"`);
  },
);

it("says that there is none", () => {
  expect(problemWithGit(undefined)).toContain("it is not installed; install it");
});
