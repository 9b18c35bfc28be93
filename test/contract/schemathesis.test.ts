/**
 * The OpenAPI document and the server hold each other's word: schemathesis, with all its checks, tries a few cases of
 * an eighth of the operations and finds nothing. `npm run fuzz` tries a thousand of each of them all. What is wrong for certain is tried by
 * `security/bad-fields` and `security/bad-parameters`, in a tenth of the time.
 */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { loadLauncherConfig } from "@forgeline/launcher/config.ts";
import { fuzzServer } from "../../scripts/fuzz/run.ts";
import { installedSchemathesis } from "../../scripts/fuzz/schemathesis.ts";
import { startApiServer, type ApiServer } from "../support/api-server.ts";

// `npm test` installs it before the tests, and says why where it cannot.
const program = await installedSchemathesis(loadLauncherConfig().cache);

let server: ApiServer;
let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "forgeline-schemathesis-"));
  server = await startApiServer();
});
afterAll(async () => {
  await server?.stop();
  await rm(directory, { recursive: true, force: true });
});

/** Each version of the API tries an eighth of its operations, so that soon all are tried; `npm run fuzz` tries all. */
function someOperations(): string[] {
  const document = readFileSync(new URL("../../schemas/generated/openapi.json", import.meta.url));
  const { paths } = JSON.parse(document.toString()) as {
    paths: Record<string, Record<string, { operationId?: string }>>;
  };
  const ids = Object.values(paths).flatMap((methods) =>
    Object.values(methods).flatMap(({ operationId }) => operationId ?? []),
  );
  const turn = (createHash("sha256").update(document).digest()[0] ?? 0) % 8;
  return ids
    .filter((_, index) => index % 8 === turn)
    .flatMap((operation) => ["--include-operation-id", operation]);
}

test("schemathesis finds nothing", { timeout: 600_000 }, async () => {
  if (program === undefined)
    throw new Error(
      "schemathesis is not installed: `npm test` and `npm run fuzz` do it where PyPI can be reached",
    );
  let output = "";
  const status = await fuzzServer(server, {
    program,
    directory,
    maxExamples: 1,
    onlyValidCoverage: true,
    seed: 1,
    // What is made up at random belongs to `npm run fuzz`, which has the time for it.
    phases: "examples,coverage",
    selection: ["--warnings", "off", ...someOperations()],
    onOutput: (text) => (output += text),
  });
  expect(status, output).toBe(0);
  expect(output).toContain("No issues found");
});
