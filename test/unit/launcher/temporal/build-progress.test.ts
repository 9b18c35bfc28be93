/** The lines by which a build of Temporal shows that it moves. */
import { expect, it } from "vitest";
import { createBuildProgress, modulesIn } from "@forgeline/launcher/temporal/build-progress.ts";

it("counts modules as they are fetched", () => {
  const progress = createBuildProgress(104);
  progress.fetched(2);
  progress.take("go: downloading go.uber.org/zap v1.27.1");
  progress.take("go.uber.org/zap");
  expect(progress.text(12.4)).toBe("fetched 3 of 104 modules, 12 s");
});

it("counts packages as they are built, and nothing else that Go prints", () => {
  const progress = createBuildProgress(104);
  progress.building(1180);
  for (const line of [
    "fmt",
    "gopkg.in/yaml.v3",
    "github.com/cenkalti/backoff/v5",
    "# example.org/broken",
    "",
  ])
    progress.take(line);
  expect(progress.text(95)).toBe("built 3 of 1,180 packages, 95 s");
});

it("never counts past the end", () => {
  const progress = createBuildProgress(1);
  progress.building(1);
  progress.take("fmt");
  progress.take("os");
  expect(progress.text(1)).toBe("built 1 of 1 packages, 1 s");
});

it("reads from go.sum which modules have to be fetched", () => {
  expect(modulesIn("a.org/x v1.0.0 h1:A=\na.org/x v1.0.0/go.mod h1:B=\na.org/y v2.0.0/go.mod h1:C=\n")).toBe(
    1,
  );
});
